package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.json.JsonObject;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.HistoryEntry;
import dev.statectl.port.HistoryEntry.Kind;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateHistory;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.ClearState;
import dev.statectl.usecase.LockMeans;
import dev.statectl.usecase.RestorePlan;
import dev.statectl.usecase.RestoreState;
import dev.statectl.usecase.SetState;
import dev.statectl.usecase.UndoState;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Undo and restore, with a peer that writes as the Meltano plugin does. */
class UndoTest {
  private static final StateId ID = StateId.of("dev:tap-to-target");

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final Relay relay = Relay.to(clickHouse.endpoint());
  private final ClickHouseBackend backend =
      ClickHouseBackend.open(
          TestStores.settings(relay.endpoint(), schema), LockPeers.PLUGIN, "alice");
  private final StateStore store = backend.states();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final AcquireLock locks =
      new AcquireLock(
          backend.locks(),
          LockTerms.DEFAULT,
          LockMeans.of(
              Clock.systemUTC(),
              new Random(1),
              System::nanoTime,
              duration -> Thread.sleep(duration.toMillis()),
              timer),
          "the test");
  private final SetState setState = new SetState(store, locks);
  private final ClearState clearState = new ClearState(store, locks);
  private final UndoState undoState = new UndoState(store, backend.history(), locks);
  private final RestoreState restoreState = new RestoreState(store, backend.history(), locks);

  @BeforeEach
  void enable() {
    TestStores.createPluginTables(schema);
    backend.history().enable(StateHistory.DEFAULT_KEEP);
  }

  @AfterEach
  void close() {
    timer.shutdown();
    backend.close();
    relay.close();
  }

  @Test
  void whatThePluginWroteIsGoneBackToAndUndone() {
    set("{\"n\":1}");
    insertAsThePlugin("{\"n\": 2.0}", "{\"p\": 1e3}");
    set("{\"n\":3}");
    undo();
    assertStored("{\"n\": 2.0}", "{\"p\": 1e3}");
    insertAsThePlugin("{\"n\": 4}", null);
    undo();
    assertStored("{\"n\": 2.0}", "{\"p\": 1e3}");
    undo();
    assertStored("{\"n\":1}", "{}");
    assertThat(locksLeft()).isEqualTo("0");
  }

  @Test
  void whatWasClearedByUsOrByThePluginComesBack() {
    set("{\"n\":1}");
    clearState.clear(ID);
    undo();
    assertStored("{\"n\":1}", "{}");
    clickHouse.execute(
        "DELETE FROM "
            + schema
            + ".state WHERE state_id = '"
            + ID
            + "' SETTINGS"
            + " lightweight_deletes_sync = 2");
    assertThat(store.find(ID)).isEmpty();
    undo();
    assertStored("{\"n\":1}", "{}");
    clearState.clearAll();
    undo();
    assertStored("{\"n\":1}", "{}");
    assertThat(entries())
        .extracting(HistoryEntry::kind)
        .containsExactly(
            Kind.WRITTEN, Kind.DELETED, Kind.WRITTEN, Kind.WRITTEN, Kind.DELETED, Kind.WRITTEN);
  }

  @Test
  void aTableWithADeduplicationWindowTakesEveryRestore() {
    clickHouse.execute(
        "ALTER TABLE "
            + schema
            + ".state MODIFY SETTING non_replicated_deduplication_window = 1000");
    StateVersion one = set("{\"n\":1}");
    for (int i = 0; i < 3; i++) {
      set("{\"n\":2}");
      StateVersion restored = restoreState.apply(restoreState.plan(ID, one)).orElseThrow();
      assertThat(store.find(ID))
          .contains(new State(ID, JsonObject.parse("{\"n\":1}"), JsonObject.EMPTY, restored));
    }
    assertThat(entries()).hasSize(7);
  }

  @Test
  void whatATableWithADeduplicationWindowDroppedIsNotUndone() {
    clickHouse.execute(
        "ALTER TABLE "
            + schema
            + ".state MODIFY SETTING non_replicated_deduplication_window = 1000");
    insertAsThePluginWithoutVersion("{\"n\": 1}");
    insertAsThePluginWithoutVersion("{\"n\": 2}");
    insertAsThePluginWithoutVersion("{\"n\": 1}");
    assertStored("{\"n\": 2}", "{}");
    undo();
    assertStored("{\"n\": 1}", "{}");
  }

  @Test
  void restoringWhatIsStoredWritesNothing() {
    StateVersion one = set("{\"n\":1}");
    assertThat(restoreState.apply(restoreState.plan(ID, one))).isEmpty();
    assertThat(entries()).hasSize(1);
  }

  @Test
  void aWriteOfThePluginSinceThePlanIsNoticed() {
    set("{\"n\":1}");
    set("{\"n\":2}");
    RestorePlan plan = undoState.plan(ID);
    insertAsThePlugin("{\"n\": 3}", null);
    assertThatThrownBy(() -> undoState.apply(plan))
        .isInstanceOf(StateFailure.Conflict.class)
        .hasMessage(
            "the state of 'dev:tap-to-target' was changed by somebody else meanwhile; nothing was"
                + " restored; look at its history and try again");
    assertStored("{\"n\": 3}", "{}");
    assertThat(locksLeft()).isEqualTo("0");
  }

  @Test
  void aWriteOfThePluginBeforeTheReadingBackIsNoticed() {
    set("{\"n\":1}");
    set("{\"n\":2}");
    RestorePlan plan = undoState.plan(ID);
    // The look at the lock that follows the write comes between the two.
    relay.holdNext(
        "INSERT INTO \"" + schema + "\".\"state\"",
        () -> insertAsThePlugin("{\"n\": 3}", null, "now64(3) + 1"));
    assertThatThrownBy(() -> undoState.apply(plan))
        .isInstanceOf(StateFailure.Conflict.class)
        .hasMessageMatching(
            "the state of 'dev:tap-to-target' was restored as version \\S+, but somebody else"
                + " changed it since; look at its history");
    assertStored("{\"n\": 3}", "{}");
  }

  private StateVersion set(String document) {
    return setState.set(ID, JsonObject.parse(document));
  }

  private void undo() {
    assertThat(undoState.apply(undoState.plan(ID))).isPresent();
  }

  private void insertAsThePlugin(String completed, @Nullable String partial) {
    insertAsThePlugin(completed, partial, "now64(3)");
  }

  private void insertAsThePlugin(String completed, @Nullable String partial, String version) {
    clickHouse.execute(
        "INSERT INTO `%s`.`state` (state_id, completed_state, partial_state, updated_at) VALUES ('%s', '%s', %s, %s)"
            .formatted(
                schema, ID, completed, partial == null ? "NULL" : "'" + partial + "'", version));
  }

  private void insertAsThePluginWithoutVersion(String completed) {
    clickHouse.execute(
        "INSERT INTO `%s`.`state` (state_id, completed_state) VALUES ('%s', '%s')"
            .formatted(schema, ID, completed));
  }

  private void assertStored(String completed, String partial) {
    State found = store.find(ID).orElseThrow();
    assertThat(found.completed().text()).isEqualTo(completed);
    assertThat(found.partial().text()).isEqualTo(partial);
  }

  private String locksLeft() {
    return clickHouse.query("SELECT count() FROM " + schema + ".state_lock");
  }

  private List<HistoryEntry> entries() {
    List<HistoryEntry> met = new ArrayList<>();
    backend.history().forEach(ID, StateHistory.NO_LIMIT, met::add);
    return met;
  }
}
