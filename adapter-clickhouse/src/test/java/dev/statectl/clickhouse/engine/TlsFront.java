package dev.statectl.clickhouse.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** TLS on 127.0.0.1 in front of the ClickHouse for tests, ended there. Thread-safe. */
public final class TlsFront implements AutoCloseable {
  private final ClickHouseEndpoint server;
  private final SSLServerSocket listener;

  private TlsFront(ClickHouseEndpoint server, SSLServerSocket listener) {
    this.server = server;
    this.listener = listener;
  }

  /**
   * Starts to listen.
   *
   * @param server where the plain bytes go
   * @param identity what it shows to clients
   * @param clients who must have signed a client's certificate; null when clients need none
   * @return the front
   */
  public static TlsFront of(
      ClickHouseEndpoint server,
      TestAuthority.Identity identity,
      @Nullable X509Certificate clients) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          keys(identity).getKeyManagers(), clients == null ? null : trusting(clients), null);
      SSLServerSocket listener =
          (SSLServerSocket)
              context
                  .getServerSocketFactory()
                  .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
      listener.setNeedClientAuth(clients != null);
      TlsFront front = new TlsFront(server, listener);
      start(front::accept);
      return front;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The server through this front.
   *
   * @return the endpoint, by its address
   */
  public ClickHouseEndpoint endpoint() {
    return new ClickHouseEndpoint(
        "127.0.0.1",
        listener.getLocalPort(),
        true,
        server.user(),
        server.password(),
        server.database());
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        start(() -> serve(client));
      } catch (IOException e) {
        // Closed: no more connections.
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket upstream = new Socket(server.host(), server.port())) {
      client.setTcpNoDelay(true);
      upstream.setTcpNoDelay(true);
      start(() -> pass(upstream, client));
      client.getInputStream().transferTo(upstream.getOutputStream());
    } catch (IOException e) {
      // The handshake failed, or one side hung up.
    }
  }

  private static void pass(Socket from, Socket to) {
    try (to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      in.transferTo(out);
    } catch (IOException e) {
      // One side hung up.
    }
  }

  private static KeyManagerFactory keys(TestAuthority.Identity identity)
      throws IOException, GeneralSecurityException {
    char[] password = TestAuthority.PASSWORD.toCharArray();
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "server", identity.key(), password, new Certificate[] {identity.certificate()});
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
    return keys;
  }

  private static TrustManager[] trusting(X509Certificate authority)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("clients", authority);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    return trust.getTrustManagers();
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "tls-front");
    thread.setDaemon(true);
    thread.start();
  }
}
