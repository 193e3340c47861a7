package dev.statectl.usecase;

import static dev.statectl.usecase.Place.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.json.JsonObject;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.Backend;
import dev.statectl.port.SaveRules;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.port.StoredState;
import dev.statectl.state.ExportReader;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.state.StateVersion;
import dev.statectl.usecase.ExportStates.Exported;
import dev.statectl.usecase.ImportStates.IfExists;
import dev.statectl.usecase.ImportStates.Plan;
import dev.statectl.usecase.ImportStates.Result;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What holds for both use cases over any store. */
abstract class ExportImportFacts {
  private static final int BATCH = 5;
  private static final int BATCH_BYTES = 20_000;

  private final Backend backend;
  private final Backend other;
  private final StateStore store;
  private final ImportStates importStates;
  private final List<String> failures = new ArrayList<>();

  ExportImportFacts(Place place) {
    backend = place.open();
    other = place.open();
    store = backend.states();
    importStates = importInto(store, Duration.ofSeconds(30));
  }

  @AfterEach
  void close() {
    backend.close();
    other.close();
  }

  @Test
  void anExportThatIsImportedElsewhereBringsEverySampleByteForByte() throws IOException {
    List<State> samples = Samples.states();
    samples.add(state("c:{fn now()} '\\%_\u2028🚀\"\n", "{}", "{}"));
    store.saveAll(samples);
    String export = exported(StateIdGlob.ALL, new Exported(samples.size(), 0));
    ImportStates elsewhere = new ImportStates(other.states(), Place.locks(other));

    Result result = elsewhere.run(source(export), IfExists.FAIL, this::failed, () -> false);

    assertThat(result).isEqualTo(new Result(samples.size(), 0, 0, 0, 0));
    assertThat(states(other.states())).containsExactlyInAnyOrderElementsOf(samples);
    assertThat(exported(new ExportStates(other.states()), StateIdGlob.ALL)).isEqualTo(export);
    assertThat(failures).isEmpty();
  }

  @Test
  void theStatesThatAGlobPicksAreExportedInTheOrderOfTheirIds() {
    store.save(state("b:2", "{\"x\": 1.0}", "{}"));
    store.save(state("b:1", "{}", "{\"y\":NaN}"));
    store.save(state("a:1", "{}", "{}"));

    assertThat(exported(StateIdGlob.of("b:*"), new Exported(2, 0)))
        .isEqualTo(
            """
            {"b:1": {"completed": {}, "partial": {"y":NaN}},
            "b:2": {"completed": {"x": 1.0}, "partial": {}}}
            """);
    assertThat(exported(StateIdGlob.of("c:*"), new Exported(0, 0))).isEqualTo("{}\n");
  }

  @Test
  void thePlanCountsWhatIsThereAndChangesNothing() {
    store.save(state("b", "{\"old\": 1}", "{}"));
    store.save(state("x", "{\"old\": 1}", "{}"));
    StateSource source = states(state("a", "{\"n\": 1}", "{}"), state("b", "{\"n\": 1}", "{}"));

    assertThat(importStates.plan(source)).isEqualTo(new Plan(2, 1, Optional.of(StateId.of("b"))));
    assertThat(importStates.plan(states())).isEqualTo(new Plan(0, 0, Optional.empty()));
    assertThat(states(store))
        .containsExactly(state("b", "{\"old\": 1}", "{}"), state("x", "{\"old\": 1}", "{}"));
  }

  @Test
  void thePlanRefusesAStateThatIsTooLarge() {
    String text = "x".repeat((int) SaveRules.MAX_STATE_BYTES);

    assertThatThrownBy(
            () ->
                importStates.plan(
                    states(state("a", "{}", "{}"), state("b", "{\"x\":\"" + text + "\"}", "{}"))))
        .isInstanceOf(StateFailure.TooLarge.class)
        .hasMessage(
            "the state of 'b' has 67108872 bytes, more than the 67108864 that may be written; nothing"
                + " was changed");
  }

  @Test
  void storedStatesAreOverwrittenKeptOrAFailureAsAskedFor() {
    StateSource source = states(state("a", "{\"n\": 1}", "{}"), state("b", "{\"n\": 1}", "{}"));
    State old = state("b", "{\"old\": 1}", "{\"p\": 1}");

    store.save(old);
    assertThat(run(source, IfExists.SKIP)).isEqualTo(new Result(1, 0, 1, 0, 0));
    assertThat(states(store)).containsExactly(state("a", "{\"n\": 1}", "{}"), old);
    assertThat(failures).isEmpty();

    store.delete(StateId.of("a"));
    assertThat(run(source, IfExists.FAIL)).isEqualTo(new Result(1, 0, 0, 1, 0));
    assertThat(states(store)).containsExactly(state("a", "{\"n\": 1}", "{}"), old);
    assertThat(failures)
        .containsExactly("b: a state of 'b' was stored meanwhile; it was left as it is");

    assertThat(run(source, IfExists.OVERWRITE)).isEqualTo(new Result(0, 2, 0, 0, 0));
    assertThat(states(store))
        .containsExactly(state("a", "{\"n\": 1}", "{}"), state("b", "{\"n\": 1}", "{}"));
    assertNoLocks("a", "b");
  }

