package dev.statectl.cli;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;
import java.util.Objects;

/** Gives one client on this machine one answer that a ClickHouse gave once. */
final class RecordedServer implements AutoCloseable {
  private static final String LENGTH = "content-length:";

  private final ServerSocket socket;
  private final byte[] answer;

  private RecordedServer(ServerSocket socket, byte[] answer) {
    this.socket = socket;
    this.answer = answer;
  }

  /**
   * Starts to listen on a free port of the loopback address.
   *
   * @param resource the answer, from status line to body
   */
  static RecordedServer start(String resource) throws IOException {
    byte[] answer;
    try (InputStream in = RecordedServer.class.getResourceAsStream(resource)) {
      answer = Objects.requireNonNull(in, resource).readAllBytes();
    }
    RecordedServer server =
        new RecordedServer(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()), answer);
    Thread thread = new Thread(server::serve, "recorded-server");
    thread.setDaemon(true);
    thread.start();
    return server;
  }

  int port() {
    return socket.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private void serve() {
    try (Socket client = socket.accept();
        InputStream in = new BufferedInputStream(client.getInputStream())) {
      int length = 0;
      for (String line = line(in); !line.isEmpty(); line = line(in)) {
        if (line.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
          length = Integer.parseInt(line.substring(LENGTH.length()).strip());
        }
      }
      in.readNBytes(length);
      client.getOutputStream().write(answer);
      // Until the client is done with the connection.
      in.readAllBytes();
    } catch (IOException e) {
      // The client went away, or never came.
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      line.append((char) c);
    }
    return line.toString().strip();
  }
}
