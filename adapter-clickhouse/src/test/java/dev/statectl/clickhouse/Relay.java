package dev.statectl.clickhouse;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Passes HTTP between the product and the ClickHouse for tests, byte by byte, so that tests see
 * what was sent, and can cut the line as a network does, or have an answer come that only other
 * servers give. Thread-safe.
 */
public final class Relay implements AutoCloseable {
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

  /**
   * What is answered in the server's place.
   *
   * @param code the code of an error; 0 for an empty answer
   */
  private record Substitute(String beginning, int code, String text, AtomicInteger times) {
    boolean takes(String sql) {
      return sql.strip().startsWith(beginning) && times.getAndDecrement() > 0;
    }

    byte[] answer() {
      String head =
          code == 0
              ? "200 OK\r\nX-ClickHouse-Summary: {}\r\nContent-Length: 0"
              : "500 Internal Server Error\r\nX-ClickHouse-Exception-Code: "
                  + code
                  + "\r\nContent-Length: "
                  + text.length();
      return ("HTTP/1.1 " + head + "\r\n\r\n" + (code == 0 ? "" : text))
          .getBytes(StandardCharsets.US_ASCII);
    }
  }

  private record Order(Predicate<String> which, Cut cut, boolean once) {}

  private final ClickHouseEndpoint server;
  private final ServerSocket listener;
  private final List<Exchange> exchanges = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger lost = new AtomicInteger();
  private final AtomicReference<@Nullable Hold> hold = new AtomicReference<>();
  private final List<Substitute> substitutes = new CopyOnWriteArrayList<>();
  private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Runnable> afterwards = new AtomicReference<>();
  private volatile UnaryOperator<String> replacement = sql -> sql;
  private volatile @Nullable Substitute instead;
  private volatile Order order = new Order(sql -> false, Cut.BEFORE_THE_ANSWER, false);

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
    order = new Order(sql -> sql.strip().startsWith(beginning), cut, false);
  }

  /** Cuts the line at the next request whose SQL begins so, and at no later one. */
  void cutNext(String beginning, Cut cut) {
    order = new Order(sql -> sql.strip().startsWith(beginning), cut, true);
  }

  /**
   * Answers the next requests whose SQL begins so as a server with replicas would, which the engine
   * for tests cannot be.
   *
   * @param code the code of its error; 0 when it did what was asked
   * @param text the error's text in ASCII
   * @param times how many requests
   */
  void substitute(String beginning, int code, String text, int times) {
    substitutes.add(new Substitute(beginning, code, text, new AtomicInteger(times)));
  }

  /** Passes requests on with a part of their SQL replaced, so that the answer is another one. */
  void replace(String part, String by) {
    replacement = sql -> sql.replace(part, by);
  }

  /** Passes such requests on, and answers as if another server had not done its part of them. */
  void answerInstead(String beginning, int code, String text) {
    instead = new Substitute(beginning, code, text, new AtomicInteger(Integer.MAX_VALUE));
  }

  /** How many requests were not passed on since the last {@link #clear}. */
  int lost() {
    return lost.get();
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
    lost.set(0);
  }

  /** How many connections were made. */
  int connections() {
    return connections.get();
  }

  List<Exchange> exchanges() {
    return exchanges.stream().filter(exchange -> !isOfTopology(exchange.sql())).toList();
  }

  /** The SQL of what was passed on about the tables, in order. */
  List<String> statements() {
    return exchanges().stream().map(Exchange::sql).toList();
  }

  /** The SQL of all that was passed on, with what is asked once about the servers. */
  List<String> allStatements() {
    return exchanges.stream().map(Exchange::sql).toList();
  }

  private static boolean isOfTopology(String sql) {
    return sql.startsWith(TopologySql.PLACE.substring(0, TopologySql.PLACE.indexOf(':')))
        || sql.contains("FROM system.clusters");
  }

  /** From now on nobody listens, and there are no connections: its machine went away. */
  void hangUp() {
    close();
    clients.forEach(Relay::closeQuietly);
  }

  /** Runs an action when the next substitute was answered. */
  void afterSubstitute(Runnable action) {
    afterwards.set(action);
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone already.
    }
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
        if (listener.isClosed()) {
          // The kernel takes connections until this thread has left accept.
          client.close();
          return;
        }
        connections.incrementAndGet();
        clients.add(client);
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
      HttpMessage request;
      while ((request = HttpMessage.read(client.getInputStream())) != null) {
        String sql = request.text();
        Order given = order;
        boolean cut = given.which().test(sql);
        if (cut && given.once()) {
          order = new Order(any -> false, Cut.BEFORE_THE_ANSWER, false);
        }
        if (cut && given.cut() == Cut.BEFORE_THE_REQUEST) {
          lost.incrementAndGet();
          return;
        }
        Hold held = hold.get();
        if (held != null
            && sql.strip().startsWith(held.beginning())
            && hold.compareAndSet(held, null)) {
          held.action().run();
        }
        Optional<Substitute> substitute =
            substitutes.stream().filter(each -> each.takes(sql)).findFirst();
        if (substitute.isPresent()) {
          byte[] answer = substitute.get().answer();
          exchanges.add(new Exchange(request.head(), sql, answer.length));
          client.getOutputStream().write(answer);
          Runnable action = afterwards.getAndSet(null);
          if (action != null) {
            action.run();
          }
          continue;
        }
        String passed = replacement.apply(sql);
        upstream
            .getOutputStream()
            .write(passed.equals(sql) ? request.raw() : request.withText(passed).raw());
        HttpMessage answer = HttpMessage.read(upstream.getInputStream());
        if (answer == null) {
          return;
        }
        int length = answer.raw().length;
        exchanges.add(new Exchange(request.head(), sql, length));
        OutputStream out = client.getOutputStream();
        Substitute substituted = instead;
        if (substituted != null && substituted.takes(sql)) {
          out.write(substituted.answer());
          continue;
        }
        if (cut) {
          out.write(answer.raw(), 0, given.cut() == Cut.BEFORE_THE_ANSWER ? 0 : length - 10);
          return;
        }
        out.write(answer.raw());
      }
    } catch (IOException e) {
      // One side hung up.
    } finally {
      clients.remove(client);
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }
}