  @Test
  void aStateWhoseLockIsHeldFailsAndTheOthersAreStored() {
    StateSource source =
        states(state("a", "{}", "{}"), state("b", "{}", "{}"), state("c", "{}", "{}"));
    Result result;
    try (StateLock held = Place.locks(backend).acquire(StateId.of("b"))) {
      result =
          importInto(store, Duration.ZERO)
              .run(source, IfExists.OVERWRITE, this::failed, () -> false);
      assertThat(held.isValid()).isTrue();
    }

    assertThat(result).isEqualTo(new Result(2, 0, 0, 1, 0));
    assertThat(failures)
        .singleElement()
        .asString()
        .startsWith("b: the lock of 'b' is held by the test (lock id ");
    assertThat(states(store)).containsExactly(state("a", "{}", "{}"), state("c", "{}", "{}"));
    assertNoLocks("a", "b", "c");
  }

  @Test
  void aStoreThatStopsWorkingEndsTheImportAndAllThatIsLeftCounts() {
    List<State> states = new ArrayList<>();
    for (int i = 0; i < 2 * BATCH + 7; i++) {
      states.add(state(String.format("id-%03d", i), "{\"i\": " + i + "}", "{}"));
    }
    // The ids of a batch are looked for, then it is saved; then the look of the next batch.
    FailingStore failing = new FailingStore(store, 3, false);

    Result result =
        importInto(failing.store(), Duration.ofSeconds(30))
            .run(states::forEach, IfExists.OVERWRITE, this::failed, () -> false);

    assertThat(result).isEqualTo(new Result(BATCH, 0, 0, 1, BATCH + 6));
    assertThat(failures).containsExactly("id-005: the store is down");
    assertThat(states(store)).isEqualTo(states.subList(0, BATCH));
    assertNoLocks("id-004", "id-005", "id-006");
  }

  @Test
  void aBatchThatIsNotSavedFailsWithAllItsStates() {
    FailingStore failing = new FailingStore(store, 2, false);

    Result result =
        importInto(failing.store(), Duration.ofSeconds(30))
            .run(
                states(state("b", "{}", "{}"), state("a", "{}", "{}")),
                IfExists.OVERWRITE,
                this::failed,
                () -> false);

    assertThat(result).isEqualTo(new Result(0, 0, 0, 2, 0));
    assertThat(failures).containsExactly("a: the store is down", "b: the store is down");
    assertThat(states(store)).isEmpty();
    assertNoLocks("a", "b");
  }

  @Test
  void whoIsAskedToStopStopsBeforeTheNextBatch() {
    List<State> states = new ArrayList<>();
    for (int i = 0; i < BATCH + 1; i++) {
      states.add(state(String.format("id-%03d", i), "{}", "{}"));
    }
    int[] asked = {0};

    Result result =
        importStates.run(states::forEach, IfExists.OVERWRITE, this::failed, () -> asked[0]++ == 1);

    assertThat(result).isEqualTo(new Result(BATCH, 0, 0, 0, 1));
    assertThat(failures).isEmpty();
    assertThat(states(store)).hasSize(BATCH);
  }

  @Test
  void largeStatesFillABatchByTheirBytes() {
    JsonObject half = JsonObject.parse("{\"x\": \"" + "x".repeat(BATCH_BYTES / 2) + "\"}");
    List<State> states = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      states.add(State.of(StateId.of("id-" + i), half, JsonObject.EMPTY));
    }
    int[] batches = {0};

    importStates.run(
        states::forEach,
        IfExists.OVERWRITE,
        this::failed,
        () -> {
          batches[0]++;
          return false;
        });

    assertThat(batches[0]).isEqualTo(3);
    assertThat(states(store)).isEqualTo(states);
  }

  private Result run(StateSource source, IfExists ifExists) {
    failures.clear();
    return importStates.run(source, ifExists, this::failed, () -> false);
  }

  private ImportStates importInto(StateStore states, Duration timeout) {
    return new ImportStates(
        states,
        Place.locks(backend.locks(), LockTerms.DEFAULT.withTimeout(timeout)),
        BATCH,
        BATCH_BYTES);
  }

  private void failed(StateId id, StateFailure failure) {
    failures.add(id + ": " + failure.getMessage());
  }

  private String exported(StateIdGlob glob, Exported expected) {
    StringBuilder text = new StringBuilder();
    assertThat(new ExportStates(store).export(glob, text::append, failure -> {}))
        .isEqualTo(expected);
    return text.toString();
  }

  private static String exported(ExportStates exportStates, StateIdGlob glob) {
    StringBuilder text = new StringBuilder();
    exportStates.export(glob, text::append, failure -> {});
    return text.toString();
  }

  private static StateSource source(String export) {
    return action -> {
      ExportReader reader = new ExportReader(SaveRules.MAX_STATE_BYTES, action);
      reader.read(export);
      reader.end();
    };
  }

  private static StateSource states(State... states) {
    return List.of(states)::forEach;
  }

  private static List<State> states(StateStore store) {
    List<State> states = new ArrayList<>();
    store.forEachState(
        StateIdGlob.ALL,
        stored ->
            states.add(((StoredState.Readable) stored).state().withVersion(StateVersion.NONE)));
    return states;
  }

  private void assertNoLocks(String... ids) {
    for (String id : ids) {
      assertThat(backend.locks().look(StateId.of(id))).as(id).isEmpty();
    }
  }
}
