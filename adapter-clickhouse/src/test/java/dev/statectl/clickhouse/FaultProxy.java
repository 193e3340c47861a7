package dev.statectl.clickhouse;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Passes HTTP on to the ClickHouse for tests, and does to some requests what networks do. Where it
 * could be seen at both ends, connections are closed as they are when a machine goes away: some
 * with an orderly end, some with a reset. Thread-safe.
 */
final class FaultProxy implements AutoCloseable {
  private static final byte[] PAGE =
      "<html><head><title>Oops</title></head><body>Try another day.</body></html>"
          .getBytes(StandardCharsets.UTF_8);

  /** A request that came while faults were ordered. */
  record Arrival(String sql, @Nullable Fault fault) {}

  private record Order(Fault fault, int first, int count) {}

  private final ClickHouseEndpoint server;
  private final Duration patience;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final List<Arrival> arrivals = new ArrayList<>();
  private final Random random;
  private @Nullable Order order;
  private volatile boolean stalling = true;

  private FaultProxy(
      ClickHouseEndpoint server, Duration patience, long seed, ServerSocket listener) {
    this.server = server;
    this.patience = patience;
    this.random = new Random(seed);
    this.listener = listener;
  }

  /**
   * Starts a proxy.
   *
   * @param server where requests are passed on to
   * @param patience how long a client waits for an answer
   * @param seed of what is random
   */
  static FaultProxy to(ClickHouseEndpoint server, Duration patience, long seed) {
    if (server.secure()) {
      throw new IllegalStateException("Run these tests with a ClickHouse that speaks plain HTTP");
    }
    try {
      FaultProxy proxy =
          new FaultProxy(
              server, patience, seed, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
      start(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The server through this proxy. */
  ClickHouseEndpoint endpoint() {
    return new ClickHouseEndpoint(
        "127.0.0.1",
        listener.getLocalPort(),
        false,
        server.user(),
        server.password(),
        server.database());
  }

  /**
   * Does something to requests that come from now on.
   *
   * @param fault what
   * @param first how many go through before
   * @param count how many it meets
   */
  synchronized void order(Fault fault, int first, int count) {
    arrivals.clear();
    order = new Order(fault, first, count);
  }

  /** Passes everything on from now, and tells what came since {@link #order}. */
  synchronized List<Arrival> relent() {
    order = null;
    List<Arrival> came = List.copyOf(arrivals);
    arrivals.clear();
    return came;
  }

  /** From now on, nobody listens, and there are no connections. */
  void stopListening() {
    closeQuietly(listener);
    sockets.forEach(FaultProxy::closeQuietly);
  }

  @Override
  public void close() {
    stalling = false;
    stopListening();
  }

  private synchronized @Nullable Fault arrived(String sql) {
    Order given = order;
    Fault fault = null;
    if (given != null) {
      int number = arrivals.size();
      if (number >= given.first() && number - given.first() < given.count()) {
        fault = given.fault();
      }
      arrivals.add(new Arrival(sql, fault));
    }
    return fault;
  }

  private synchronized int random(int bound) {
    return random.nextInt(bound);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        sockets.add(client);
        if (listener.isClosed()) {
          // The kernel takes connections until this thread has left accept.
          closeQuietly(client);
          return;
        }
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
      sockets.add(upstream);
      try {
        client.setTcpNoDelay(true);
        upstream.setTcpNoDelay(true);
        HttpMessage request;
        while ((request = HttpMessage.read(client.getInputStream())) != null) {
          if (!exchange(request, client, upstream)) {
            if (random(2) == 0) {
              // The other side sees a reset instead of an end.
              client.setSoLinger(true, 0);
            }
            return;
          }
        }
      } finally {
        sockets.remove(upstream);
      }
    } catch (IOException e) {
      // One side hung up.
    } finally {
      sockets.remove(client);
    }
  }

  /** Tells whether the connection goes on. */
  private boolean exchange(HttpMessage request, Socket client, Socket upstream) throws IOException {
    Fault fault = arrived(request.text());
    if (fault != null && fault.keepsTheRequest()) {
      withhold(fault, request, client, upstream);
      return false;
    }
    upstream.getOutputStream().write(request.raw());
    HttpMessage answer = HttpMessage.read(upstream.getInputStream());
    if (answer == null) {
      return false;
    }
    OutputStream out = client.getOutputStream();
    byte[] raw = answer.raw();
    if (fault == null || fault == Fault.DELAY) {
      if (fault == Fault.DELAY) {
        sleep(patience.dividedBy(10));
      }
      out.write(raw);
      return true;
    }
    switch (fault) {
      case CUT_IN_THE_ANSWER -> out.write(raw, 0, 1 + random(raw.length - 1));
      case GARBAGE -> {
        byte[] bytes = new byte[1 + random(300)];
        fill(bytes);
        out.write(bytes);
      }
      case GARBAGE_IN_HTTP -> {
        byte[] bytes = new byte[1 + random(300)];
        fill(bytes);
        out.write(page("200 OK", bytes));
      }
      case PAGE_503_LATE -> out.write(page("503 Service Unavailable", PAGE));
      case STALL_BEFORE_THE_ANSWER -> stall(client);
      case TRICKLE -> {
        for (int i = 0; i < raw.length && stalling; i++) {
          out.write(raw[i]);
          sleep(patience.dividedBy(20));
        }
      }
      default -> {
        // The answer is lost with the connection.
      }
    }
    return false;
  }

  private void withhold(Fault fault, HttpMessage request, Socket client, Socket upstream)
      throws IOException {
    OutputStream out = client.getOutputStream();
    switch (fault) {
      case CUT_IN_THE_REQUEST -> {
        upstream.getOutputStream().write(request.raw(), 0, request.raw().length / 2);
        upstream.shutdownOutput();
      }
      case PAGE_502 -> out.write(page("502 Bad Gateway", PAGE));
      case PAGE_503 -> out.write(page("503 Service Unavailable", PAGE));
      case PAGE_404 -> out.write(page("404 Not Found", PAGE));
      case STALL_BEFORE_THE_REQUEST -> stall(client);
      default -> {
        // It is lost with the connection.
      }
    }
  }

  /** Waits until the client hangs up. */
  private static void stall(Socket client) throws IOException {
    while (client.getInputStream().read() >= 0) {
      // It has nothing to say that would be answered.
    }
  }

  private static byte[] page(String status, byte[] body) {
    byte[] head =
        ("HTTP/1.1 "
                + status
                + "\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: "
                + body.length
                + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    byte[] whole = new byte[head.length + body.length];
    System.arraycopy(head, 0, whole, 0, head.length);
    System.arraycopy(body, 0, whole, head.length, body.length);
    return whole;
  }

  private synchronized void fill(byte[] bytes) {
    random.nextBytes(bytes);
  }

  private static void sleep(Duration duration) {
    try {
      Thread.sleep(duration.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void closeQuietly(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception e) {
      // It is gone already.
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "fault-proxy");
    thread.setDaemon(true);
    thread.start();
  }
}
