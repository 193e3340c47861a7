package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.contract.RawLock;
import dev.statectl.lock.Fence;
import dev.statectl.lock.LockId;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What reaches the server for locks, word for word. */
class LockStatementsTest {
  private static final LockId LOCK_ID = LockId.of(Instant.parse("2026-01-02T03:04:05Z"), 6);
  private static final StateId ID = StateId.of("it's");
  private static final Set<StateId> MANY = new TreeSet<>(Set.of(ID, StateId.of("b")));
  private static final Duration STALE = Duration.ofSeconds(300);

  private final String schema = TestClickHouse.shared().freshSchema();
  private final String table = "\"" + schema + "\".\"state_lock\"";
  private final String states = "\"" + schema + "\".\"state\"";
  private final Relay relay = Relay.to(TestClickHouse.shared().endpoint());
  private final ClickHouseBackend backend = open(LockPeers.PLUGIN);
  private final ClickHouseBackend alone = open(LockPeers.NONE);

  @BeforeEach
  void prepareTheTables() {
    TestStores.plantLock(schema, new RawLock("stale", "s", "", 200));
    for (ClickHouseBackend each : List.of(backend, alone)) {
      each.locks().claim(StateId.of("x"), LOCK_ID, "", STALE);
      each.locks().announce(StateId.of("x"), LOCK_ID, "");
      each.states().save(TestStores.state("x", "{}"));
    }
    relay.clear();
  }

  @AfterEach
  void close() {
    backend.close();
    alone.close();
    relay.close();
  }

  @Test
  void announcing() {
    backend.locks().announce(ID, LOCK_ID, "me");
    assertThat(relay.statements())
        .containsExactly(
            """
            INSERT INTO %s (state_id, lock_id, locked_at, candidate, holder, released)
            SETTINGS async_insert = 0, input_format_values_interpret_expressions = 1
            VALUES ('it\\'s', '%2$s', now(), '%2$s', 'me', 0)
            """
                .formatted(table, LOCK_ID));
  }

  @Test
  void looking() {
    backend.locks().look(ID);
    assertThat(relay.statements()).containsExactly(look("it\\'s"));
  }

  @Test
  void renewing() {
    backend.locks().renew(ID, LOCK_ID, STALE);
    assertThat(relay.statements())
        .containsExactly(
            """
            INSERT INTO %1$s (state_id, lock_id, locked_at, candidate, holder, released)
            SETTINGS async_insert = 0
            SELECT state_id, lock_id, now(), candidate, argMax(holder, locked_at), 0
            FROM %1$s
            WHERE state_id = 'it\\'s' AND lock_id = '%2$s'
            GROUP BY state_id, lock_id, candidate
            HAVING max(released) = 0 AND max(locked_at) >= now() - toIntervalSecond(300)
            """
                .formatted(table, LOCK_ID),
            held());
  }

  @Test
  void withdrawing() {
    backend.locks().announce(ID, LOCK_ID, "me");
    relay.clear();
    backend.locks().withdraw(ID, LOCK_ID);
    assertThat(relay.statements())
        .containsExactly(
            look("it\\'s"),
            """
            DELETE FROM %s
            WHERE state_id = 'it\\'s' AND lock_id = '%s'
            SETTINGS lightweight_deletes_sync = 2
            """
                .formatted(table, LOCK_ID),
            look("it\\'s"));
  }

  @Test
  void withdrawingWhatIsNotThereOnlyLooks() {
    backend.locks().withdraw(ID, LOCK_ID);
    assertThat(relay.statements()).containsExactly(look("it\\'s"));
  }

