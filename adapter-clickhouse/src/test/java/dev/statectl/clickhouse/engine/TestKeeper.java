package dev.statectl.clickhouse.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.jspecify.annotations.Nullable;

/**
 * A ZooKeeper in this JVM on a loopback port, for engines that want a Keeper: ClickHouse talks to
 * both alike. It can be stopped and started again on the same data and port, and made to forget all
 * sessions. Thread-safe.
 *
 * @see <a href="https://clickhouse.com/docs/guides/sre/keeper/clickhouse-keeper">ClickHouse
 *     Keeper</a>
 */
public final class TestKeeper implements AutoCloseable {
  // The unit of ZooKeeper's clocks: sessions may last between 2 and 60 of them.
  private static final int TICK_MILLIS = 1_000;
  private static final int MAX_SESSION_MILLIS = 60_000;

  private final Path directory;
  private int port;
  private @Nullable ZooKeeperServer server;
  private @Nullable ServerCnxnFactory connections;

  private TestKeeper(Path directory) {
    this.directory = directory.toAbsolutePath();
  }

  /**
   * Starts a Keeper on a free port.
   *
   * @param directory where it keeps its data; created if missing
   * @return the running Keeper
   * @throws IllegalStateException if it does not start
   */
  public static TestKeeper start(Path directory) {
    TestKeeper keeper = new TestKeeper(directory);
    keeper.restart();
    return keeper;
  }

  /**
   * Where it listens on 127.0.0.1, also while it is stopped.
   *
   * @return the port
   */
  public synchronized int port() {
    return port;
  }

  /**
   * Stops it if it runs and starts it again on the same data and port. Sessions that have not timed
   * out by then live on.
   *
   * @throws IllegalStateException if it does not start
   */
  public synchronized void restart() {
    close();
    // ZooKeeper puts a handler of its own there, which leaves a program's last words to a log.
    Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
    try {
      Files.createDirectories(directory);
      ZooKeeperServer starting =
          new ZooKeeperServer(directory.toFile(), directory.toFile(), TICK_MILLIS);
      starting.setMaxSessionTimeout(MAX_SESSION_MILLIS);
      NIOServerCnxnFactory factory = new NIOServerCnxnFactory();
      factory.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      factory.startup(starting);
      port = factory.getLocalPort();
      server = starting;
      connections = factory;
    } catch (IOException e) {
      throw new UncheckedIOException("The Keeper for tests does not start on " + directory, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while the Keeper for tests started", e);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(handler);
    }
  }

  /**
   * Ends all sessions, as if nothing had been heard of their clients for too long: each client
   * loses its connection and is told that its session is gone when it comes back.
   *
   * @return how many sessions there were
   * @throws IllegalStateException if it does not run
   */
  public synchronized int expireSessions() {
    if (server == null) {
      throw new IllegalStateException("The Keeper for tests does not run");
    }
    List<Long> sessions = List.copyOf(server.getSessionTracker().globalSessions());
    sessions.forEach(server::closeSession);
    return sessions.size();
  }

  /** Stops it; does nothing if it does not run. Its data stay. */
  @Override
  public synchronized void close() {
    if (connections != null) {
      connections.shutdown();
      connections = null;
    }
    if (server != null) {
      server.shutdown(true);
      server = null;
    }
  }
}
