package dev.statectl.benchmark;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Passes HTTP on to ClickHouse and keeps what was asked, so that the very same can be asked without
 * statectl. Answers pass as they come and are only counted. Thread-safe.
 */
final class Recorder implements AutoCloseable {
  private static final String END_OF_HEAD = "\r\n\r\n";
  // What tells one kind of statement from another stands there.
  private static final int BEGINNING = 300;

  private final ClickHouseEndpoint server;
  private final ServerSocket listener;
  private final List<RecordedRequest> requests = new ArrayList<>();
  private final boolean bodies;

  private Recorder(ClickHouseEndpoint server, ServerSocket listener, boolean bodies) {
    this.server = server;
    this.listener = listener;
    this.bodies = bodies;
  }

  /** Starts one that keeps whole requests. */
  static Recorder of(ClickHouseEndpoint server) {
    return start(server, true);
  }

  /** Starts one that counts requests and bytes and keeps no bodies, which may be large. */
  static Recorder counting(ClickHouseEndpoint server) {
    return start(server, false);
  }

  private static Recorder start(ClickHouseEndpoint server, boolean bodies) {
    if (server.secure()) {
      throw new IllegalStateException("Benchmarks need a ClickHouse that speaks plain HTTP");
    }
    try {
      Recorder recorder =
          new Recorder(server, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), bodies);
      daemon(recorder::accept);
      return recorder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The server through this recorder. */
  ClickHouseEndpoint endpoint() {
    return new ClickHouseEndpoint(
        "127.0.0.1",
        listener.getLocalPort(),
        false,
        server.user(),
        server.password(),
        server.database());
  }

  /** What passed since the last call, in the order of the answers. */
  synchronized List<RecordedRequest> take() {
    List<RecordedRequest> taken = List.copyOf(requests);
    requests.clear();
    return taken;
  }

  private synchronized void keep(RecordedRequest request) {
    requests.add(request);
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
        daemon(() -> serve(client));
      } catch (IOException e) {
        // Closed: no more requests.
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket upstream = new Socket(server.host(), server.port())) {
      client.setTcpNoDelay(true);
      upstream.setTcpNoDelay(true);
      InputStream fromClient = new BufferedInputStream(client.getInputStream(), 1 << 16);
      InputStream fromServer = new BufferedInputStream(upstream.getInputStream(), 1 << 16);
      OutputStream toServer = new BufferedOutputStream(upstream.getOutputStream(), 1 << 16);
      String head;
      while (!(head = head(fromClient)).isEmpty()) {
        toServer.write(head.getBytes(StandardCharsets.ISO_8859_1));
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        long sent = head.length() + copyBody(head, fromClient, toServer, body);
        toServer.flush();
        String answer = head(fromServer);
        if (answer.isEmpty()) {
          return;
        }
        // Before the answer ends: whoever waits for it may take right then.
        OutputStream toClient = new BufferedOutputStream(client.getOutputStream(), 1 << 16);
        toClient.write(answer.getBytes(StandardCharsets.ISO_8859_1));
        long received =
            answer.length()
                + copyBody(answer, fromServer, toClient, OutputStream.nullOutputStream());
        keep(request(head, body.toByteArray(), sent, received));
        toClient.flush();
      }
    } catch (IOException e) {
      // One side hung up.
    }
  }

  private RecordedRequest request(String head, byte[] body, long sent, long received) {
    String[] lines = head.strip().split("\r\n");
    String target = lines[0].split(" ")[1];
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      headers.add(Map.entry(lines[i].substring(0, colon), lines[i].substring(colon + 1).strip()));
    }
    String query = RecordedRequest.parameters(target).get("query");
    String sql =
        query != null
            ? query
            : new String(body, 0, Math.min(body.length, BEGINNING), StandardCharsets.UTF_8);
    return new RecordedRequest(
        target, headers, bodies ? body : new byte[0], sql.strip(), sent, received);
  }

  /** The first line and the headers, with the empty line; empty where the connection ended. */
  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.length() < END_OF_HEAD.length()
        || head.indexOf(END_OF_HEAD, head.length() - END_OF_HEAD.length()) < 0) {
      int next = in.read();
      if (next < 0) {
        return "";
      }
      head.append((char) next);
    }
    return head.toString();
  }

  /** Copies a body with its frames to one stream and without them to another; gives its bytes. */
  private static long copyBody(String head, InputStream in, OutputStream framed, OutputStream plain)
      throws IOException {
    String length = header(head, "content-length");
    if (!length.isEmpty()) {
      return copy(in, Long.parseLong(length), framed, plain);
    }
    if (!header(head, "transfer-encoding").equalsIgnoreCase("chunked")) {
      return 0;
    }
    long bytes = 0;
    long size;
    do {
      String line = line(in);
      framed.write(line.getBytes(StandardCharsets.ISO_8859_1));
      size = Long.parseLong(line.strip(), 16);
      copy(in, size, framed, plain);
      copy(in, 2, framed, OutputStream.nullOutputStream());
      bytes += line.length() + size + 2;
    } while (size > 0);
    return bytes;
  }

  private static long copy(InputStream in, long bytes, OutputStream one, OutputStream other)
      throws IOException {
    byte[] buffer = new byte[1 << 16];
    long left = bytes;
    while (left > 0) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        throw new EOFException();
      }
      one.write(buffer, 0, read);
      other.write(buffer, 0, read);
      left -= read;
    }
    return bytes;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    int next;
    do {
      next = in.read();
      if (next < 0) {
        throw new EOFException();
      }
      line.append((char) next);
    } while (next != '\n');
    return line.toString();
  }

  private static String header(String head, String name) {
    for (String line : head.split("\r\n")) {
      int colon = line.indexOf(':');
      if (colon > 0 && line.substring(0, colon).equalsIgnoreCase(name)) {
        return line.substring(colon + 1).strip();
      }
    }
    return "";
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "recorder");
    thread.setDaemon(true);
    thread.start();
  }
}
