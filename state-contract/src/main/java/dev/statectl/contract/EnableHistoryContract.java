package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.Fence;
import dev.statectl.port.HistoryStatus;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateHistory;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@code status}, {@code enable} and {@code disable} do, and what is before and after. */
abstract class EnableHistoryContract extends HistoryTopic {
  EnableHistoryContract(StateHistoryContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("R-01 Where history was never enabled, reading it fails and creates nothing.")
  final void historyThatWasNeverEnabledIsNotRead() {
    Map<String, ThrowingCallable> reads = new LinkedHashMap<>();
    reads.put("forEach", () -> history().forEach(id(ID), 1, entry -> {}));
    reads.put("forEachRecord", () -> history().forEachRecord(id(ID), 1, found -> {}));
    reads.put("find", () -> history().find(id(ID), PAST));
    reads.put("findBefore", () -> history().findBefore(id(ID), PAST));
    store().save(state(ID, "{\"a\":1}"));
    store().delete(id(ID));
    reads.forEach(
        (name, read) ->
            assertThat(failure(StateFailure.NoHistory.class, name + " without history", read))
                .as("the message of %s", name)
                .hasMessageContaining("statectl history enable"));
    history().disable();

    assertThat(history().status().recording())
        .as("the status after reads")
        .isEqualTo(HistoryStatus.Recording.NEVER);
  }

  @Test
  @DisplayName("R-02 The status tells whether history is recorded, and how long it is kept.")
  final void statusTellsWhatIs() {
    assertStatus("at first", HistoryStatus.Recording.NEVER, Optional.empty());
    history().enable(KEEP);
    assertStatus("when enabled", HistoryStatus.Recording.ON, Optional.of(KEEP));
    history().disable();
    assertStatus("when disabled", HistoryStatus.Recording.OFF, Optional.of(KEEP));
    history().disable();
    assertStatus("when disabled again", HistoryStatus.Recording.OFF, Optional.of(KEEP));
    history().enable(KEEP);
    assertStatus("when enabled again", HistoryStatus.Recording.ON, Optional.of(KEEP));
  }

  @Test
  @DisplayName("R-03 Enabling again changes how long records are kept, and records none twice.")
  final void enablingAgainChangesTheTime() {
    enable();
    StateVersion version = store().save(state(ID, "{\"a\":1}"));
    history().enable(KEEP);
    history().enable(Duration.ofSeconds(3601, 999_000_000));

    assertStatus(
        "when enabled with another time",
        HistoryStatus.Recording.ON,
        Optional.of(Duration.ofSeconds(3601)));
    assertVersions(ID, version);
  }

  @Test
  @DisplayName("R-04 Enabling records what is stored already, also what cannot be read.")
  final void enablingRecordsWhatIsStored() {
    State stored = state(ID, "{ \"a\" : 1.0 }", "{\"p\":2}");
    store().save(state(ID, "{\"old\":1}"));
    StateVersion version = store().save(stored);
    plant("dev:unreadable", "[", null, PAST);
    enable();

    assertVersions(ID, version);
    assertHolds(only(ID), stored);
    assertThat(only(ID).entry().author()).as("the author of what was there before").isEmpty();
    assertThat(only("dev:unreadable").state().orElseThrow())
        .as("the record of what cannot be read")
        .isInstanceOf(StoredState.Unreadable.class);
  }

  @Test
  @DisplayName("R-05 After disabling nothing is recorded, and what was recorded stays.")
  final void disablingKeepsRecords() {
    enable();
    State first = state(ID, "{\"a\":1}");
    StateVersion version = store().save(first);
    history().disable();
    store().save(state(ID, "{\"a\":2}"));
    store().delete(id(ID));
    assertVersions(ID, version);

    State last = state(ID, "{\"a\":3}");
    StateVersion lastVersion = store().save(last);
    enable();
    assertVersions(ID, lastVersion, version);
    assertHolds(records(ID).get(0), last);
    assertHolds(records(ID).get(1), first);
  }

  @Test
  @DisplayName("R-06 A time of less than a second and a limit of less than one are refused.")
  final void nonsenseIsRefused() {
    failure(
        IllegalArgumentException.class,
        "enable for less than a second",
        () -> history().enable(Duration.ofMillis(999)));
    assertStatus("after what was refused", HistoryStatus.Recording.NEVER, Optional.empty());
    enable();
    failure(
        IllegalArgumentException.class,
        "forEach with a limit of 0",
        () -> history().forEach(id(ID), 0, entry -> {}));
    failure(
        IllegalArgumentException.class,
        "forEachRecord with a limit of -1",
        () -> history().forEachRecord(id(ID), -1, found -> {}));
  }

  @Test
  @DisplayName("R-07 A backend gives the same history at every call.")
  final void historyIsAlwaysTheSame() {
    assertThat(backend().history())
        .as("the history at the second call")
        .isSameAs(backend().history());
  }

  @Test
  @DisplayName("R-08 After close every operation of the history fails with IllegalStateException.")
  final void closedHistoryRefusesEverything() {
    enable();
    Fence fence = announced(ID);
    StateHistory history = history();
    State state = state(ID, "{\"a\":1}");
    backend().close();

    Map<String, ThrowingCallable> operations = new LinkedHashMap<>();
    operations.put("status", history::status);
    operations.put("enable", () -> history.enable(KEEP));
    operations.put("disable", history::disable);
    operations.put("forEach", () -> history.forEach(id(ID), 1, entry -> {}));
    operations.put("forEachRecord", () -> history.forEachRecord(id(ID), 1, found -> {}));
    operations.put("find", () -> history.find(id(ID), PAST));
    operations.put("findBefore", () -> history.findBefore(id(ID), PAST));
    operations.put("revert", () -> history.revert(state, fence));
    operations.forEach(
        (name, operation) ->
            failure(IllegalStateException.class, name + " after close", operation));
  }

  private void assertStatus(
      String when, HistoryStatus.Recording recording, Optional<Duration> keep) {
    assertThat(history().status())
        .as("the status %s", when)
        .isEqualTo(new HistoryStatus(recording, keep));
  }
}
