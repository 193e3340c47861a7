package dev.statectl.clickhouse.engine;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Whether containers can be had. Loads nothing of Testcontainers where there can be none. */
final class DockerEngine {
  private DockerEngine() {}

  static boolean answers() {
    return mayBeThere() && DockerClickHouse.isAvailable();
  }

  /** Spares machines without a Docker engine the slow and noisy search for one. */
  private static boolean mayBeThere() {
    String home = System.getProperty("user.home");
    return System.getenv("DOCKER_HOST") != null
        || Stream.of(
                "/var/run/docker.sock",
                System.getenv("XDG_RUNTIME_DIR") + "/docker.sock",
                home + "/.docker/run/docker.sock",
                home + "/.docker/desktop/docker.sock",
                home + "/.testcontainers.properties")
            .anyMatch(file -> Files.exists(Path.of(file)));
  }
}