  @Test
  void announcingManyIsOneStatement() {
    backend.locks().announceAll(MANY, LOCK_ID, "me");
    assertThat(relay.statements())
        .containsExactly(
            """
            INSERT INTO %s (state_id, lock_id, candidate, holder, released)
            SETTINGS
                async_insert = 0,
                input_format_defaults_for_omitted_fields = 1,
                input_format_tsv_skip_first_lines = 0
            FORMAT TabSeparated
            b\t%2$s\t%2$s\tme\t0
            it's\t%2$s\t%2$s\tme\t0
            """
                .formatted(table, LOCK_ID));
  }

  @Test
  void lookingAtManyIsOneStatement() {
    backend.locks().lookAll(MANY, LOCK_ID);
    assertThat(relay.statements())
        .containsExactly(
            look("")
                .replace(
                    "state_id = ''",
                    "state_id IN (SELECT state_id FROM %s WHERE lock_id = '%s')"
                        .formatted(table, LOCK_ID)));
  }

  @Test
  void renewingManyIsTwoStatements() {
    backend.locks().renewAll(MANY, LOCK_ID, STALE);
    assertThat(relay.statements())
        .containsExactly(
            """
            INSERT INTO %1$s (state_id, lock_id, locked_at, candidate, holder, released)
            SETTINGS async_insert = 0
            SELECT state_id, lock_id, now(), candidate, argMax(holder, locked_at), 0
            FROM %1$s
            WHERE state_id IN ('b','it\\'s') AND lock_id = '%2$s'
            GROUP BY state_id, lock_id, candidate
            HAVING max(released) = 0 AND max(locked_at) >= now() - toIntervalSecond(300)
            """
                .formatted(table, LOCK_ID),
            """
            SELECT state_id
            FROM %s
            WHERE lock_id = '%s'
            GROUP BY state_id
            HAVING max(released) = 0 AND max(locked_at) >= now() - toIntervalSecond(300)
            """
                .formatted(table, LOCK_ID));
  }

  @Test
  void withdrawingManyIsOneStatement() {
    backend.locks().withdraw(StateId.of("x"), LOCK_ID);
    backend.locks().announceAll(MANY, LOCK_ID, "me");
    relay.clear();
    assertThat(backend.locks().withdrawAll(MANY, LOCK_ID)).isEqualTo(MANY);
    assertThat(relay.statements())
        .containsExactly(
            locksOf(),
            """
            DELETE FROM %s
            WHERE lock_id = '%s'
            SETTINGS lightweight_deletes_sync = 2
            """
                .formatted(table, LOCK_ID),
            locksOf());
  }

  @Test
  void withdrawingSomeOfManyNamesThem() {
    backend.locks().announceAll(MANY, LOCK_ID, "me");
    relay.clear();
    assertThat(backend.locks().withdrawAll(MANY, LOCK_ID)).isEqualTo(MANY);
    assertThat(relay.statements())
        .containsExactly(
            locksOf(),
            """
            DELETE FROM %s
            WHERE state_id IN ('b','it\\'s') AND lock_id = '%s'
            SETTINGS lightweight_deletes_sync = 2
            """
                .formatted(table, LOCK_ID),
            locksOf());
    assertThat(backend.locks().look(StateId.of("x"))).hasSize(1);
  }

  @Test
  void withdrawingManyWhereThePluginNeverComes() {
    Set<StateId> asked = new TreeSet<>(MANY);
    asked.add(StateId.of("gone"));
    alone.locks().announceAll(MANY, LOCK_ID, "me");
    relay.clear();
    assertThat(alone.locks().withdrawAll(asked, LOCK_ID)).isEqualTo(MANY);
    assertThat(relay.statements())
        .containsExactly(
            locksOf(),
            """
            INSERT INTO %1$s (state_id, lock_id, locked_at, candidate, holder, released)
            SETTINGS async_insert = 0
            SELECT state_id, lock_id, greatest(now(), max(locked_at)) + toIntervalSecond(60), candidate,
                '', 1
            FROM %1$s
            WHERE state_id IN ('b','it\\'s') AND lock_id = '%2$s'
            GROUP BY state_id, lock_id, candidate
            HAVING max(released) = 0
            """
                .formatted(table, LOCK_ID),
            """
            INSERT INTO %1$s (state_id, lock_id, locked_at, candidate, holder, released)
            SETTINGS async_insert = 0
            SELECT arrayJoin(['gone']), '%2$s', now() + toIntervalSecond(60), '%2$s', '', 1
            """
                .formatted(table, LOCK_ID));
    assertThat(alone.locks().lookAll(asked, LOCK_ID)).isEmpty();
  }

