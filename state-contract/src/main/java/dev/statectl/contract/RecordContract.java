package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.Fence;
import dev.statectl.port.HistoryRecord;
import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.state.StateVersion;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is recorded. */
abstract class RecordContract extends HistoryTopic {
  RecordContract(StateHistoryContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("R-09 Every save is recorded with its version and both halves, under a lock or not.")
  final void everySaveIsRecorded() {
    enable();
    Fence fence = announced("dev:lock");
    State first = state(ID, "{ \"a\" : 1.0 }", "{\"p\":[1e3]}");
    State second = state(ID, "{}", "{\"p\":2}");
    State third = state(ID, "{}");
    StateVersion one = store().save(first);
    StateVersion two = store().save(second, fence);
    StateVersion three = store().save(third);

    assertVersions(ID, three, two, one);
    List<HistoryRecord> records = records(ID);
    assertHolds(records.get(0), third);
    assertHolds(records.get(1), second);
    assertHolds(records.get(2), first);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("oddDocuments")
  @DisplayName("R-10 Documents of any spelling and size are recorded byte for byte.")
  final void documentsAreRecorded(String document) {
    enable();
    Fence fence = announced("dev:lock");
    State completed = state("dev:completed", document, "{\"p\":1}");
    State partial = state("dev:partial", "{}", document);
    store().save(completed);
    store().save(partial, fence);

    assertHolds(only("dev:completed"), completed);
    assertHolds(only("dev:partial"), partial);
  }

  static Stream<Named<String>> oddDocuments() {
    return PayloadsContract.oddDocuments();
  }

  @Test
  @DisplayName("R-11 saveAll records every state that it stores.")
  final void saveAllIsRecorded() {
    enable();
    State a = state("dev:a", "{\"a\":1}");
    State b = state("dev:b", "{\"b\":1}");
    store().saveAll(List.of(a, b));

    assertHolds(only("dev:a"), a);
    assertHolds(only("dev:b"), b);
    assertVersions("dev:a", found("dev:a").version());
  }

  @Test
  @DisplayName("R-12 A state that is saved again with the same bytes is recorded again.")
  final void sameStateIsRecordedAgain() {
    enable();
    State same = state(ID, "{\"a\":1}");
    StateVersion one = store().save(same);
    StateVersion two = store().save(same);
    store().save(state(ID, "{\"a\":2}"));
    StateVersion four = store().save(same);

    assertThat(entries(ID))
        .as("the versions with the same bytes")
        .filteredOn(entry -> entry.fingerprint().equals(entries(ID).get(0).fingerprint()))
        .extracting(entry -> entry.version())
        .containsExactly(four, two, one);
    assertThat(entries(ID)).as("all records").hasSize(4);
  }

  @Test
  @DisplayName("R-13 A row that another program stored is recorded, without an author.")
  final void rowOfAnotherProgramIsRecorded() {
    enable();
    StateVersion saved = store().save(state(ID, "{\"a\":1}"));
    plant(ID, "{\"a\":2}", "{\"p\":1}", FUTURE);
    plant(ID, "{\"late\":1}", null, PAST);

    assertVersions(ID, FUTURE, saved, PAST);
    assertHolds(records(ID).get(0), state(ID, "{\"a\":2}", "{\"p\":1}"));
    assertHolds(records(ID).get(2), state(ID, "{\"late\":1}"));
    assertThat(entries(ID).get(0).author()).as("the author of a planted row").isEmpty();
  }

  @Test
  @DisplayName("R-14 A removal is recorded after what it removed; one of nothing is not.")
  final void removalIsRecorded() {
    enable();
    Fence fence = announced("dev:lock");
    State first = state(ID, "{\"a\":1}");
    StateVersion one = store().save(first);
    store().delete(id(ID));
    store().delete(id(ID));
    store().delete(id(ID), fence);
    State second = state(ID, "{\"a\":2}");
    StateVersion two = store().save(second);
    store().delete(id(ID), fence);

    List<HistoryRecord> records = records(ID);
    assertThat(records).as("the records of two saves and two removals").hasSize(4);
    assertRemoval(records.get(0), two);
    assertHolds(records.get(1), second);
    assertRemoval(records.get(2), one);
    assertHolds(records.get(3), first);
    store().delete(id("dev:other"));
    assertThat(entries("dev:other")).as("the records of what never was").isEmpty();
  }

  @Test
  @DisplayName("R-15 deleteAll records the removal of every state.")
  final void removalOfAllIsRecorded() {
    enable();
    StateVersion a = store().save(state("dev:a", "{\"a\":1}"));
    plant("dev:b", "[", null, FUTURE);
    store().save(state("dev:c", "{\"c\":1}"));
    store().delete(id("dev:c"));
    store().deleteAll();

    assertRemoval(records("dev:a").get(0), a);
    assertRemoval(records("dev:b").get(0), FUTURE);
    assertThat(records("dev:a")).as("the records of a state that was removed").hasSize(2);
    assertThat(records("dev:c")).as("the records of one that was removed before").hasSize(2);
  }

  @Test
  @DisplayName("R-16 What is removed is in the history, though it was stored before.")
  final void whatIsRemovedIsRecorded() {
    State stored = state(ID, "{\"a\":1}");
    StateVersion version = store().save(stored);
    enable();
    store().delete(id(ID));

    assertRemoval(records(ID).get(0), version);
    assertHolds(records(ID).get(1), stored);
  }

  @Test
  @DisplayName("R-17 A write that is refused is not recorded.")
  final void refusedWriteIsNotRecorded() {
    enable();
    StateVersion version = store().save(state(ID, "{\"a\":1}"));
    Fence lost = fence("dev:lock", ours(1));
    State other = state(ID, "{\"a\":2}");
    failure(StateFailure.LockLost.class, "save without a lock", () -> store().save(other, lost));
    failure(
        StateFailure.LockLost.class, "delete without a lock", () -> store().delete(id(ID), lost));
    failure(
        StateFailure.LockLost.class,
        "revert without a lock",
        () -> history().revert(other.withVersion(version), lost));
    State blank = state(" ", "{\"a\":1}");
    failure(IllegalArgumentException.class, "save of a blank id", () -> store().save(blank));

    assertVersions(ID, version);
    assertThat(entries(" ")).as("the records of an id that may not be written").isEmpty();
  }
}
