package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.lock.LockId;
import dev.statectl.state.StateId;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Replicated tables drop an insert that repeats an earlier one; so do these, by their window. Each
 * insert is made again with the same content, as it is by whoever stores again what was stored
 * before, once the first one is gone or replaced: a repetition that was dropped would not show.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeduplicationTest {
  private static final List<String> TABLES = List.of("state", "state_lock", "state_history");
  private static final String LOCK = "00000000-0000-7000-8000-00000000000";

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final ClickHouseSettings settings = TestStores.settings(clickHouse.endpoint(), schema);
  private final TableNames names = TableNames.of(settings);
  private final ClickHouseErrors errors = new ClickHouseErrors(settings, names);
  private final ClickHouseConnection connection =
      ClickHouseConnection.open(settings, names, errors, Backoff.ofMachine());
  private final Map<String, Runnable> uses =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("StateTableSql.INSERT", () -> saves(StateTableSql.INSERT)),
              Map.entry("StateTableSql.INSERT_ROWS", this::savesMany),
              Map.entry("StateTableSql.INSERT_IF_HELD", () -> saves(StateTableSql.INSERT_IF_HELD)),
              Map.entry(
                  "StateTableSql.INSERT_IF_HELD_PLUGIN",
                  () -> saves(StateTableSql.INSERT_IF_HELD_PLUGIN)),
              Map.entry(
                  "StateTableSql.INSERT_IF_HELD_AND_NEWER",
                  () -> saves(StateTableSql.INSERT_IF_HELD_AND_NEWER)),
              Map.entry(
                  "StateTableSql.INSERT_IF_HELD_AND_NEWER_PLUGIN",
                  () -> saves(StateTableSql.INSERT_IF_HELD_AND_NEWER_PLUGIN)),
              Map.entry("LockTableSql.ANNOUNCE", () -> announces(LockTableSql.ANNOUNCE)),
              Map.entry(
                  "LockTableSql.ANNOUNCE_PLUGIN", () -> announces(LockTableSql.ANNOUNCE_PLUGIN)),
              Map.entry(
                  "LockTableSql.ANNOUNCE_ROWS", () -> announcesMany(LockTableSql.ANNOUNCE_ROWS)),
              Map.entry(
                  "LockTableSql.ANNOUNCE_ROWS_PLUGIN",
                  () -> announcesMany(LockTableSql.ANNOUNCE_ROWS_PLUGIN)),
              Map.entry("LockTableSql.RENEW", () -> renews(LockTableSql.RENEW)),
              Map.entry("LockTableSql.RENEW_PLUGIN", () -> renews(LockTableSql.RENEW_PLUGIN)),
              Map.entry("LockTableSql.RENEW_ALL", () -> renews(LockTableSql.RENEW_ALL)),
              Map.entry(
                  "LockTableSql.RENEW_ALL_PLUGIN", () -> renews(LockTableSql.RENEW_ALL_PLUGIN)),
              Map.entry("LockTableSql.RELEASE", () -> releases(LockTableSql.RELEASE, 0)),
              Map.entry(
                  "LockTableSql.RELEASE_THESE", () -> releases(LockTableSql.RELEASE_THESE, 0)),
              Map.entry(
                  "LockTableSql.RELEASE_UNSEEN", () -> releases(LockTableSql.RELEASE_UNSEEN, 0)),
              Map.entry(
                  "LockTableSql.RELEASE_STALE", () -> releases(LockTableSql.RELEASE_STALE, 250)),
              Map.entry(
                  "LockTableSql.RELEASE_STALE_ALL",
                  () -> releases(LockTableSql.RELEASE_STALE_ALL, 250)),
              Map.entry("HistorySql.FILL", () -> fills(HistorySql.FILL)),
              Map.entry("HistorySql.FILL_ONE", () -> fills(HistorySql.FILL_ONE)),
              Map.entry("HistorySql.RECORD_REMOVALS", () -> records(HistorySql.RECORD_REMOVALS)),
              Map.entry("HistorySql.RECORD_REMOVAL", () -> records(HistorySql.RECORD_REMOVAL))));

  static List<String> inserts() throws Exception {
    List<String> inserts = new ArrayList<>();
    for (Class<?> type : statementClasses()) {
      for (Field field : type.getDeclaredFields()) {
        field.setAccessible(true);
        if (field.getType() == String.class
            && ((String) field.get(null)).strip().startsWith("INSERT")
            && isOfTableWithWindow((String) field.get(null))) {
          inserts.add(type.getSimpleName() + "." + field.getName());
        }
      }
    }
    return inserts;
  }

  // A KeeperMap has one row a key, and no parts of which one could be like another.
  private static boolean isOfTableWithWindow(String sql) {
    return !sql.strip().startsWith("INSERT INTO <claim_table>");
  }

  /** The classes that hold the product's statements. */
  static List<Class<?>> statementClasses()
      throws URISyntaxException, IOException, ClassNotFoundException {
    Path classes =
        Path.of(StateTableSql.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> simple;
    try (Stream<Path> files = Files.list(classes.resolve("dev/statectl/clickhouse"))) {
      simple =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith("Sql.class"))
              .sorted()
              .toList();
    }
    assertThat(simple).contains("StateTableSql.class", "LockTableSql.class", "HistorySql.class");
    List<Class<?>> types = new ArrayList<>();
    for (String name : simple) {
      types.add(Class.forName("dev.statectl.clickhouse." + name.replace(".class", "")));
    }
    return types;
  }

  @BeforeAll
  void makeTables() {
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      backend.states().save(TestStores.state("x", "{}"));
      backend.locks().announce(StateId.of("x"), lockId(9), "me");
      backend.history().enable(Duration.ofDays(1));
    }
    clickHouse.execute("DROP VIEW " + schema + ".state_history_view");
    for (String table : TABLES) {
      clickHouse.execute(
          "ALTER TABLE "
              + schema
              + "."
              + table
              + " MODIFY SETTING non_replicated_deduplication_window = 1000");
    }
  }

  @BeforeEach
  void emptyTables() {
    TABLES.forEach(table -> clickHouse.execute("TRUNCATE TABLE " + schema + "." + table));
  }

  @AfterAll
  void close() {
    connection.close();
  }

  @Test
  void noInsertIsLeftOut() throws Exception {
    assertThat(inserts()).containsExactlyInAnyOrderElementsOf(uses.keySet());
  }

  @ParameterizedTest
  @MethodSource("inserts")
  void whatIsInsertedAgainShows(String insert) {
    assertThat(uses).containsKey(insert);
    uses.get(insert).run();
  }

  @Test
  void theseTablesDropARepetition() {
    String insert =
        "INSERT INTO "
            + schema
            + ".state (state_id, completed_state, updated_at) SETTINGS async_insert = 0 VALUES"
            + " ('a', '{}', toDateTime64('2026-01-01 00:00:00', 3))";
    clickHouse.execute(insert, "DELETE FROM " + schema + ".state WHERE state_id = 'a'", insert);
    assertThat(count("state")).isZero();
  }

  private void saves(String sql) {
    plantLock(1, 0);
    for (int version = 1; version <= 3; version++) {
      plantRowOfBefore(sql);
      write(sql, state(version == 2 ? "{\"n\":2}" : "{\"n\":1}", version));
    }
    assertThat(
            clickHouse.query(
                "SELECT completed_state FROM "
                    + schema
                    + ".state FINAL WHERE state_id = 'a' FORMAT TSVRaw"))
        .isEqualTo("{\"n\":1}");
    clickHouse.execute("DELETE FROM " + schema + ".state WHERE state_id = 'a'");
    plantRowOfBefore(sql);
    write(sql, state("{\"n\":1}", 4));
    assertThat(
            clickHouse.query(
                "SELECT completed_state FROM "
                    + schema
                    + ".state FINAL WHERE state_id = 'a' FORMAT TSVRaw"))
        .isEqualTo("{\"n\":1}");
  }

  private void savesMany() {
    for (int version = 1; version <= 3; version++) {
      saveMany(version == 2 ? "{\"n\":2}" : "{\"n\":1}", version);
    }
    String stored =
        "SELECT completed_state FROM " + schema + ".state FINAL ORDER BY state_id FORMAT TSVRaw";
    assertThat(clickHouse.query(stored)).isEqualTo("{\"n\":1}\n{\"n\":1}");
    clickHouse.execute("DELETE FROM " + schema + ".state WHERE 1");
    saveMany("{\"n\":1}", 4);
    assertThat(clickHouse.query(stored)).isEqualTo("{\"n\":1}\n{\"n\":1}");
  }

  private void saveMany(String completed, int version) {
    Instant time = Instant.ofEpochMilli(1_800_000_000_000L + version);
    connection.insert(
        Operation.SAVE,
        StateTableSql.INSERT_ROWS,
        Map.of(),
        rows -> {
          rows.text("a").text(null).text(completed).time(time).end();
          rows.text("b").text(null).text(completed).time(time).end();
        });
  }

  private void announces(String sql) {
    for (int candidate = 1; candidate <= 2; candidate++) {
      write(sql, lock(candidate));
      assertThat(count("state_lock")).isEqualTo(1);
      clickHouse.execute("DELETE FROM " + schema + ".state_lock WHERE state_id = 'a'");
    }
  }

  private void announcesMany(String sql) {
    boolean allColumns = sql.contains("candidate");
    for (int candidate = 1; candidate <= 2; candidate++) {
      String id = LOCK + candidate;
      connection.insert(
          Operation.ANNOUNCE,
          sql,
          Map.of(),
          rows -> {
            for (String state : List.of("a", "b")) {
              rows.text(state).text(id);
              if (allColumns) {
                rows.text(id).text("me").text("0");
              }
              rows.end();
            }
          });
      assertThat(count("state_lock")).isEqualTo(2);
      clickHouse.execute("DELETE FROM " + schema + ".state_lock WHERE 1");
    }
  }

  /** Also in one second, in which a renewal has the content of an earlier one: its row is there. */
  private void renews(String sql) {
    plantLock(1, 250);
    for (int i = 0; i < 3; i++) {
      write(sql, lock(1));
      assertThat(age(1)).isLessThan(200);
    }
    clickHouse.execute("DELETE FROM " + schema + ".state_lock WHERE state_id = 'a'");
    plantLock(2, 250);
    write(sql, lock(2));
    assertThat(age(2)).isLessThan(200);
  }

  private void releases(String sql, int age) {
    for (int candidate = 1; candidate <= 2; candidate++) {
      plantLock(candidate, age);
      Map<String, @Nullable Object> values = lock(candidate);
      values.put("stale", 200);
      write(sql, values);
      write(sql, values);
      assertThat(
              clickHouse.query(
                  "SELECT max(released) FROM "
                      + schema
                      + ".state_lock WHERE lock_id = '"
                      + LOCK
                      + candidate
                      + "'"))
          .isEqualTo("1");
    }
  }

  private void fills(String sql) {
    write(StateTableSql.INSERT, state("{\"n\":1}", 1));
    for (int i = 0; i < 2; i++) {
      write(sql, Map.of("state_id", "a"));
      assertThat(count("state_history")).isEqualTo(1);
      // As it does by the table's TTL.
      clickHouse.execute("DELETE FROM " + schema + ".state_history WHERE 1");
    }
  }

  private void records(String sql) {
    for (int removal = 1; removal <= 3; removal++) {
      write(StateTableSql.INSERT, state("{\"n\":1}", 1 - removal));
      write(HistorySql.FILL, Map.of());
      clickHouse.execute("DELETE FROM " + schema + ".state WHERE state_id = 'a'");
      write(sql, Map.of("state_id", "a", "author", "me"));
      assertThat(
              clickHouse.query(
                  "SELECT count() FROM " + schema + ".state_history WHERE deleted = 1"))
          .isEqualTo("1");
      clickHouse.execute("DELETE FROM " + schema + ".state_history WHERE 1");
    }
  }

  /** A checkpoint asks for an older row, and writes nothing where there is none. */
  private void plantRowOfBefore(String sql) {
    if (sql.contains("SELECT max(updated_at)") && count("state") == 0) {
      clickHouse.execute(
          "INSERT INTO "
              + schema
              + ".state (state_id, completed_state, updated_at) SETTINGS async_insert = 0 SELECT"
              + " 'a', '{}', toDateTime64('2000-01-01 00:00:00', 3) + rand() % 1000000");
    }
  }

  private void plantLock(int candidate, int age) {
    String id = LOCK + candidate;
    clickHouse.execute(
        "INSERT INTO "
            + schema
            + ".state_lock (state_id, lock_id, locked_at, candidate, holder) SETTINGS async_insert ="
            + " 0 VALUES ('a', '"
            + id
            + "', now() - "
            + age
            + ", '"
            + id
            + "', 'me')");
  }

  private long age(int candidate) {
    return Long.parseLong(
        clickHouse.query(
            "SELECT dateDiff('second', max(locked_at), now()) FROM "
                + schema
                + ".state_lock WHERE lock_id = '"
                + LOCK
                + candidate
                + "'"));
  }

  private long count(String table) {
    return Long.parseLong(
        clickHouse.query("SELECT count() FROM " + schema + "." + table + " WHERE 1"));
  }

  private void write(String sql, Map<String, ? extends @Nullable Object> values) {
    connection.write(Operation.SAVE, sql, values, Map.of());
  }

  private static Map<String, @Nullable Object> state(String completed, int version) {
    Map<String, @Nullable Object> values = lock(1);
    values.put("partial_state", null);
    values.put("completed_state", completed);
    values.put("version", 1_800_000_000_000L + version);
    return values;
  }

  private static Map<String, @Nullable Object> lock(int candidate) {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("state_id", "a");
    values.put("state_ids", List.of("a"));
    values.put("lock", "a");
    values.put("lock_id", LOCK + candidate);
    values.put("holder", "me");
    values.put("newest", 0);
    values.put("stale", 300);
    return values;
  }

  private static LockId lockId(int candidate) {
    return new LockId(LOCK + candidate);
  }
}
