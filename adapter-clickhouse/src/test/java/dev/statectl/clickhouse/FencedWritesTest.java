package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.contract.RawLock;
import dev.statectl.json.JsonObject;
import dev.statectl.lock.Fence;
import dev.statectl.lock.LockId;
import dev.statectl.port.LockTable;
import dev.statectl.port.SaveRules;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes under a lock, and the rows that let them through. */
class FencedWritesTest {
  private static final StateId ID = StateId.of("a");
  private static final LockId MINE = LockId.of(Instant.parse("2026-01-02T03:04:05Z"), 6);
  private static final Duration STALE = Duration.ofSeconds(60);
  private static final Fence FENCE = new Fence(ID, MINE, STALE);
  private static final String HOSTILE =
      "{fn now()} 'it''s' \\\\ \\\" ? :name ?1 {x:String} -- /* */ <table> `b` \ud83d\ude00"
          + " \u2028 %s $1 \\u0000 ; DROP TABLE x\u0000";

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final ClickHouseBackend backend = TestStores.open(schema);
  private final StateStore store = backend.states();
  private final LockTable locks = backend.locks();

  @BeforeEach
  void lock() {
    locks.announce(ID, MINE, "me");
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 60_000, 100_000, 130_000, 300_000, 5_000_000})
  void statesOfEverySizeComeBack(int size) {
    // A NUL is no JSON; the id may hold it, and the halves hold all else.
    String filling = HOSTILE.replace("\u0000", "");
    String text = filling.repeat(size / filling.length() + 1);
    State state =
        State.of(
            StateId.of("b" + HOSTILE),
            JsonObject.parse("{\"a\":\"" + text + "\"}"),
            JsonObject.parse("{\"b\":\"" + filling + "\"}"));
    StateVersion version = store.save(state, FENCE);
    assertThat(store.find(state.id())).hasValue(state.withVersion(version));
  }

  @Test
  void theLargestStateIsStored() {
    String frame = "{\"a\":\"\"}";
    int filling = (int) SaveRules.MAX_STATE_BYTES - frame.length();
    State state = TestStores.state("a", "{\"a\":\"" + "'234567".repeat(filling / 7) + "\"}");
    ClickHouseSettings settings = TestStores.settings(clickHouse.endpoint(), schema);
    ClickHouseSettings patient =
        new ClickHouseSettings(
            settings.host(),
            settings.port(),
            settings.secure(),
            settings.database(),
            settings.user(),
            settings.password(),
            settings.schema(),
            settings.table(),
            settings.connectTimeout(),
            Duration.ofMinutes(5));
    try (ClickHouseBackend other = ClickHouseBackend.open(patient)) {
      other.states().save(state, FENCE);
    }
    assertThat(
            clickHouse.query(
                "SELECT length(completed_state), countSubstrings(completed_state, char(39)) FROM "
                    + schema
                    + ".state"))
        .isEqualTo(filling / 7 * 7 + frame.length() + "\t" + filling / 7);
  }

  @Test
  void aTableThatDropsRepeatedInsertsKeepsStatesAndRenewals() {
    for (String table : new String[] {"state", "state_lock"}) {
      clickHouse.execute(
          "ALTER TABLE "
              + schema
              + "."
              + table
              + " MODIFY SETTING non_replicated_deduplication_window = 1000");
    }
    for (String n : new String[] {"1", "2", "1"}) {
      store.save(TestStores.state("a", "{\"n\":" + n + "}"), FENCE);
      assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":" + n + "}");
      assertThat(locks.renew(ID, MINE, STALE)).isTrue();
    }
    assertThat(store.delete(ID, FENCE)).isTrue();
    store.save(TestStores.state("a", "{\"n\":1}"), FENCE);
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":1}");
    locks.withdraw(ID, MINE);
    assertRefused();
  }

  @Test
  void aRowThatAnotherRemovedLetsNothingThrough() {
    clickHouse.execute("DELETE FROM " + schema + ".state_lock WHERE lock_id = '" + MINE + "'");
    assertRefused();
  }

  @Test
  void aStaleRowLetsNothingThroughAndIsNotRenewed() {
    locks.withdraw(ID, MINE);
    TestStores.plantLock(schema, new RawLock("a", MINE.text(), "me", STALE.toSeconds() + 1));
    assertThat(locks.renew(ID, MINE, STALE)).isFalse();
    assertRefused();
  }

  @Test
  void aReleasedRowLetsNothingThroughAndIsNotRenewed() {
    try (ClickHouseBackend alone = TestStores.open(schema, LockPeers.NONE)) {
      assertThat(alone.locks().withdraw(ID, MINE)).isTrue();
      assertThat(alone.locks().withdraw(ID, MINE)).isFalse();
    }
    for (int merges = 0; merges < 2; merges++) {
      assertThat(locks.renew(ID, MINE, STALE)).isFalse();
      assertThat(locks.look(ID)).isEmpty();
      assertRefused();
      clickHouse.execute("OPTIMIZE TABLE " + schema + ".state_lock FINAL");
    }
    assertThat(clickHouse.query("SELECT released FROM " + schema + ".state_lock")).isEqualTo("1");
  }

  /** As when the renewal's answer got lost and it reached the table after the release. */
  @Test
  void whatArrivesAfterTheReleaseDoesNotBringALockBack() {
    try (ClickHouseBackend alone = TestStores.open(schema, LockPeers.NONE)) {
      alone.locks().withdraw(ID, MINE);
      // Nearly as old as any request can get that is still under way.
      for (int later : new int[] {0, 1, 30}) {
        clickHouse.execute(
            "INSERT INTO "
                + schema
                + ".state_lock (state_id, lock_id, locked_at, candidate, holder) SETTINGS"
                + " async_insert = 0 VALUES ('a', '"
                + MINE
                + "', now() + "
                + later
                + ", '"
                + MINE
                + "', 'me')");
        assertThat(alone.locks().look(ID)).isEmpty();
        clickHouse.execute("OPTIMIZE TABLE " + schema + ".state_lock FINAL");
        assertThat(alone.locks().look(ID)).isEmpty();
      }
      assertRefused();
    }
  }

  @Test
  void anAnnouncementThatArrivesAfterItsWithdrawalDoesNotShow() {
    LockId late = LockId.of(Instant.EPOCH, 1);
    try (ClickHouseBackend alone = TestStores.open(schema, LockPeers.NONE)) {
      assertThat(alone.locks().withdraw(ID, late)).isFalse();
      alone.locks().announce(ID, late, "me");
      assertThat(alone.locks().look(ID)).extracting(c -> c.lockId()).containsExactly(MINE);
      clickHouse.execute("OPTIMIZE TABLE " + schema + ".state_lock FINAL");
      assertThat(alone.locks().look(ID)).extracting(c -> c.lockId()).containsExactly(MINE);
    }
  }

  @Test
  void staleRowsAreReleasedWithoutAMutation() {
    TestStores.plantLock(schema, new RawLock("a", "old", "", STALE.toSeconds() + 1));
    try (ClickHouseBackend alone = TestStores.open(schema, LockPeers.NONE)) {
      alone.locks().removeStale(ID, STALE);
      assertThat(alone.locks().look(ID)).extracting(c -> c.lockId()).containsExactly(MINE);
    }
    assertThat(
            clickHouse.query(
                "SELECT count() FROM system.mutations WHERE database = '" + schema + "'"))
        .isEqualTo("0");
  }

  @ParameterizedTest
  @EnumSource(LockPeers.class)
  void mergesKeepEveryCandidate(LockPeers peers) {
    try (ClickHouseBackend other = TestStores.open(schema, peers)) {
      LockId second = LockId.of(Instant.EPOCH, 1);
      other.locks().announce(ID, second, "other");
      clickHouse.execute("OPTIMIZE TABLE " + schema + ".state_lock FINAL");
      assertThat(locks.look(ID)).extracting(c -> c.lockId()).containsExactly(second, MINE);
      store.save(TestStores.state("a", "{\"n\":1}"), FENCE);
      assertThat(other.locks().withdraw(ID, second)).isTrue();
      clickHouse.execute("OPTIMIZE TABLE " + schema + ".state_lock FINAL");
      assertThat(locks.look(ID)).extracting(c -> c.lockId()).containsExactly(MINE);
      store.save(TestStores.state("a", "{\"n\":2}"), FENCE);
    }
  }

  @Test
  void aDeleteUnderALockLeavesNoOldVersionAfterAMerge() {
    for (int n = 1; n <= 3; n++) {
      store.save(TestStores.state("a", "{\"n\":" + n + "}"), FENCE);
    }
    assertThat(store.delete(ID, FENCE)).isTrue();
    assertThat(store.delete(ID, FENCE)).isFalse();
    clickHouse.execute("OPTIMIZE TABLE " + schema + ".state FINAL");
    assertThat(store.find(ID)).isEmpty();
  }

  /** Versions can be equal where the stored one lies in the future. */
  @Test
  void anothersRowOfTheSameVersionIsNotTakenForOurs() {
    Instant last = StateVersion.LAST.updatedAt();
    TestStores.plant(schema, "'a'", "'{\"n\":1}'", "NULL", last.toEpochMilli());
    locks.withdraw(ID, MINE);
    assertThatThrownBy(() -> store.save(TestStores.state("a", "{\"n\":2}"), FENCE))
        .isInstanceOf(StateFailure.LockLost.class);
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":1}");
  }

  private void assertRefused() {
    store.save(TestStores.state("kept", "{\"n\":1}"));
    for (String id : new String[] {"kept", "new"}) {
      assertThatThrownBy(() -> store.save(TestStores.state(id, "{\"n\":2}"), FENCE))
          .isInstanceOf(StateFailure.LockLost.class)
          .hasMessage(
              "the lock of 'a' was lost: the row of its holder (lock id %s) was gone or stale when"
                  + " the state was to be changed; nothing was changed",
              MINE);
      assertThatThrownBy(() -> store.delete(StateId.of(id), FENCE))
          .isInstanceOf(StateFailure.LockLost.class);
    }
    assertThat(TestStores.completedOf(store, "kept")).isEqualTo("{\"n\":1}");
    assertThat(store.find(StateId.of("new"))).isEmpty();
  }
}
