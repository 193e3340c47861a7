package dev.statectl.clickhouse.engine;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The process of a {@link LocalClickHouse}: the engine behind an HTTP server on a loopback port. It
 * says {@code listening PORT} on stdout, and ends when its stdin ends, so it never outlives the
 * process that started it.
 */
final class EngineServer {
  private EngineServer() {}

  /**
   * Arguments: library, directory, port (0 for any), name and password of the first user, file of
   * the configuration.
   */
  public static void main(String[] args) throws IOException, ServerError {
    Path directory = Path.of(args[1]);
    Path data = Files.createDirectories(directory.resolve("data"));
    Engine engine = Engine.open(Path.of(args[0]), data, Path.of(args[5]));
    // The database "default" of an engine in a process has another kind (Overlay) than a server's.
    engine.value("CREATE DATABASE IF NOT EXISTS " + LocalClickHouse.DATABASE + " ENGINE = Atomic");
    Access access = new Access(args[3], args[4], directory.resolve("access.sql"));
    HttpServer server =
        HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[2])), 0);
    ExecutorService requests = Executors.newCachedThreadPool();
    server.setExecutor(requests);
    server.createContext("/", new QueryHandler(engine, access, directory));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, requests, engine)));
    server.start();
    System.out.println("listening " + server.getAddress().getPort());
    System.out.flush();
    while (System.in.read() >= 0) {
      // Nothing is ever sent: only the end counts.
    }
    System.exit(0);
  }

  private static void stop(HttpServer server, ExecutorService requests, Engine engine) {
    server.stop(0);
    requests.shutdown();
    try {
      // With a statement still running the engine can neither close nor let the JVM exit by itself.
      if (requests.awaitTermination(10, TimeUnit.SECONDS)) {
        engine.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(0);
  }
}
