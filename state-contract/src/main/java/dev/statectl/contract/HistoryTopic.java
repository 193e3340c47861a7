package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.statectl.port.HistoryEntry;
import dev.statectl.port.HistoryRecord;
import dev.statectl.port.StateHistory;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the rules of one topic of history share: the history under test, and short words. */
abstract class HistoryTopic extends BackendTopic {
  /** The id of most states. */
  static final String ID = "dev:tap-to-target";

  /** How long records are kept in most tests. */
  static final Duration KEEP = Duration.ofDays(7);

  /** Before every save that a test makes. */
  static final StateVersion PAST = version("2020-02-03T04:05:06.789Z");

  /** After every save that a test makes. */
  static final StateVersion FUTURE = version("2200-02-03T04:05:06.789Z");

  private final StateHistoryContract contract;

  HistoryTopic(StateHistoryContract contract) {
    super(contract.opened);
    this.contract = contract;
  }

  final StateHistory history() {
    return backend().history();
  }

  final void enable() {
    history().enable(KEEP);
  }

  final void plant(
      String id, @Nullable String completed, @Nullable String partial, StateVersion version) {
    contract.plantChecked(new RawRow(id, completed, partial, version));
  }

  static StateVersion version(String instant) {
    return new StateVersion(Instant.parse(instant));
  }

  final List<HistoryEntry> entries(String id) {
    return entries(id, StateHistory.NO_LIMIT);
  }

  final List<HistoryEntry> entries(String id, int limit) {
    List<HistoryEntry> met = new ArrayList<>();
    history().forEach(id(id), limit, met::add);
    return met;
  }

  final List<HistoryRecord> records(String id) {
    List<HistoryRecord> met = new ArrayList<>();
    history().forEachRecord(id(id), StateHistory.NO_LIMIT, met::add);
    return met;
  }

  /** The only record of an id. */
  final HistoryRecord only(String id) {
    List<HistoryRecord> records = records(id);
    assertThat(records).as("the records of %s", Texts.printable(id)).hasSize(1);
    return records.get(0);
  }

  /** Checks the versions of the records of an id, from the newest to the oldest. */
  final void assertVersions(String id, StateVersion... expected) {
    assertThat(entries(id))
        .as("the versions of the records of %s", Texts.printable(id))
        .extracting(HistoryEntry::version)
        .containsExactly(expected);
  }

  /** Checks that a record holds a state. */
  static void assertHolds(HistoryRecord found, State expected) {
    assertThat(found.entry().kind())
        .as("the kind of a record of a state that was stored")
        .isEqualTo(HistoryEntry.Kind.WRITTEN);
    if (!(found.state().orElse(null) instanceof StoredState.Readable readable)) {
      fail("the record of a state that was stored holds none");
      return;
    }
    assertSameIds(
        "the id of the state in a record",
        List.of(readable.state().id().text()),
        expected.id().text());
    assertSameHalves(readable.state(), expected);
    assertThat(readable.state().version())
        .as("the version of the state in a record")
        .isEqualTo(found.entry().version());
  }

  static void assertRemoval(HistoryRecord found, StateVersion removed) {
    assertThat(found.entry().kind())
        .as("the kind of a record of a removal")
        .isEqualTo(HistoryEntry.Kind.DELETED);
    assertThat(found.state()).as("the state in a record of a removal").isEmpty();
    assertThat(found.entry().version())
        .as("the version of a removal, which is later than what it removed")
        .isGreaterThan(removed);
  }
}
