package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.port.HistoryEntry;
import dev.statectl.port.HistoryRecord;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How history is read. */
abstract class ReadHistoryContract extends HistoryTopic {
  private static final int SAVES = 12;

  ReadHistoryContract(StateHistoryContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("R-18 Walks go from the newest record to the oldest and end at the limit.")
  final void walksGoFromTheNewestToTheLimit() {
    enable();
    List<StateVersion> versions = new ArrayList<>();
    for (int n = 1; n <= SAVES; n++) {
      versions.add(0, store().save(state(ID, "{\"n\":" + n + "}")));
      store().save(state("dev:other", "{\"n\":" + n + "}"));
    }

    assertVersions(ID, versions.toArray(StateVersion[]::new));
    assertThat(entries(ID, 5))
        .as("the versions of the newest five")
        .extracting(HistoryEntry::version)
        .containsExactlyElementsOf(versions.subList(0, 5));
    List<HistoryRecord> two = new ArrayList<>();
    history().forEachRecord(id(ID), 2, two::add);
    assertThat(two).as("the newest two with their states").hasSize(2);
    assertHolds(two.get(0), state(ID, "{\"n\":12}"));
    assertHolds(two.get(1), state(ID, "{\"n\":11}"));
    assertThat(entries("dev:none")).as("the records of an id without any").isEmpty();
  }

  @Test
  @DisplayName("R-19 A record tells the length of both halves, and which others are like it.")
  final void recordTellsLengthAndLikeness() {
    enable();
    String completed = "{\"caf\u00e9\":\"\ud83d\ude00\"}";
    store().save(state(ID, completed, "{\"p\":1}"));
    store().save(state(ID, "{}", completed));
    store().save(state(ID, completed, "{\"p\":2}"));
    store().save(state(ID, completed, "{\"p\":1}"));

    List<HistoryEntry> entries = entries(ID);
    long length = completed.getBytes(StandardCharsets.UTF_8).length;
    assertThat(entries)
        .as("the bytes of the completed halves")
        .extracting(HistoryEntry::completedBytes)
        .containsExactly(length, length, 0L, length);
    assertThat(entries)
        .as("the bytes of the partial halves")
        .extracting(HistoryEntry::partialBytes)
        .containsExactly(7L, 7L, length, 7L);
    assertThat(entries.get(0).fingerprint())
        .as("the fingerprint of the same bytes")
        .isEqualTo(entries.get(3).fingerprint());
    assertThat(entries.stream().map(HistoryEntry::fingerprint).distinct())
        .as("the fingerprints of three contents")
        .hasSize(3);
  }

  @Test
  @DisplayName("R-20 Both walks and find tell the same of a record.")
  final void allReadsTellTheSame() {
    enable();
    store().save(state(ID, "{\"a\":1}"));
    plant(ID, "[", "{\"p\":1}", FUTURE);
    store().delete(id(ID));

    List<HistoryEntry> entries = entries(ID);
    assertThat(records(ID))
        .as("what the walk with states tells")
        .extracting(HistoryRecord::entry)
        .isEqualTo(entries);
    for (HistoryEntry entry : entries) {
      assertThat(history().find(id(ID), entry.version()).map(HistoryRecord::entry))
          .as("what find tells of %s", entry.version())
          .contains(entry);
    }
  }

  @Test
  @DisplayName("R-21 A record that is no state comes as Unreadable, with what find reports.")
  final void recordThatIsNoStateComesAsUnreadable() {
    enable();
    plant(ID, "[]", "{\"p\":1}", PAST);
    StateVersion good = store().save(state(ID, "{\"a\":1}"));
    plant(ID, "{\"c\":1}", "{\"a\":", FUTURE);

    assertVersions(ID, FUTURE, good, PAST);
    List<HistoryRecord> records = records(ID);
    checkUnreadable(records.get(0), "partial_state");
    assertHolds(records.get(1), state(ID, "{\"a\":1}"));
    checkUnreadable(records.get(2), "completed_state");
    checkUnreadable(history().find(id(ID), PAST).orElseThrow(), "completed_state");
  }

  private static void checkUnreadable(HistoryRecord found, String column) {
    assertThat(found.state().orElse(null))
        .as("what a record that is no state holds")
        .isInstanceOfSatisfying(
            StoredState.Unreadable.class,
            unreadable -> {
              StateFailure.UnreadableState failure = unreadable.failure();
              assertThat(failure.id()).as("the id in the failure").isEqualTo(id(ID));
              assertThat(failure.column()).as("the column in the failure").isEqualTo(column);
            });
  }

  @Test
  @DisplayName("R-22 find gives the record of exactly its id and version.")
  final void findGivesExactlyThatRecord() {
    enable();
    State first = state(ID, "{\"a\":1}");
    State second = state(ID, "{\"a\":2}");
    StateVersion one = store().save(first);
    StateVersion two = store().save(second);

    assertHolds(findOrFail(one), first);
    assertHolds(findOrFail(two), second);
    StateVersion none = new StateVersion(two.updatedAt().plusMillis(1));
    assertThat(history().find(id(ID), none)).as("a version that never was").isEmpty();
    assertThat(history().find(id("dev:other"), one)).as("a version of another id").isEmpty();
  }

  private HistoryRecord findOrFail(StateVersion version) {
    Optional<HistoryRecord> found = history().find(id(ID), version);
    assertThat(found).as("the record of the version %s", version).isPresent();
    return found.orElseThrow();
  }

  @Test
  @DisplayName("R-23 The histories of any ids are recorded, and stay apart from each other.")
  final void historiesOfAnyIdsStayApart() {
    enable();
    List<String> ids = new ArrayList<>();
    OddTexts.ids().forEach(text -> ids.add(text.getPayload()));
    store().saveAll(ids.stream().map(id -> state(id, "{\"n\":" + ids.indexOf(id) + "}")).toList());
    plant("", "{\"n\":-1}", null, PAST);

    for (String id : ids) {
      assertHolds(only(id), state(id, "{\"n\":" + ids.indexOf(id) + "}"));
    }
    assertHolds(only(""), state("", "{\"n\":-1}"));
    assertThat(entries("a\ud83db")).as("the records of what is no text").isEmpty();
    assertThat(history().find(id("a\ud83db"), PAST)).as("a record of what is no text").isEmpty();
  }

  @Test
  @DisplayName("R-24 The action of a walk may use the store, and what it throws arrives unchanged.")
  final void actionMayUseTheStore() {
    enable();
    store().save(state(ID, "{\"a\":1}"));
    store().save(state(ID, "{\"a\":2}"));
    Thread caller = Thread.currentThread();
    List<StateVersion> saved = new ArrayList<>();
    history()
        .forEach(
            id(ID),
            1,
            entry -> {
              assertThat(Thread.currentThread()).as("the thread of the action").isSameAs(caller);
              saved.add(store().save(state(ID, "{\"a\":3}")));
              assertThat(entries(ID, 1)).as("the newest record, asked in a walk").hasSize(1);
            });
    assertThat(entries(ID).get(0).version()).as("the newest").isEqualTo(saved.get(0));

    RuntimeException thrown = new RuntimeException("thrown by the action");
    assertThat(
            failure(
                RuntimeException.class,
                "a walk whose action throws",
                () ->
                    history()
                        .forEachRecord(
                            id(ID),
                            3,
                            found -> {
                              throw thrown;
                            })))
        .as("what arrives")
        .isSameAs(thrown);
  }

  @Test
  @DisplayName("R-26 findBefore gives the record that a walk gives after that of a version.")
  final void findBeforeGivesTheNextOfAWalk() {
    enable();
    State first = state(ID, "{\"a\":1}");
    StateVersion one = store().save(first);
    store().save(state("dev:other", "{\"a\":1}"));
    store().delete(id(ID));
    plant(ID, "{\"a\":2}", null, FUTURE);
    plant(ID, "{\"a\":3}", null, FUTURE);

    List<HistoryRecord> walk = records(ID);
    StateVersion removal = walk.get(2).entry().version();
    assertThat(walk).as("all records").hasSize(4);
    assertThat(history().findBefore(id(ID), FUTURE))
        .as("what stands before one of two records with one version")
        .contains(walk.get(1));
    assertThat(history().findBefore(id(ID), new StateVersion(FUTURE.updatedAt().minusMillis(1))))
        .as("what stands before a version that never was")
        .contains(walk.get(2));
    assertHolds(history().findBefore(id(ID), removal).orElseThrow(), first);
    assertThat(history().findBefore(id(ID), one)).as("what stands before the first").isEmpty();
    assertThat(history().findBefore(id("dev:none"), FUTURE))
        .as("what stands before a version of an id without any")
        .isEmpty();
    assertThat(history().findBefore(id("a\ud83db"), FUTURE))
        .as("what stands before a version of what is no text")
        .isEmpty();
  }
}
