package dev.statectl.clickhouse.engine;

import com.github.dockerjava.api.DockerClient;
import org.testcontainers.containers.GenericContainer;

/** One server of a {@link ClickHouseCluster}, which can be taken away and brought back. */
public final class ClusterNode {
  private final GenericContainer<?> container;

  ClusterNode(GenericContainer<?> container) {
    this.container = container;
  }

  /**
   * Lets no thread of the server run any more. Its connections stay open and say nothing, as when a
   * machine hangs; after some seconds its session with Keeper ends.
   */
  public void freeze() {
    docker().pauseContainerCmd(id()).exec();
  }

  /** Lets a frozen server run on. Its port stays the same. */
  public void thaw() {
    docker().unpauseContainerCmd(id()).exec();
  }

  /** Ends the server in an orderly way; others can no longer connect to it. Its data stay. */
  public void stop() {
    docker().stopContainerCmd(id()).exec();
  }

  /** Starts a stopped server on its data. Its port as the host sees it may be another one. */
  public void start() {
    docker().startContainerCmd(id()).exec();
  }

  private String id() {
    return container.getContainerId();
  }

  private DockerClient docker() {
    return container.getDockerClient();
  }
}
