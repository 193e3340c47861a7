package dev.statectl.clickhouse;

import dev.statectl.port.StateFailure;
import java.time.Duration;
import java.util.Map;

/** Runs statements that make or drop something, where the topology has it made. Thread-safe. */
final class Definitions {
  private final ClickHouseConnection connection;
  private final Topology topology;
  private final Duration requestTimeout;

  Definitions(ClickHouseConnection connection, Topology topology, Duration requestTimeout) {
    this.connection = connection;
    this.topology = topology;
    this.requestTimeout = requestTimeout;
  }

  /** Fails if {@link #run} could not even begin, so that of several statements none is run. */
  void require(String sql) {
    topology.placement(sql);
  }

  /** Runs a statement with the placeholders of a {@link Placement}. */
  void run(Operation operation, String sql) {
    Placement placement = topology.placement(sql);
    run(operation, placement.in(sql), placement);
  }

  private void run(Operation operation, String sql, Placement placement) {
    try {
      connection.write(operation, sql, Map.of(), settings(placement, requestTimeout));
    } catch (StateFailure.Denied e) {
      if (placement.cluster().isEmpty()) {
        throw e;
      }
      throw new StateFailure.Denied(
          e.getMessage() + "; statements for a whole cluster need GRANT CLUSTER ON *.*, too",
          e.getCause());
    }
  }

  /**
   * Settings of a request that changes a definition on several servers. A server that is down does
   * not hold it up: it makes up for it when it is back.
   *
   * @see <a
   *     href="https://clickhouse.com/docs/operations/settings/settings#distributed_ddl_output_mode">distributed_ddl_output_mode</a>
   */
  static Map<String, String> settings(Placement placement, Duration requestTimeout) {
    return placement.equals(Placement.PLAIN)
        ? Map.of()
        : Map.of(
            "distributed_ddl_output_mode",
            "null_status_on_timeout",
            "distributed_ddl_task_timeout",
            String.valueOf(Math.max(1, requestTimeout.toSeconds() / 2)));
  }
}
