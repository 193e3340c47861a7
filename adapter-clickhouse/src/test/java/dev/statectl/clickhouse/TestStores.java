package dev.statectl.clickhouse;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.contract.RawLock;
import dev.statectl.contract.RawRow;
import dev.statectl.json.JsonObject;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What several tests need: backends on the engine for tests, and the tables as others make them.
 */
final class TestStores {
  /** The state table as the Meltano plugin for ClickHouse makes it. */
  static final String PLUGIN_STATE_TABLE =
      """
      CREATE TABLE IF NOT EXISTS `%1$s`.`state` (
          state_id String,
          partial_state Nullable(String),
          completed_state Nullable(String),
          updated_at DateTime64(3) DEFAULT now64(3)
      ) ENGINE = ReplacingMergeTree(updated_at) ORDER BY state_id
      """;

  /** The lock table as the Meltano plugin for ClickHouse makes it. */
  static final String PLUGIN_LOCK_TABLE =
      """
      CREATE TABLE IF NOT EXISTS `%1$s`.`state_lock` (
          state_id String,
          lock_id String,
          locked_at DateTime DEFAULT now()
      ) ENGINE = ReplacingMergeTree(locked_at) ORDER BY state_id
      TTL locked_at + INTERVAL 300 SECOND
      """;

  private TestStores() {}

  static ClickHouseBackend open(String schema) {
    return ClickHouseBackend.open(settings(TestClickHouse.shared().endpoint(), schema));
  }

  static ClickHouseBackend open(String schema, LockPeers peers) {
    return ClickHouseBackend.open(settings(TestClickHouse.shared().endpoint(), schema), peers);
  }

  static ClickHouseSettings settings(ClickHouseEndpoint endpoint, String schema) {
    return settings(endpoint, schema, "state");
  }

  static ClickHouseSettings settings(ClickHouseEndpoint endpoint, String schema, String table) {
    return new ClickHouseSettings(
        endpoint.host(),
        endpoint.port(),
        endpoint.secure(),
        endpoint.database(),
        endpoint.user(),
        endpoint.password(),
        schema,
        table,
        Duration.ofSeconds(10),
        Duration.ofSeconds(60));
  }

  /** Makes our tables. */
  static void createTables(ClickHouseConnection connection, ClickHouseSettings settings) {
    TableNames names = TableNames.of(settings);
    ClickHouseErrors errors = new ClickHouseErrors(settings, names);
    Topology topology = new Topology(connection, errors, settings, names);
    new Tables(connection, errors, new Definitions(connection, topology, settings.requestTimeout()))
        .create();
  }

  /** Makes the tables of the plugin in a schema that does not exist yet. */
  static void createPluginTables(String schema) {
    TestClickHouse.shared()
        .execute(
            "CREATE DATABASE IF NOT EXISTS `" + schema + "`",
            PLUGIN_STATE_TABLE.formatted(schema),
            PLUGIN_LOCK_TABLE.formatted(schema));
  }

  static void plantRow(String schema, RawRow row) {
    createPluginTables(schema);
    plant(
        schema,
        literal(row.id()),
        literal(row.completed()),
        literal(row.partial()),
        row.version().updatedAt().toEpochMilli());
  }

  /** Inserts a row of SQL expressions. */
  static void plant(String schema, String id, String completed, String partial, long millis) {
    TestClickHouse.shared()
        .execute(
            "INSERT INTO `"
                + schema
                + "`.`state` (state_id, completed_state, partial_state, updated_at)"
                + " SETTINGS async_insert = 0 VALUES ("
                + String.join(", ", id, completed, partial)
                + ", fromUnixTimestamp64Milli("
                + millis
                + "))");
  }

  /** Inserts a row, as the plugin would, into our lock table, in a schema that may not exist. */
  static void plantLock(String schema, RawLock row) {
    plantLock(TestClickHouse.shared().endpoint(), schema, row);
  }

  static void plantLock(ClickHouseEndpoint endpoint, String schema, RawLock row) {
    endpoint.execute(
        "CREATE DATABASE IF NOT EXISTS `" + schema + "`",
        Placement.PLAIN.in(LockTableSql.CREATE).replace("<lock_table>", schema + ".state_lock"),
        "INSERT INTO "
            + schema
            + ".state_lock (state_id, lock_id, locked_at, holder)"
            + " SETTINGS async_insert = 0 VALUES ("
            + String.join(
                ", ",
                literal(row.id()),
                literal(row.lockId()),
                "now() - " + row.ageSeconds(),
                literal(row.holder()))
            + ")");
  }

  static State state(String id, String completed) {
    return State.of(StateId.of(id), JsonObject.parse(completed), JsonObject.EMPTY);
  }

  static String completedOf(StateStore store, String id) {
    return store.find(StateId.of(id)).orElseThrow().completed().text();
  }

  static List<String> ids(StateStore store, String glob) {
    List<String> ids = new ArrayList<>();
    store.forEachId(StateIdGlob.of(glob), id -> ids.add(id.text()));
    return ids;
  }

  static String literal(@Nullable String text) {
    return text == null ? "NULL" : "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
