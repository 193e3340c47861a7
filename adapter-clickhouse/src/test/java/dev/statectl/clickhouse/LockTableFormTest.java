package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.lock.Fence;
import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.LockTable;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The lock table as others made it, and what becomes of it. */
class LockTableFormTest {
  private static final StateId ID = StateId.of("a");
  private static final LockId MINE = LockId.of(Instant.parse("2026-01-02T03:04:05Z"), 6);
  private static final Duration STALE = Duration.ofSeconds(300);
  private static final String RIGHTS = "SELECT, INSERT, ALTER DELETE, TRUNCATE ON ";

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();

  @Test
  void theFirstLockMakesBothTables() {
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      backend.locks().announce(ID, MINE, "me");
      assertThat(backend.locks().immediateObstacle()).isEmpty();
    }
    assertThat(clickHouse.query("SHOW TABLES FROM " + schema)).isEqualTo("state\nstate_lock");
  }

  @Test
  void whateverFindsNothingMakesNothing() {
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      LockTable locks = backend.locks();
      Fence fence = new Fence(ID, MINE, STALE);
      assertThat(locks.look(ID)).isEmpty();
      assertThat(locks.renew(ID, MINE, STALE)).isFalse();
      assertThat(locks.withdraw(ID, MINE)).isFalse();
      locks.removeStale(ID, STALE);
      locks.forEach(StateIdGlob.ALL, candidate -> {});
      assertThatThrownBy(() -> backend.states().save(TestStores.state("a", "{}"), fence))
          .isInstanceOf(StateFailure.LockLost.class)
          .hasMessage(
              "the lock of 'a' was lost: the row of its holder (lock id %s) was gone or stale when"
                  + " the state was to be changed; nothing was changed",
              MINE);
      assertThatThrownBy(() -> backend.states().delete(ID, fence))
          .isInstanceOf(StateFailure.LockLost.class);
    }
    assertThat(clickHouse.query("EXISTS DATABASE " + schema)).isEqualTo("0");
  }

  @Test
  void readsLeaveThePluginsTableAsItIs() {
    TestStores.createPluginTables(schema);
    announceAsThePlugin("p1");
    String before = shown();
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      assertThat(lockIds(backend.locks().look(ID))).containsExactly("p1");
      assertThat(backend.locks().look(ID).get(0).holder()).isEmpty();
      List<LockCandidate> listed = new ArrayList<>();
      backend.locks().forEach(StateIdGlob.ALL, listed::add);
      assertThat(lockIds(listed)).containsExactly("p1");
      assertThat(backend.locks().withdraw(ID, new LockId("p1"))).isTrue();
    }
    assertThat(shown()).isEqualTo(before);
  }

  @Test
  void theFirstLockGivesThePluginsTableOurKey() {
    TestStores.createPluginTables(schema);
    announceAsThePlugin("p1");
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      backend.locks().announce(ID, MINE, "me");
      announceAsThePlugin("p2");
      clickHouse.execute("OPTIMIZE TABLE " + schema + ".state_lock FINAL");
      assertThat(lockIds(backend.locks().look(ID))).containsExactly(MINE.text(), "p1", "p2");
    }
    assertThat(shown())
        .isEqualTo(
            """
            CREATE TABLE %s.state_lock
            (
                `state_id` String,
                `lock_id` String,
                `locked_at` DateTime DEFAULT now(),
                `candidate` String DEFAULT lock_id,
                `holder` String,
                `released` UInt8
            )
            ENGINE = ReplacingMergeTree(locked_at)
            PRIMARY KEY state_id
            ORDER BY (state_id, candidate)
            TTL locked_at + toIntervalSecond(300)
            SETTINGS index_granularity = 8192"""
                .formatted(schema));
  }

  /** Why the key must be another one. */
  @Test
  void aMergeOfThePluginsTableRemovesTheHoldersRow() {
    TestStores.createPluginTables(schema);
    announceAsThePlugin("holder");
    announceAsThePlugin("rival");
    clickHouse.execute("OPTIMIZE TABLE " + schema + ".state_lock FINAL");
    assertThat(clickHouse.query("SELECT lock_id FROM " + schema + ".state_lock"))
        .isEqualTo("rival");
  }

  @Test
  void theUpgradeDisturbsNobodyWhoWrites() {
    TestStores.createPluginTables(schema);
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Integer> plugin =
        CompletableFuture.supplyAsync(
            () -> {
              int n = 0;
              while (!done.get() || n < 20) {
                String lockId = UUID.randomUUID().toString();
                announceAsThePlugin(lockId);
                clickHouse.execute(
                    "DELETE FROM " + schema + ".state_lock WHERE lock_id = '" + lockId + "'");
                n++;
              }
              return n;
            });
    for (int i = 0; i < 10; i++) {
      try (ClickHouseBackend backend = TestStores.open(schema)) {
        LockId mine = LockId.of(Instant.ofEpochSecond(i), i);
        backend.locks().announce(ID, mine, "me");
        assertThat(lockIds(backend.locks().look(ID))).contains(mine.text());
        assertThat(backend.locks().withdraw(ID, mine)).isTrue();
      }
    }
    done.set(true);
    assertThat(plugin.join()).isGreaterThanOrEqualTo(20);
    assertThat(clickHouse.query("SELECT count() FROM " + schema + ".state_lock")).isEqualTo("0");
  }

  @Test
  void whoMayNotUpgradeWorksInSettleModeAndIsToldWhy() {
    TestStores.createPluginTables(schema);
    ClickHouseEndpoint user = clickHouse.createUser(RIGHTS + schema + ".*");
    List<Duration> pauses = new ArrayList<>();
    LockMeans means =
        new LockMeans(
            () -> MINE, System::nanoTime, pauses::add, () -> 0.5, (delay, task) -> () -> {});
    try (ClickHouseBackend backend = ClickHouseBackend.open(TestStores.settings(user, schema))) {
      LockTable locks = backend.locks();
      assertThat(locks.immediateObstacle()).isEmpty();
      new AcquireLock(locks, LockTerms.DEFAULT, means, "me")
          .with(
              ID,
              lock -> {
                backend.states().save(TestStores.state("a", "{\"n\":1}"), lock.fence());
                assertThat(locks.renew(ID, MINE, STALE)).isTrue();
                assertThat(backend.states().delete(ID, lock.fence())).isTrue();
                backend.states().save(TestStores.state("a", "{\"n\":2}"), lock.fence());
                return true;
              });
      assertThat(pauses).containsExactly(LockTerms.DEFAULT.settle());
      assertThat(locks.immediateObstacle())
          .hasValue(
              "cannot upgrade %1$s.state_lock at %2$s: the user %3$s lacks a right; an administrator can grant it: GRANT ALTER ADD COLUMN, ALTER MODIFY COLUMN, ALTER ORDER BY ON %1$s.state_lock TO %3$s; until then every lock is taken in settle mode, as the Meltano plugin does: it takes the settle time, and a merge of the table may remove a holder's row"
                  .formatted(
                      schema,
                      clickHouse.endpoint().host() + ":" + clickHouse.endpoint().port(),
                      user.user()));
      assertThatThrownBy(
              () -> backend.states().save(TestStores.state("a", "{}"), new Fence(ID, MINE, STALE)))
          .isInstanceOf(StateFailure.LockLost.class);
      assertThatThrownBy(() -> backend.states().delete(ID, new Fence(ID, MINE, STALE)))
          .isInstanceOf(StateFailure.LockLost.class);
      assertThat(TestStores.completedOf(backend.states(), "a")).isEqualTo("{\"n\":2}");
      assertThat(locks.renew(ID, MINE, STALE)).isFalse();
      assertThat(locks.look(ID)).isEmpty();
    }
    assertThat(shown()).doesNotContain("candidate");
  }

  @Test
  void whereThePluginNeverComesTheOldTableIsStillReleasedByDeletes() {
    TestStores.createPluginTables(schema);
    ClickHouseEndpoint user = clickHouse.createUser(RIGHTS + schema + ".*");
    try (ClickHouseBackend backend =
        ClickHouseBackend.open(TestStores.settings(user, schema), LockPeers.NONE)) {
      backend.locks().announce(ID, MINE, "me");
      assertThat(backend.locks().withdraw(ID, MINE)).isTrue();
      assertThat(backend.locks().withdraw(ID, MINE)).isFalse();
    }
    assertThat(clickHouse.query("SELECT count() FROM " + schema + ".state_lock")).isEqualTo("0");
  }

  @Test
  void aMissingDefaultIsAnObstacleBesideThePluginAlone() {
    TestStores.createPluginTables(schema);
    clickHouse.execute(LockTableSql.UPGRADE.replace("<lock_table>", schema + ".state_lock"));
    ClickHouseEndpoint user = clickHouse.createUser(RIGHTS + schema + ".*");
    try (ClickHouseBackend backend = ClickHouseBackend.open(TestStores.settings(user, schema))) {
      backend.locks().announce(ID, MINE, "me");
      assertThat(backend.locks().immediateObstacle().orElseThrow())
          .startsWith("cannot upgrade " + schema + ".state_lock at ")
          .contains("GRANT ALTER ADD COLUMN, ALTER MODIFY COLUMN, ALTER ORDER BY ON ")
          .endsWith("a merge of the table may remove a holder's row");
      assertThat(backend.locks().look(ID).get(0).holder()).isEqualTo("me");
    }
    try (ClickHouseBackend alone =
        ClickHouseBackend.open(TestStores.settings(user, schema), LockPeers.NONE)) {
      alone.locks().announce(ID, LockId.of(Instant.EPOCH, 2), "me");
      assertThat(alone.locks().immediateObstacle()).isEmpty();
    }
    assertThat(shown()).doesNotContain("DEFAULT lock_id");
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      backend.locks().announce(ID, LockId.of(Instant.EPOCH, 1), "me");
    }
    assertThat(shown()).contains("`candidate` String DEFAULT lock_id");
  }

  @Test
  void aColumnOfTheSameNameOutsideTheKeyIsAnObstacle() {
    TestStores.createPluginTables(schema);
    clickHouse.execute("ALTER TABLE " + schema + ".state_lock ADD COLUMN candidate String");
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      backend.locks().announce(ID, MINE, "me");
      assertThat(lockIds(backend.locks().look(ID))).containsExactly(MINE.text());
      assertThat(backend.locks().immediateObstacle().orElseThrow())
          .startsWith(
              "cannot upgrade "
                  + schema
                  + ".state_lock at "
                  + clickHouse.endpoint().host()
                  + ":"
                  + clickHouse.endpoint().port()
                  + ": the table is not of the expected form (ClickHouse error 36); compare it with"
                  + " the columns state_id String, lock_id String, locked_at DateTime, candidate"
                  + " String DEFAULT lock_id, holder String, released UInt8, and the engine"
                  + " ReplacingMergeTree(locked_at) ORDER BY (state_id, candidate); until then");
    }
  }

  private void announceAsThePlugin(String lockId) {
    clickHouse.execute(
        "INSERT INTO "
            + schema
            + ".state_lock (state_id, lock_id) SETTINGS async_insert = 0 VALUES ('a', '"
            + lockId
            + "')");
  }

  private String shown() {
    return clickHouse.query("SHOW CREATE TABLE " + schema + ".state_lock FORMAT TSVRaw");
  }

  private static List<String> lockIds(List<LockCandidate> candidates) {
    return candidates.stream().map(c -> c.lockId().text()).toList();
  }
}
