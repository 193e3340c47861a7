package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.Relay.Cut;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.contract.RawLock;
import dev.statectl.lock.LockMode;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.GuardRails;
import dev.statectl.usecase.ImportStates;
import dev.statectl.usecase.ImportStates.IfExists;
import dev.statectl.usecase.ImportStates.Result;
import dev.statectl.usecase.LockMeans;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Thousands of states that are imported under their locks, beside others. */
class BulkImportTest {
  private static final String PEER = "0c9b6a52-6a4e-4d3e-9d5a-0f6f4c1f2b11";
  private static final LockTerms AT_ONCE = LockTerms.DEFAULT.withTimeout(Duration.ZERO);
  private static final String PAYLOAD = "x".repeat(900);

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final Relay relay = Relay.to(clickHouse.endpoint());
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Map<String, StateFailure> failures = new LinkedHashMap<>();
  private final List<Duration> pauses = new ArrayList<>();

  @AfterEach
  void close() {
    timer.shutdownNow();
    relay.close();
  }

  @ParameterizedTest
  @EnumSource(LockPeers.class)
  void fiveThousandStatesAreStoredBesideAPeerThatHoldsThree(LockPeers peers) {
    for (String id : List.of("id-00000", "id-02500", "id-04999")) {
      TestStores.plantLock(schema, new RawLock(id, PEER, "", 10));
    }
    try (ClickHouseBackend backend = open(relay.endpoint(), peers)) {
      Result result = run(backend, AT_ONCE, 5_000, IfExists.FAIL, () -> false);

      assertThat(result).isEqualTo(new Result(4_997, 0, 0, 3, 0));
    }
    assertThat(failures).containsOnlyKeys("id-00000", "id-02500", "id-04999");
    assertThat(failures.values())
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .isInstanceOf(StateFailure.LockHeld.class)
                    .hasMessageContaining("is held by the Meltano plugin (lock id " + PEER));
    assertThat(stored()).isEqualTo("4997");
    assertThat(lockRows()).isEqualTo("3");
    // One for the states; one for the locks, and one for each that is tried for once more.
    assertThat(statements("INSERT INTO \"" + schema + "\".\"state\" ")).hasSize(1);
    assertThat(
            statements("INSERT INTO \"" + schema + "\".\"state_lock\"").stream()
                .filter(sql -> !sql.contains(", 1\n") && !sql.contains(", 1)")))
        .hasSize(4);
    assertThat(relay.statements()).hasSizeLessThan(60);
  }

  @Test
  void aLockThatBecomesFreeIsWaitedForAndTheRestIsStoredBefore() {
    TestStores.plantLock(schema, new RawLock("id-00001", PEER, "", 10));
    List<String> storedBefore = new ArrayList<>();
    try (ClickHouseBackend backend = open(relay.endpoint(), LockPeers.PLUGIN)) {
      LockTerms terms = LockTerms.DEFAULT;
      AcquireLock locks =
          new AcquireLock(
              backend.locks(),
              terms,
              means(),
              "me",
              held -> {
                storedBefore.add(stored());
                clickHouse.execute(
                    "DELETE FROM " + schema + ".state_lock WHERE lock_id = '" + PEER + "'");
              });
      Result result =
          new ImportStates(backend.states(), locks)
              .run(
                  states(100)::forEach,
                  IfExists.FAIL,
                  (id, e) -> failures.put(id.text(), e),
                  () -> false);

      assertThat(result).isEqualTo(new Result(100, 0, 0, 0, 0));
    }
    assertThat(storedBefore.get(0)).isEqualTo("99");
    assertThat(lockRows()).isEqualTo("0");
  }

  @Test
  void inSettleModeABatchWaitsOnce() {
    try (ClickHouseBackend backend = open(relay.endpoint(), LockPeers.PLUGIN)) {
      Result result =
          run(backend, AT_ONCE.withMode(LockMode.SETTLE), 2_000, IfExists.FAIL, () -> false);

      assertThat(result).isEqualTo(new Result(2_000, 0, 0, 0, 0));
    }
    assertThat(pauses).containsExactly(Duration.ofSeconds(1));
    assertThat(lockRows()).isEqualTo("0");
  }

  @ParameterizedTest
  @EnumSource(LockPeers.class)
  void aTableOfThePluginsFormIsUsedWithItsColumns(LockPeers peers) {
    TestStores.createPluginTables(schema);
    ClickHouseEndpoint user =
        clickHouse.createUser("SELECT, INSERT, ALTER DELETE, TRUNCATE ON " + schema + ".*");
    try (ClickHouseBackend backend = open(user, peers)) {
      Result result = run(backend, AT_ONCE, 2_000, IfExists.FAIL, () -> false);

      assertThat(result).isEqualTo(new Result(2_000, 0, 0, 0, 0));
    }
    assertThat(pauses).containsExactly(Duration.ofSeconds(1));
    assertThat(clickHouse.query("SELECT count() FROM " + schema + ".state_lock")).isEqualTo("0");
    assertThat(clickHouse.query("SHOW CREATE TABLE " + schema + ".state_lock"))
        .doesNotContain("released");
  }

  @ParameterizedTest
  @EnumSource(LockPeers.class)
  void aLockThatIsBrokenInTheMiddleIsToldAndTheOthersAreStored(LockPeers peers) {
    relay.holdNext(
        "INSERT INTO \"" + schema + "\".\"state\" ",
        () ->
            clickHouse.execute(
                "DELETE FROM " + schema + ".state_lock WHERE state_id = 'id-00007'"));
    try (ClickHouseBackend backend = open(relay.endpoint(), peers)) {
      Result result = run(backend, AT_ONCE, 1_000, IfExists.OVERWRITE, () -> false);

      assertThat(result).isEqualTo(new Result(999, 0, 0, 1, 0));
    }
    assertThat(failures).containsOnlyKeys("id-00007");
    assertThat(failures.get("id-00007"))
        .isInstanceOf(StateFailure.LockLost.class)
        .hasMessage("the lock of 'id-00007' was lost: its row was gone when it was released");
    assertThat(lockRows()).isEqualTo("0");
  }

  @ParameterizedTest
  @EnumSource(LockPeers.class)
  void noLockIsLeftAfterAFailureInTheMiddle(LockPeers peers) {
    relay.cut("INSERT INTO \"" + schema + "\".\"state\" ", Cut.BEFORE_THE_REQUEST);
    try (ClickHouseBackend backend = open(relay.endpoint(), peers)) {
      Result result = run(backend, AT_ONCE, 12_000, IfExists.OVERWRITE, () -> false);

      assertThat(result.created()).isZero();
      assertThat(result.failed() + result.notTried()).isEqualTo(12_000);
      assertThat(result.notTried()).isPositive();
    }
    assertThat(failures.values())
        .allSatisfy(e -> assertThat(e).isInstanceOf(StateFailure.OutcomeUnknown.class));
    assertThat(stored()).isEqualTo("0");
    assertThat(lockRows()).isEqualTo("0");
  }

  @Test
  void whoIsStoppedLeavesNoLock() {
    int[] asked = {0};
    try (ClickHouseBackend backend = open(relay.endpoint(), LockPeers.PLUGIN)) {
      Result result = run(backend, AT_ONCE, 12_000, IfExists.OVERWRITE, () -> asked[0]++ == 1);

      assertThat(result.created()).isPositive().isLessThan(12_000);
      assertThat(result.created() + result.notTried()).isEqualTo(12_000);
    }
    assertThat(failures).isEmpty();
    assertThat(lockRows()).isEqualTo("0");
  }

  @Test
  void anAnnouncementWhoseAnswerIsLostIsFoundDone() {
    makeTables();
    relay.cutNext("INSERT INTO \"" + schema + "\".\"state_lock\"", Cut.BEFORE_THE_ANSWER);
    try (ClickHouseBackend backend = open(relay.endpoint(), LockPeers.PLUGIN)) {
      assertThat(run(backend, AT_ONCE, 1_000, IfExists.OVERWRITE, () -> false))
          .isEqualTo(new Result(1_000, 0, 0, 0, 0));
    }
    assertThat(statements("INSERT INTO \"" + schema + "\".\"state_lock\"")).hasSize(1);
    assertThat(lockRows()).isEqualTo("0");
  }

  @ParameterizedTest
  @EnumSource(LockPeers.class)
  void anAnnouncementThatGotLostEndsTheImportAndLeavesNoLock(LockPeers peers) {
    makeTables();
    relay.cutNext("INSERT INTO \"" + schema + "\".\"state_lock\"", Cut.BEFORE_THE_REQUEST);
    try (ClickHouseBackend backend = open(relay.endpoint(), peers)) {
      assertThat(run(backend, AT_ONCE, 1_000, IfExists.OVERWRITE, () -> false))
          .isEqualTo(new Result(0, 0, 0, 1, 999));
    }
    assertThat(failures.get("id-00000"))
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessageStartingWith("the locks of 1000 states were not taken: whether writing to ");
    assertThat(stored()).isEqualTo("0");
    assertThat(lockRows()).isEqualTo("0");
    if (peers == LockPeers.NONE) {
      // What may still arrive is marked as gone already.
      assertThat(clickHouse.query("SELECT sum(released) FROM " + schema + ".state_lock"))
          .isEqualTo("1000");
    }
  }

  @Test
  void twoImportsOfTheSameStatesBothEndWithAllOfThemStored() throws Exception {
    makeTables();
    try (ClickHouseBackend one = open(relay.endpoint(), LockPeers.PLUGIN);
        ClickHouseBackend two = open(clickHouse.endpoint(), LockPeers.PLUGIN)) {
      Result[] second = new Result[1];
      Thread other =
          new Thread(
              () -> second[0] = run(two, LockTerms.DEFAULT, 500, IfExists.OVERWRITE, () -> false));
      // The first is in the middle of its batch when the second begins.
      relay.holdNext(
          "INSERT INTO \"" + schema + "\".\"state\" ",
          () -> {
            other.start();
            sleep();
          });
      Result first = run(one, LockTerms.DEFAULT, 500, IfExists.OVERWRITE, () -> false);
      other.join(TimeUnit.MINUTES.toMillis(2));

      assertThat(first).isEqualTo(new Result(500, 0, 0, 0, 0));
      assertThat(second[0]).isEqualTo(new Result(0, 500, 0, 0, 0));
    }
    assertThat(failures).isEmpty();
    assertThat(lockRows()).isEqualTo("0");
  }

  private void makeTables() {
    try (ClickHouseBackend backend = open(clickHouse.endpoint(), LockPeers.PLUGIN)) {
      StateId id = StateId.of("made");
      backend.locks().announce(id, means().lockIds().get(), "");
      backend.locks().look(id).forEach(row -> backend.locks().withdraw(id, row.lockId()));
    }
  }

  // Long enough to be met by another's look; nothing depends on how long.
  private static void sleep() {
    try {
      Thread.sleep(500);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private Result run(
      ClickHouseBackend backend,
      LockTerms terms,
      int count,
      IfExists ifExists,
      BooleanSupplier stopped) {
    return new ImportStates(
            backend.states(), new AcquireLock(backend.locks(), terms, means(), "me"))
        .run(
            states(count)::forEach,
            ifExists,
            GuardRails.of(Long.MAX_VALUE),
            (id, failure) -> failures.put(id.text(), failure),
            stopped);
  }

  private LockMeans means() {
    return LockMeans.of(
        Clock.systemUTC(),
        new SecureRandom(),
        System::nanoTime,
        duration -> {
          pauses.add(duration);
          Thread.sleep(duration.toMillis());
        },
        timer);
  }

  private ClickHouseBackend open(ClickHouseEndpoint endpoint, LockPeers peers) {
    return ClickHouseBackend.open(TestStores.settings(endpoint, schema), peers);
  }

  private static List<State> states(int count) {
    List<State> states = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      states.add(
          TestStores.state(
              String.format("id-%05d", i),
              "{\"singer_state\": {\"bookmarks\": {\"s\": {\"v\": \"" + PAYLOAD + i + "\"}}}}"));
    }
    return states;
  }

  private List<String> statements(String beginning) {
    return relay.statements().stream().filter(sql -> sql.startsWith(beginning)).toList();
  }

  private String stored() {
    return clickHouse.query("SELECT uniqExact(state_id) FROM " + schema + ".state");
  }

  // Those that count: a mark of a release is there until the table's TTL removes it.
  private String lockRows() {
    return clickHouse.query(
        "SELECT count() FROM (SELECT 1 FROM "
            + schema
            + ".state_lock GROUP BY state_id, lock_id HAVING max(released) = 0)");
  }
}
