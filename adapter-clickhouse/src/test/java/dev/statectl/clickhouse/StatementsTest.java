package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.json.JsonObject;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.state.StateVersion;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What reaches the server, word for word. */
class StatementsTest {
  private static final String STATE_COLUMNS =
      """
      SELECT
          state_id,
          isValidUTF8(state_id) AS state_id_is_text,
          completed_state,
          ifNull(isValidUTF8(completed_state), 1) AS completed_state_is_text,
          partial_state,
          ifNull(isValidUTF8(partial_state), 1) AS partial_state_is_text,
          toUnixTimestamp64Milli(updated_at) AS version
      """;

  private final String schema = TestClickHouse.shared().freshSchema();
  private final String table = "\"" + schema + "\".\"state\"";
  private final Relay relay = Relay.to(TestClickHouse.shared().endpoint());
  private final ClickHouseBackend backend =
      ClickHouseBackend.open(TestStores.settings(relay.endpoint(), schema));
  private final StateStore store = backend.states();

  @BeforeEach
  void storeAState() {
    TestStores.createPluginTables(schema);
    TestStores.plant(schema, "'a'", "'{}'", "NULL", 1);
  }

  @AfterEach
  void close() {
    backend.close();
    relay.close();
  }

  @Test
  void find() {
    store.find(StateId.of("it's"));
    assertThat(relay.statements())
        .containsExactly(
            STATE_COLUMNS
                + """
                FROM %s FINAL
                PREWHERE state_id = 'it\\'s'
                """
                    .formatted(table));
  }

  @Test
  void save() {
    // Past every clock, so that the version is known.
    Instant stored = Instant.parse("2250-01-01T00:00:00.000Z");
    TestStores.plant(schema, "'a'", "'{}'", "NULL", stored.toEpochMilli());
    store.save(TestStores.state("a", "{\"n\": \"it's\"}"));
    assertThat(relay.statements())
        .containsExactly(
            """
            SELECT
                count() AS versions,
                toUnixTimestamp64Milli(max(updated_at)) AS newest,
                toUnixTimestamp64Milli(now64(3)) AS clock
            FROM %s
            WHERE state_id = 'a'
            """
                .formatted(table),
            """
            INSERT INTO %s (state_id, partial_state, completed_state, updated_at)
            SETTINGS async_insert = 0, input_format_values_interpret_expressions = 1
            VALUES ('a', NULL, '{"n": "it\\'s"}', fromUnixTimestamp64Milli(%d))
            """
                .formatted(table, stored.toEpochMilli() + 1));
  }

  @Test
  void saveMany() {
    Instant stored = Instant.parse("2250-01-01T00:00:00.000Z");
    TestStores.plant(schema, "'a'", "'{}'", "NULL", stored.toEpochMilli());
    TestStores.plant(schema, "'b'", "'{}'", "NULL", StateVersion.LAST.updatedAt().toEpochMilli());
    store.saveAll(
        List.of(
            TestStores.state("a", "{}"),
            State.of(StateId.of("b"), JsonObject.EMPTY, JsonObject.parse("{\"n\":1}"))));
    assertThat(relay.statements())
        .containsExactly(
            """
            SELECT
                state_id,
                toUnixTimestamp64Milli(max(updated_at)) AS newest
            FROM %s
            WHERE state_id IN ('a','b')
            GROUP BY state_id
            """
                .formatted(table),
            """
            SELECT toUnixTimestamp64Milli(now64(3)) AS clock
            """,
            """
            INSERT INTO %s (state_id, partial_state, completed_state, updated_at)
            SETTINGS
                async_insert = 0,
                date_time_input_format = 'basic',
                format_tsv_null_representation = '\\\\N',
                input_format_tsv_skip_first_lines = 0
            FORMAT TabSeparated
            a\t\\N\t\\N\t%s.001
            b\t{"n":1}\t\\N\t%s.999
            """
                .formatted(
                    table,
                    stored.getEpochSecond(),
                    StateVersion.LAST.updatedAt().getEpochSecond()));
  }

  @Test
  void delete() {
    String newest =
        TestClickHouse.shared()
            .query(
                "SELECT toUnixTimestamp64Milli(max(updated_at)) FROM "
                    + schema
                    + ".state WHERE state_id = 'a'");

    store.delete(StateId.of("a"));
    assertThat(relay.statements())
        .containsExactly(
            """
            SELECT count() AS versions, toUnixTimestamp64Milli(max(updated_at)) AS newest
            FROM %s
            WHERE state_id = 'a'
            """
                .formatted(table),
            """
            SELECT count() AS views
            FROM system.tables
            WHERE database = '%1$s' AND name = 'state'
                AND has(arrayZip(dependencies_database, dependencies_table), ('%1$s', 'state_history_view'))
            """
                .formatted(schema),
            """
            DELETE FROM %s
            WHERE state_id = 'a'
            SETTINGS lightweight_deletes_sync = 2
            """
                .formatted(table),
            """
            SELECT count() AS versions
            FROM %s
            WHERE state_id = 'a' AND updated_at <= fromUnixTimestamp64Milli(%s)
            """
                .formatted(table, newest));
  }

  @Test
  void deleteOfWhatIsNotThereOnlyLooks() {
    store.delete(StateId.of("b"));
    assertThat(relay.statements()).hasSize(1);
  }

