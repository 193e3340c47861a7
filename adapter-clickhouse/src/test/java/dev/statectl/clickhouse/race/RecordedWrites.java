package dev.statectl.clickhouse.race;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import java.util.List;

/** Every write that ever reached a state table, also those that a merge has removed since. */
record RecordedWrites(ClickHouseEndpoint endpoint, String schema) {

  /** Begins to record: a materialized view sees each insert, whoever makes it. */
  void begin() {
    endpoint.execute(
        "CREATE TABLE `"
            + schema
            + "`.`writes` (state_id String, completed_state Nullable(String),"
            + " updated_at DateTime64(3)) ENGINE = MergeTree ORDER BY updated_at",
        "CREATE MATERIALIZED VIEW `"
            + schema
            + "`.`recorder` TO `"
            + schema
            + "`.`writes` AS SELECT state_id, completed_state, updated_at FROM `"
            + schema
            + "`.`state`");
  }

  /** The completed halves that were written for an id, the oldest version first. */
  List<String> of(String id) {
    return endpoint
        .query(
            "SELECT completed_state FROM `"
                + schema
                + "`.`writes` WHERE state_id = '"
                + id
                + "' ORDER BY updated_at FORMAT TSVRaw")
        .lines()
        .toList();
  }
}
