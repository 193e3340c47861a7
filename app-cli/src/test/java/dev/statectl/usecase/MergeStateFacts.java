package dev.statectl.usecase;

import static dev.statectl.usecase.Place.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.json.JsonObject;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.Backend;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import dev.statectl.usecase.MergeState.Merged;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What holds for the use case over any store. */
abstract class MergeStateFacts {
  private static final StateId ID = StateId.of("dev:a");

  private final Backend backend;
  private final StateStore store;
  private final MergeState mergeState;

  MergeStateFacts(Place place) {
    backend = place.open();
    store = backend.states();
    mergeState = new MergeState(store, Place.locks(backend));
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  void theDocumentIsLaidOverThePartialHalfAndTheCompletedOneStays() {
    store.save(
        state(
            "dev:a",
            "{\"singer_state\": {\"x\": 1.0, \"l\": [1, 2]}}",
            "{ \"singer_state\": {\"y\": {\"a\": 1e3, \"b\": NaN}, \"l\": [3]} }"));

    Merged merged =
        mergeState.merge(
            ID, JsonObject.parse("{\"singer_state\":{\"y\":{\"b\":7},\"l\":[],\"n\":null}}"));

    assertThat(stored("dev:a"))
        .hasValue(
            state(
                "dev:a",
                "{\"singer_state\": {\"x\": 1.0, \"l\": [1, 2]}}",
                "{ \"singer_state\": {\"y\": {\"a\": 1e3, \"b\": 7}, \"l\": [], \"n\":null} }"));
    assertThat(merged.after()).isEqualTo(stored("dev:a").orElseThrow());
    assertThat(merged.before().orElseThrow().partial().text())
        .isEqualTo("{ \"singer_state\": {\"y\": {\"a\": 1e3, \"b\": NaN}, \"l\": [3]} }");
  }

  @Test
  void whereNothingIsStoredTheDocumentIsAPartialState() {
    Merged merged = mergeState.merge(ID, JsonObject.parse("{\"singer_state\": {}}"));

    assertThat(merged.before()).isEmpty();
    assertThat(stored("dev:a")).hasValue(state("dev:a", "{}", "{\"singer_state\": {}}"));
  }

  @Test
  void sourcesAreLaidOverInTheirOrderAsTheirNextRunsWouldStart() {
    store.save(state("dev:a", "{\"done\": 1}", "{}"));
    store.save(state("b", "{\"x\": 1.0, \"y\": 1}", "{\"y\": 2}"));
    store.save(state("c", "{\"y\": 3, \"z\": [4]}", "{}"));

    mergeState.merge(ID, List.of(StateId.of("b"), StateId.of("c")));
    assertThat(stored("dev:a"))
        .hasValue(state("dev:a", "{\"done\": 1}", "{\"x\": 1.0, \"y\": 3, \"z\": [4]}"));

    mergeState.merge(ID, List.of(StateId.of("c"), StateId.of("b")));
    assertThat(stored("dev:a"))
        .hasValue(state("dev:a", "{\"done\": 1}", "{\"x\": 1.0, \"y\": 2, \"z\": [4]}"));
    assertThat(stored("b")).hasValue(state("b", "{\"x\": 1.0, \"y\": 1}", "{\"y\": 2}"));
  }

  @Test
  void aMissingSourceChangesNothing() {
    StateVersion version = store.save(state("dev:a", "{}", "{\"x\": 1}"));
    store.save(state("b", "{\"y\": 1}", "{}"));

    assertThatThrownBy(() -> mergeState.merge(ID, List.of(StateId.of("b"), StateId.of("c"))))
        .isInstanceOf(StateFailure.NotFound.class)
        .hasMessage("no state with the id 'c'");
    assertThat(store.find(ID)).hasValue(state("dev:a", "{}", "{\"x\": 1}").withVersion(version));
    assertThat(backend.locks().look(ID)).isEmpty();
  }

  @Test
  void aStateIsNotMergedIntoItself() {
    store.save(state("dev:a", "{}", "{\"x\": 1}"));

    assertThatThrownBy(() -> mergeState.merge(ID, List.of(ID)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'dev:a' cannot be merged into itself");
    assertThatThrownBy(() -> mergeState.preview(ID, List.of(ID)))
        .hasMessage("'dev:a' cannot be merged into itself");
  }

  @Test
  void anIdThatMayNotBeWrittenIsRefused() {
    assertThatThrownBy(() -> mergeState.merge(StateId.ofStored(" "), JsonObject.EMPTY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a state id must not be blank");
  }

  @Test
  void aPreviewIsWhatTheMergeThenStoresAndChangesNothing() {
    store.save(state("dev:a", "{\"c\": 1}", "{\"x\": 1}"));
    store.save(state("b", "{\"x\": {\"y\": 2}}", "{}"));
    List<StateId> sources = List.of(StateId.of("b"));
    Merged preview = mergeState.preview(ID, sources);

    assertThat(stored("dev:a")).hasValue(state("dev:a", "{\"c\": 1}", "{\"x\": 1}"));
    assertThat(mergeState.merge(ID, sources)).isEqualTo(preview);
    assertThat(stored("dev:a")).hasValue(preview.after());
    assertThat(mergeState.preview(ID, JsonObject.parse("{\"x\": 3}")).after())
        .isEqualTo(state("dev:a", "{\"c\": 1}", "{\"x\": 3}"));
  }

  @Test
  void aPreviewOfATooLargeStateIsRefusedAsTheMergeIs() {
    JsonObject half = JsonObject.parse("{\"a\": \"" + "x".repeat(40 * 1024 * 1024) + "\"}");
    JsonObject other = JsonObject.parse("{\"b\": \"" + "x".repeat(40 * 1024 * 1024) + "\"}");
    store.save(State.of(ID, JsonObject.EMPTY, half));

    for (boolean preview : new boolean[] {true, false}) {
      assertThatThrownBy(
              () -> {
                if (preview) {
                  mergeState.preview(ID, other);
                } else {
                  mergeState.merge(ID, other);
                }
              })
          .isInstanceOf(StateFailure.TooLarge.class)
          .hasMessage(
              "the state of 'dev:a' has 83886098 bytes, more than the 67108864 that may be written;"
                  + " nothing was changed");
    }
  }

  @Test
  void aLockThatIsHeldKeepsTheMergeOut() {
    store.save(state("dev:a", "{}", "{\"x\": 1}"));
    AcquireLock impatient =
        Place.locks(backend.locks(), LockTerms.DEFAULT.withTimeout(Duration.ZERO));
    MergeState other = new MergeState(store, impatient);
    try (StateLock held = Place.locks(backend).acquire(ID)) {
      assertThatThrownBy(() -> other.merge(ID, JsonObject.parse("{\"x\": 2}")))
          .isInstanceOf(StateFailure.LockHeld.class)
          .hasMessageStartingWith("the lock of 'dev:a' is held by the test");
      assertThat(held.isValid()).isTrue();
    }
    assertThat(stored("dev:a")).hasValue(state("dev:a", "{}", "{\"x\": 1}"));
  }

  private Optional<State> stored(String id) {
    return store.find(StateId.of(id)).map(found -> found.withVersion(StateVersion.NONE));
  }
}