  @Test
  void manyLongIdsTakeStatementsThatTheServerReads() {
    Set<StateId> ids = new TreeSet<>();
    for (int i = 0; i < 150; i++) {
      ids.add(StateId.of(i + "'".repeat(1021)));
    }
    backend.locks().announceAll(ids, LOCK_ID, "me");
    relay.clear();
    assertThat(backend.locks().renewAll(ids, LOCK_ID, STALE)).isEqualTo(ids);
    assertThat(backend.locks().withdrawAll(ids, LOCK_ID)).isEqualTo(ids);
    assertThat(relay.statements()).hasSizeGreaterThan(6).allMatch(sql -> sql.length() < 210_000);
  }

  @Test
  void withdrawingWhereThePluginNeverComes() {
    alone.locks().withdraw(ID, LOCK_ID);
    // The time of the row that was seen.
    assertThat(relay.statements())
        .extracting(sql -> sql.replaceAll("toDateTime\\([1-9]\\d{9}\\)", "toDateTime(0)"))
        .containsExactly(
            look("it\\'s"),
            """
            INSERT INTO %s (state_id, lock_id, locked_at, candidate, holder, released)
            SETTINGS async_insert = 0, input_format_values_interpret_expressions = 1
            VALUES ('it\\'s', '%2$s', greatest(now(), toDateTime(0)) + toIntervalSecond(60),
                '%2$s', '', 1)
            """
                .formatted(table, LOCK_ID));
  }

  @Test
  void removingStaleRows() {
    backend.locks().removeStale(StateId.of("stale"), Duration.ofSeconds(100));
    assertThat(relay.statements())
        .containsExactly(
            look("stale"),
            """
            DELETE FROM %s
            WHERE state_id = 'stale' AND locked_at < now() - toIntervalSecond(100)
            SETTINGS
                lightweight_deletes_sync = 2,
                mutations_execute_nondeterministic_on_initiator = 1
            """
                .formatted(table));
  }

  @Test
  void removingStaleRowsWhereThePluginNeverComes() {
    alone.locks().removeStale(StateId.of("stale"), Duration.ofSeconds(100));
    assertThat(relay.statements())
        .containsExactly(
            look("stale"),
            """
            INSERT INTO %1$s (state_id, lock_id, locked_at, candidate, holder, released)
            SETTINGS async_insert = 0
            SELECT state_id, lock_id, now() + toIntervalSecond(60), candidate, '', 1
            FROM %1$s
            WHERE state_id = 'stale'
            GROUP BY state_id, lock_id, candidate
            HAVING max(released) = 0 AND max(locked_at) < now() - toIntervalSecond(100)
            """
                .formatted(table));
  }

  @Test
  void removingStaleRowsOnlyLooksWhereNoneAre() {
    backend.locks().removeStale(ID, STALE);
    assertThat(relay.statements()).containsExactly(look("it\\'s"));
  }

  @Test
  void listing() {
    backend.locks().forEach(StateIdGlob.of("dev:?*"), candidate -> {});
    assertThat(relay.statements())
        .containsExactly(look("").replace("state_id = ''", "startsWith(state_id, 'dev:')"));
  }

