package dev.statectl.clickhouse.engine;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.testcontainers.clickhouse.ClickHouseContainer;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;

/**
 * Two ClickHouse servers that are replicas of one shard, and one ClickHouse Keeper, in containers,
 * as the cluster {@value #NAME}. Shared by the tests of this JVM, started with the first that asks
 * for it and stopped when the JVM ends. The image is that of {@link TestClickHouse}.
 *
 * <p>Both servers have the same user who may do everything, who is {@link ClickHouseEndpoint}'s.
 * Thread-safe, but a test that takes a server away must bring it back.
 */
public final class ClickHouseCluster {
  /** The cluster's name in {@code system.clusters}. */
  public static final String NAME = "default";

  // The directory must not exist in the image: Keeper wants to run as the owner of its data.
  private static final String KEEPER =
      """
      <clickhouse>
        <logger><level>information</level><console>1</console></logger>
        <listen_host>0.0.0.0</listen_host>
        <keeper_server>
          <tcp_port>9181</tcp_port>
          <server_id>1</server_id>
          <log_storage_path>/keeper-data/log</log_storage_path>
          <snapshot_storage_path>/keeper-data/snapshots</snapshot_storage_path>
          <coordination_settings>
            <min_session_timeout_ms>1000</min_session_timeout_ms>
            <operation_timeout_ms>5000</operation_timeout_ms>
            <raft_logs_level>warning</raft_logs_level>
          </coordination_settings>
          <raft_configuration>
            <server><id>1</id><hostname>localhost</hostname><port>9234</port></server>
          </raft_configuration>
        </keeper_server>
      </clickhouse>
      """;

  private static final String REPLICA =
      """
      <clickhouse>
        <macros><shard>1</shard><replica>%1$s</replica></macros>
        <interserver_http_host>%1$s</interserver_http_host>
        <zookeeper>
          <node><host>keeper</host><port>9181</port></node>
          <session_timeout_ms>5000</session_timeout_ms>
          <operation_timeout_ms>5000</operation_timeout_ms>
        </zookeeper>
        <keeper_map_path_prefix>/keeper_map_tables</keeper_map_path_prefix>
        <distributed_ddl><path>/clickhouse/task_queue/ddl</path></distributed_ddl>
        <remote_servers replace="replace">
          <default>
            <secret>a secret that the replicas share</secret>
            <shard>
              <internal_replication>true</internal_replication>
              <replica><host>replica-1</host><port>9000</port></replica>
              <replica><host>replica-2</host><port>9000</port></replica>
            </shard>
          </default>
        </remote_servers>
      </clickhouse>
      """;

  // So that a statement ON CLUSTER of a test that hangs tells of it before the test's own deadline.
  private static final String PROFILE =
      """
      <clickhouse>
        <profiles>
          <default><distributed_ddl_task_timeout>60</distributed_ddl_task_timeout></default>
        </profiles>
      </clickhouse>
      """;

  private static @Nullable ClickHouseCluster shared;
  private static @Nullable RuntimeException failure;

  private final ClickHouseContainer first;
  private final ClickHouseContainer second;
  private final GenericContainer<?> keeper;

  private ClickHouseCluster(String image) {
    Network network = Network.newNetwork();
    keeper =
        new GenericContainer<>(image)
            .withNetwork(network)
            .withNetworkAliases("keeper")
            .withCopyToContainer(Transferable.of(KEEPER), "/etc/clickhouse-keeper/keeper.xml")
            .withCommand("clickhouse", "keeper", "--config-file=/etc/clickhouse-keeper/keeper.xml")
            .withExposedPorts(9181)
            .waitingFor(Wait.forListeningPort());
    first = replica(image, network, "replica-1");
    second = replica(image, network, "replica-2");
  }

  /**
   * Why this machine has no cluster.
   *
   * @return what is missing and how to get it, or nothing where a cluster can be started
   */
  public static Optional<String> obstacle() {
    return DockerEngine.answers()
        ? Optional.empty()
        : Optional.of(
            "no Docker engine answers; where one does, the two replicas and the Keeper of these"
                + " tests are started in it");
  }

  /**
   * The cluster of this JVM, started if this is the first call.
   *
   * @return always the same
   * @throws IllegalStateException if it cannot be started; later calls fail in the same way at once
   */
  public static synchronized ClickHouseCluster shared() {
    if (failure != null) {
      throw failure;
    }
    if (shared == null) {
      ClickHouseCluster cluster = new ClickHouseCluster(TestClickHouse.image());
      try {
        cluster.start();
      } catch (RuntimeException e) {
        failure = new IllegalStateException("No cluster for tests: " + e.getMessage(), e);
        throw failure;
      }
      shared = cluster;
    }
    return shared;
  }

  /**
   * Where one of the replicas listens, as the user who may do everything.
   *
   * @return its address, user, password and an existing database
   */
  public ClickHouseEndpoint first() {
    return endpoint(first);
  }

  /**
   * Where the other replica listens, as the user who may do everything.
   *
   * @return its address, user, password and an existing database
   */
  public ClickHouseEndpoint second() {
    return endpoint(second);
  }

  /**
   * The server behind {@link #second()}.
   *
   * @return the server, which the test thaws if it froze it
   */
  public ClusterNode secondNode() {
    return new ClusterNode(second);
  }

  /**
   * The Keeper of both replicas.
   *
   * @return the server, which the test starts if it stopped it
   */
  public ClusterNode keeper() {
    return new ClusterNode(keeper);
  }

  private void start() {
    TestClickHouse.atExit(
        () -> {
          for (GenericContainer<?> container : List.of(first, second, keeper)) {
            container.stop();
          }
          Objects.requireNonNull(keeper.getNetwork()).close();
          return null;
        });
    keeper.start();
    first.start();
    second.start();
    System.out.println(
        "ClickHouse cluster for tests: "
            + first().query("SELECT version()")
            + ", "
            + first()
            + " and "
            + second());
  }

  private static ClickHouseContainer replica(String image, Network network, String name) {
    return DockerClickHouse.container(image)
        .withNetwork(network)
        .withNetworkAliases(name)
        .withCopyToContainer(
            Transferable.of(REPLICA.formatted(name)), "/etc/clickhouse-server/config.d/cluster.xml")
        .withCopyToContainer(
            Transferable.of(PROFILE), "/etc/clickhouse-server/users.d/distributed-ddl.xml");
  }

  private static ClickHouseEndpoint endpoint(ClickHouseContainer container) {
    return DockerClickHouse.endpoint(container);
  }
}