  @Test
  void deleteAll() {
    store.deleteAll();
    assertThat(relay.statements())
        .containsExactly(
            """
            SELECT uniqExact(state_id) AS states
            FROM %s
            """
                .formatted(table),
            """
            SELECT count() AS views
            FROM system.tables
            WHERE database = '%1$s' AND name = 'state'
                AND has(arrayZip(dependencies_database, dependencies_table), ('%1$s', 'state_history_view'))
            """
                .formatted(schema),
            """
            TRUNCATE TABLE %s
            """
                .formatted(table));
  }

  @Test
  void listing() {
    TestStores.ids(store, "*:a");
    TestStores.ids(store, "dev:?%_'*");
    TestStores.ids(store, "dev:a");
    assertThat(relay.statements())
        .containsExactly(
            """
            SELECT DISTINCT state_id
            FROM %s
            ORDER BY state_id
            """
                .formatted(table),
            """
            SELECT DISTINCT state_id
            FROM %s
            WHERE startsWith(state_id, 'dev:')
            ORDER BY state_id
            """
                .formatted(table),
            """
            SELECT DISTINCT state_id
            FROM %s
            WHERE state_id = 'dev:a'
            """
                .formatted(table));
  }

  @Test
  void walking() {
    for (String glob : List.of("*", "dev:*", "dev:a")) {
      store.forEachState(StateIdGlob.of(glob), state -> {});
    }
    assertThat(relay.statements())
        .containsExactly(
            STATE_COLUMNS
                + """
                FROM %s FINAL
                ORDER BY state_id
                """
                    .formatted(table),
            STATE_COLUMNS
                + """
                FROM %s FINAL
                PREWHERE startsWith(state_id, 'dev:')
                ORDER BY state_id
                """
                    .formatted(table),
            STATE_COLUMNS
                + """
                FROM %s FINAL
                PREWHERE state_id = 'dev:a'
                """
                    .formatted(table));
  }

  @Test
  void aLongPrefixIsCut() {
    TestStores.ids(store, "😀".repeat(300_000) + "*");
    TestStores.ids(store, "😀".repeat(300_000));
    assertThat(relay.statements())
        .containsOnly(
            """
            SELECT DISTINCT state_id
            FROM %s
            WHERE startsWith(state_id, '%s')
            ORDER BY state_id
            """
                .formatted(table, "😀".repeat(1024)))
        .hasSize(2);
  }

  @Test
  void whatCannotBeStoredIsNotAskedFor() {
    assertThat(store.find(StateId.ofStored("\ud83d"))).isEmpty();
    assertThat(store.delete(StateId.ofStored("\ud83d"))).isFalse();
    assertThat(TestStores.ids(store, "\ud83d*")).isEmpty();
    store.forEachState(StateIdGlob.of("\ud83d"), state -> {});
    assertThat(relay.statements()).isEmpty();
  }

  @Test
  void aReadLooksForTheTableOnlyWhenItIsMissing() {
    TestClickHouse.shared().execute("DROP TABLE " + table);
    store.find(StateId.of("a"));
    assertThat(relay.statements()).hasSize(2);
    assertThat(relay.statements().get(1))
        .isEqualTo(
            """
            EXISTS TABLE %s
            """
                .formatted(table));
  }

  @Test
  void theFirstWriteLooksBeforeItCreates() {
    TestClickHouse.shared().execute("DROP DATABASE " + schema);
    store.save(TestStores.state("a", "{}"));
    assertThat(relay.statements().stream().map(sql -> sql.split("\n")[0]))
        .containsExactly(
            "SELECT",
            "EXISTS DATABASE \"" + schema + "\"",
            "CREATE DATABASE IF NOT EXISTS \"" + schema + "\"",
            "EXISTS TABLE \"" + schema + "\".\"state_lock\"",
            "CREATE TABLE IF NOT EXISTS \"" + schema + "\".\"state_lock\"",
            "EXISTS TABLE " + table,
            "CREATE TABLE IF NOT EXISTS " + table,
            "SELECT",
            "INSERT INTO " + table + " (state_id, partial_state, completed_state, updated_at)");
  }

  @Test
  void noRequestCarriesASetting() {
    store.find(StateId.of("a"));
    store.save(TestStores.state("a", "{}"));
    store.delete(StateId.of("a"));
    assertThat(relay.exchanges())
        .allSatisfy(
            exchange ->
                assertThat(exchange.requestLine())
                    .matches(
                        "POST /\\?(query_id=[-0-9a-f]{36}&)?compress=1&wait_end_of_query=1 HTTP/1.1"));
  }

  @Test
  void theServerIsToldWhoAsks() {
    store.find(StateId.of("a"));
    assertThat(relay.exchanges().get(0).head())
        .containsPattern("\r\nUser-Agent: statectl/[0-9][-.0-9A-Za-z]* jdbc-v2/")
        .contains(
            "\r\nX-ClickHouse-Database: " + TestClickHouse.shared().endpoint().database() + "\r\n");
  }

  @Test
  void oneConnectionServesOperationsInARow() {
    for (int i = 0; i < 20; i++) {
      store.find(StateId.of("a"));
    }
    assertThat(relay.connections()).isEqualTo(1);
  }
}