  @Test
  void savingUnderALock() {
    Instant stored = Instant.parse("2250-01-01T00:00:00.000Z");
    TestStores.plant(schema, "'a'", "'{}'", "NULL", stored.toEpochMilli());
    backend.locks().announce(ID, LOCK_ID, "me");
    relay.clear();
    backend
        .states()
        .save(TestStores.state("a", "{\"n\": \"it's\"}"), new Fence(ID, LOCK_ID, STALE));
    assertThat(relay.statements()).hasSize(2);
    assertThat(relay.statements().subList(1, 2))
        .containsExactly(
            """
            INSERT INTO %s (state_id, partial_state, completed_state, updated_at)
            SETTINGS async_insert = 0
            SELECT 'a', NULL, '{"n": "it\\'s"}', fromUnixTimestamp64Milli(%d)
            FROM
            (
                SELECT lock_id
                FROM %s
                WHERE state_id = 'it\\'s' AND lock_id = '%s'
                GROUP BY lock_id
                HAVING max(released) = 0 AND max(locked_at) >= now() - toIntervalSecond(300)
            )
            """
                .formatted(states, stored.toEpochMilli() + 1, table, LOCK_ID));
    assertThat(relay.exchanges().get(1).requestLine()).doesNotContain("max_query_size");
  }

  @Test
  void aLongStatementSaysHowLongItIs() {
    backend.locks().announce(ID, LOCK_ID, "me");
    relay.clear();
    backend
        .states()
        .save(
            TestStores.state("a", "{\"n\":\"" + "x".repeat(300_000) + "\"}"),
            new Fence(ID, LOCK_ID, STALE));
    assertThat(relay.exchanges().get(1).requestLine()).contains("&max_query_size=632784");
  }

  @Test
  void deletingUnderALock() {
    backend.locks().announce(ID, LOCK_ID, "me");
    relay.clear();
    backend.states().delete(StateId.of("x"), new Fence(ID, LOCK_ID, STALE));
    assertThat(relay.statements()).hasSize(5);
    assertThat(relay.statements().get(1)).contains("dependencies_table");
    assertThat(relay.statements().get(4))
        .contains("WHERE state_id = 'x' AND updated_at <= fromUnixTimestamp64Milli(");
    assertThat(relay.statements().subList(2, 4))
        .containsExactly(
            """
            DELETE FROM %s
            WHERE state_id = 'x' AND
            (
                SELECT count() > 0
                FROM
                (
                    SELECT lock_id
                    FROM %s
                    WHERE state_id = 'it\\'s' AND lock_id = '%s'
                    GROUP BY lock_id
                    HAVING max(released) = 0 AND max(locked_at) >= now() - toIntervalSecond(300)
                )
            )
            SETTINGS
                lightweight_deletes_sync = 2,
                mutations_execute_subqueries_on_initiator = 1,
                mutations_execute_nondeterministic_on_initiator = 1
            """
                .formatted(states, table, LOCK_ID),
            held());
  }

  private String look(String id) {
    return """
    SELECT
        state_id,
        lock_id,
        toUnixTimestamp(max(locked_at)) AS newest,
        argMax(holder, locked_at) AS who,
        toUnixTimestamp(now()) AS clock
    FROM %s
    WHERE state_id = '%s'
    GROUP BY state_id, lock_id
    HAVING max(released) = 0
    ORDER BY state_id, lock_id
    """
        .formatted(table, id);
  }

  private String locksOf() {
    return """
    SELECT state_id
    FROM %s
    WHERE lock_id = '%s'
    GROUP BY state_id
    HAVING max(released) = 0
    """
        .formatted(table, LOCK_ID);
  }

  private String held() {
    return """
    SELECT lock_id
    FROM %s
    WHERE state_id = 'it\\'s' AND lock_id = '%s'
    GROUP BY lock_id
    HAVING max(released) = 0 AND max(locked_at) >= now() - toIntervalSecond(300)
    """
        .formatted(table, LOCK_ID);
  }

  private ClickHouseBackend open(LockPeers peers) {
    return ClickHouseBackend.open(TestStores.settings(relay.endpoint(), schema), peers);
  }
}
