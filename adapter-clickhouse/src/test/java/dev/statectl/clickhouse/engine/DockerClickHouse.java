package dev.statectl.clickhouse.engine;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.clickhouse.ClickHouseContainer;

/** A ClickHouse server in a container. Loaded only where there may be a Docker engine. */
final class DockerClickHouse implements AutoCloseable {
  private final ClickHouseContainer container;

  private DockerClickHouse(ClickHouseContainer container) {
    this.container = container;
  }

  static boolean isAvailable() {
    return DockerClientFactory.instance().isDockerAvailable();
  }

  static DockerClickHouse start(String image) {
    ClickHouseContainer container = container(image);
    container.start();
    return new DockerClickHouse(container);
  }

  /** A server that is not started yet, with the user who may do everything. */
  static ClickHouseContainer container(String image) {
    return new ClickHouseContainer(image)
        .withUsername(LocalClickHouse.USER)
        .withPassword(LocalClickHouse.PASSWORD)
        .withDatabaseName(LocalClickHouse.DATABASE)
        // Lets that user create the users with fewer rights.
        .withEnv("CLICKHOUSE_DEFAULT_ACCESS_MANAGEMENT", "1");
  }

  ClickHouseEndpoint endpoint() {
    return endpoint(container);
  }

  static ClickHouseEndpoint endpoint(ClickHouseContainer container) {
    return new ClickHouseEndpoint(
        container.getHost(),
        container.getMappedPort(8123),
        false,
        LocalClickHouse.USER,
        LocalClickHouse.PASSWORD,
        LocalClickHouse.DATABASE);
  }

  @Override
  public void close() {
    container.stop();
  }
}
