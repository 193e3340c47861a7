package dev.statectl.clickhouse;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Passes HTTP between the product and the ClickHouse for tests, byte by byte, so that tests see
 * what was sent, and can cut the line as a network does. Thread-safe.
 */
public final class Relay implements AutoCloseable {
  private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");
  private static final Pattern CHUNKED = Pattern.compile("(?i)\r\ntransfer-encoding: *chunked");

  /** What arrives of an answer when the line is cut. */
  enum Cut {
    /** The request is not passed on. */
    BEFORE_THE_REQUEST,
    /** The server answers, and nothing of it arrives. */
    BEFORE_THE_ANSWER,
    /** All but the last 10 bytes arrive. */
    BEFORE_THE_END
  }

  /**
   * A request that was passed on.
   *
   * @param head the request line and the headers
   * @param sql the body
   * @param answerBytes the size of the answer, headers included
   */
  record Exchange(String head, String sql, long answerBytes) {
    String requestLine() {
      return head.substring(0, head.indexOf('\r'));
    }
  }

  private record Hold(String beginning, Runnable action) {}

  private record Order(Predicate<String> which, Cut cut) {}

  private final ClickHouseEndpoint server;
  private final ServerSocket listener;
  private final List<Exchange> exchanges = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicReference<@Nullable Hold> hold = new AtomicReference<>();
  private volatile Order order = new Order(sql -> false, Cut.BEFORE_THE_ANSWER);

  private Relay(ClickHouseEndpoint server, ServerSocket listener) {
    this.server = server;
    this.listener = listener;
  }

  /**
   * Starts a relay.
   *
   * @param server what it relays to
   * @return the relay
   */
  public static Relay to(ClickHouseEndpoint server) {
    if (server.secure()) {
      throw new IllegalStateException("Run these tests with a ClickHouse that speaks plain HTTP");
    }
    try {
      Relay relay = new Relay(server, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
      start(relay::accept);
      return relay;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The server through this relay.
   *
   * @return the endpoint
   */
  public ClickHouseEndpoint endpoint() {
    return new ClickHouseEndpoint(
        "127.0.0.1",
        listener.getLocalPort(),
        false,
        server.user(),
        server.password(),
        server.database());
  }

  /** From now on, cuts the line at requests whose SQL begins so. */
  void cut(String beginning, Cut cut) {
    order = new Order(sql -> sql.strip().startsWith(beginning), cut);
  }

  /**
   * Runs an action before the next request whose SQL begins so is passed on, once. The request is
   * kept until the action ends; others go on.
   *
   * @param beginning the first characters of the SQL
   * @param action what to do
   */
  public void holdNext(String beginning, Runnable action) {
    hold.set(new Hold(beginning, action));
  }

  /** Forgets what was passed on. */
  void clear() {
    exchanges.clear();
  }

  /** How many connections were made. */
  int connections() {
    return connections.get();
  }

  List<Exchange> exchanges() {
    return List.copyOf(exchanges);
  }

  /** The SQL of what was passed on, in order. */
  List<String> statements() {
    return exchanges.stream().map(Exchange::sql).toList();
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
        connections.incrementAndGet();
        start(() -> serve(client));
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
      Message request;
      while ((request = Message.read(client.getInputStream())) != null) {
        String sql = request.text();
        boolean cut = order.which().test(sql);
        if (cut && order.cut() == Cut.BEFORE_THE_REQUEST) {
          return;
        }
        Hold held = hold.get();
        if (held != null
            && sql.strip().startsWith(held.beginning())
            && hold.compareAndSet(held, null)) {
          held.action().run();
        }
        upstream.getOutputStream().write(request.raw());
        Message answer = Message.read(upstream.getInputStream());
        if (answer == null) {
          return;
        }
        int length = answer.raw().length;
        exchanges.add(new Exchange(request.head(), sql, length));
        OutputStream out = client.getOutputStream();
        if (cut) {
          out.write(answer.raw(), 0, order.cut() == Cut.BEFORE_THE_ANSWER ? 0 : length - 10);
          return;
        }
        out.write(answer.raw());
      }
    } catch (IOException e) {
      // One side hung up.
    }
  }

  /**
   * A request or an answer.
   *
   * @param head the first line and the headers
   * @param raw all bytes as they came
   * @param body the body without the frames of its chunks
   */
  private record Message(String head, byte[] raw, byte[] body) {
    /** Reads a whole message; null when there is none. */
    static @Nullable Message read(InputStream in) throws IOException {
      ByteArrayOutputStream raw = new ByteArrayOutputStream();
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      String head = readUntil(in, raw, "\r\n\r\n");
      if (head.isEmpty()) {
        return null;
      }
      Matcher length = LENGTH.matcher(head);
      if (length.find()) {
        byte[] bytes = in.readNBytes(Integer.parseInt(length.group(1)));
        raw.write(bytes);
        body.write(bytes);
      } else if (CHUNKED.matcher(head).find()) {
        int size;
        do {
          size = Integer.parseInt(readUntil(in, raw, "\r\n").strip(), 16);
          byte[] bytes = in.readNBytes(size + 2);
          raw.write(bytes);
          body.write(bytes, 0, size);
        } while (size > 0);
      }
      return new Message(head, raw.toByteArray(), body.toByteArray());
    }

    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    private static String readUntil(InputStream in, ByteArrayOutputStream copy, String end)
        throws IOException {
      StringBuilder text = new StringBuilder();
      while (text.length() < end.length()
          || !text.substring(text.length() - end.length()).equals(end)) {
        int next = in.read();
        if (next < 0) {
          return "";
        }
        copy.write(next);
        text.append((char) next);
      }
      return text.toString();
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }
}
