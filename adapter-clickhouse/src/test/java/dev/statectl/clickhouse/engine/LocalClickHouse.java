package dev.statectl.clickhouse.engine;

import com.clickhouse.client.api.internal.ClickHouseLZ4OutputStream;
import com.clickhouse.data.ClickHouseDataType;
import com.sun.jna.Native;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jpountz.lz4.LZ4Factory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The real ClickHouse engine as a local process that speaks ClickHouse's HTTP protocol on a
 * loopback port. It can be stopped, killed, and started again on the same data and port.
 *
 * <p>It differs from a server in this: users and rights are emulated ({@code CREATE USER}, {@code
 * DROP USER}, {@code GRANT} and {@code REVOKE} in simple forms); the database {@code default} is of
 * engine Overlay (so {@link #endpoint()} has a database of its own); there are no async inserts, no
 * replicated tables, no port for other servers of a cluster, no query log, and no sessions: every
 * request has its own connection.
 *
 * <p>Not thread-safe, but its endpoint is.
 */
public final class LocalClickHouse implements AutoCloseable {
  /** The database of {@link #endpoint()}; it exists from the start and is of engine Atomic. */
  public static final String DATABASE = "testing";

  /** The name of the user who may do everything. */
  public static final String USER = "admin";

  /** That user's password. */
  public static final String PASSWORD = "admin-password";

  private static final int START_SECONDS = 60;
  private static final int STOP_SECONDS = 30;

  private final Path directory;
  private final Path log;
  private final EngineConfiguration configuration;
  private int port;
  private @Nullable Process process;
  // Whether the process is meant to end: any other end is an accident that tests must show.
  private volatile boolean ending;

  private LocalClickHouse(Path directory, EngineConfiguration configuration) {
    this.directory = directory.toAbsolutePath();
    this.configuration = configuration;
    this.log = this.directory.resolve("engine.log");
  }

  /**
   * Starts an engine, fetching its library first if this machine has none yet.
   *
   * @param directory where it keeps its data and its log; created if missing; only one engine at a
   *     time may use it
   * @return the running engine
   * @throws IllegalStateException if the library cannot be fetched or the engine does not start;
   *     the message says what to do or shows the end of its log
   */
  public static LocalClickHouse start(Path directory) {
    return start(directory, EngineConfiguration.none());
  }

  /**
   * Starts an engine with a configuration, fetching its library first if this machine has none yet.
   *
   * @param directory where it keeps its data and its log; created if missing; only one engine at a
   *     time may use it
   * @param configuration what a server's configuration file would say; kept for restarts
   * @return the running engine
   * @throws IllegalStateException if the library cannot be fetched or the engine does not start;
   *     the message says what to do or shows the end of its log
   */
  public static LocalClickHouse start(Path directory, EngineConfiguration configuration) {
    LocalClickHouse engine = new LocalClickHouse(directory, configuration);
    engine.start();
    return engine;
  }

  /**
   * Where the engine listens, as the user who may do everything. Stays the same when the engine is
   * restarted.
   *
   * @return its address, user and database
   */
  public ClickHouseEndpoint endpoint() {
    return new ClickHouseEndpoint("127.0.0.1", port, false, USER, PASSWORD, DATABASE);
  }

  /**
   * The process id of the engine that was started last.
   *
   * @return the id
   * @throws IllegalStateException if none was started
   */
  public long pid() {
    if (process == null) {
      throw new IllegalStateException("The engine was never started");
    }
    return process.pid();
  }

  /**
   * Whether the engine's process lives.
   *
   * @return true if so
   */
  public boolean isRunning() {
    return process != null && process.isAlive();
  }

  /** Stops the engine if it runs and starts it again on the same data and port. */
  public void restart() {
    close();
    start();
  }

  /** Ends the process at once, as a crash would. {@link #restart()} starts it again. */
  public void kill() {
    if (process != null) {
      ending = true;
      process.destroyForcibly();
      awaitEnd(process, STOP_SECONDS);
    }
  }

  /** Stops the engine in an orderly way; does nothing if it does not run. Its data stay. */
  @Override
  public void close() {
    if (process == null || !process.isAlive()) {
      return;
    }
    ending = true;
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It just ended by itself: nothing is left to stop.
    }
    if (!awaitEnd(process, STOP_SECONDS)) {
      kill();
    }
  }

  private void start() {
    Path library = new EngineLibrary().find();
    try {
      Files.createDirectories(directory);
      Files.writeString(configurationFile(), configuration.xml(id()));
      // The engine was seen to abort while starting, rarely, and never twice in a row.
      if (!tryStart(library) && !tryStart(library)) {
        throw new IllegalStateException(
            "The local ClickHouse engine does not start. The end of " + log + ":\n" + endOfLog());
      }
    } catch (IOException e) {
      throw new IllegalStateException("The local ClickHouse engine does not start: " + e, e);
    }
  }

  private boolean tryStart(Path library) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            // Without this the small answers wait 40 ms for the client's delayed acknowledgement.
            "-Dsun.net.httpserver.nodelay=true",
            "-cp",
            classPath(),
            EngineServer.class.getName(),
            library.toString(),
            directory.toString(),
            Integer.toString(port),
            USER,
            PASSWORD,
            configurationFile().toString());
    preloadSignalChaining(builder);
    builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    Process started = builder.start();
    process = started;
    BufferedReader out = started.inputReader(StandardCharsets.UTF_8);
    CompletableFuture<@Nullable String> line =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return out.readLine();
              } catch (IOException e) {
                return null;
              }
            });
    try {
      String said = line.get(START_SECONDS, TimeUnit.SECONDS);
      if (said != null && said.startsWith("listening ")) {
        port = Integer.parseInt(said.substring("listening ".length()));
        ending = false;
        started.onExit().thenAccept(this::reportAccident);
        return true;
      }
    } catch (TimeoutException | ExecutionException e) {
      // Taken as a failed start, like an abort.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    started.destroyForcibly();
    return false;
  }

  /** Another in each directory, and the same after a restart. */
  private UUID id() {
    return UUID.nameUUIDFromBytes(directory.toString().getBytes(StandardCharsets.UTF_8));
  }

  private Path configurationFile() {
    return directory.resolve("configuration.xml");
  }

  /** The engine and the JVM both handle signals; without this library they crash each other. */
  private static void preloadSignalChaining(ProcessBuilder builder) {
    boolean mac = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac");
    Path library =
        Path.of(System.getProperty("java.home"), "lib", mac ? "libjsig.dylib" : "libjsig.so");
    if (!Files.exists(library)) {
      throw new IllegalStateException("The JDK that runs the tests has no " + library);
    }
    builder.environment().put(mac ? "DYLD_INSERT_LIBRARIES" : "LD_PRELOAD", library.toString());
  }

  /** The class path of the process: only what it uses. */
  private static String classPath() {
    return Stream.of(
            EngineServer.class,
            Native.class,
            ClickHouseLZ4OutputStream.class,
            ClickHouseDataType.class,
            LZ4Factory.class,
            Logger.class)
        .map(LocalClickHouse::origin)
        .distinct()
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String origin(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("No file holds " + type, e);
    }
  }

  private void reportAccident(Process ended) {
    if (!ending) {
      System.err.println(
          "The local ClickHouse engine ended by itself with "
              + ended.exitValue()
              + ". The end of "
              + log
              + ":\n"
              + endOfLog());
    }
  }

  private String endOfLog() {
    try {
      List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
    } catch (IOException e) {
      return "(unreadable: " + e + ")";
    }
  }

  private static boolean awaitEnd(Process process, int seconds) {
    try {
      return process.waitFor(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
