package dev.statectl.usecase;

import static dev.statectl.usecase.Place.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.port.Backend;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What holds for the use case over any store. */
abstract class CopyStateFacts {
  private static final StateId A = StateId.of("dev:a");
  private static final StateId B = StateId.of("dev:b");

  private final Backend backend;
  private final StateStore store;
  private final CopyState copyState;

  CopyStateFacts(Place place) {
    backend = place.open();
    store = backend.states();
    copyState = new CopyState(store, Place.locks(backend));
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  void bothHalvesOfEverySampleAreCopiedByteForByte() throws IOException {
    for (State sample : Samples.states()) {
      store.save(sample);
      StateId copy = StateId.of("copy of " + sample.id());

      State copied = copyState.copy(new Transfer(sample.id(), copy, false));

      assertThat(copied).isEqualTo(State.of(copy, sample.completed(), sample.partial()));
      assertThat(stored(copy)).hasValue(copied);
      assertThat(stored(sample.id())).hasValue(sample);
    }
  }

  @Test
  void whatIsToBeOverwrittenIs() {
    store.save(state("dev:a", "{\"x\": 1.0}", "{}"));
    store.save(state("dev:b", "{\"y\": 1}", "{\"z\": 2}"));
    copyState.copy(new Transfer(A, B, true));

    assertThat(stored(B)).hasValue(state("dev:b", "{\"x\": 1.0}", "{}"));
  }

  @Test
  void whatAppearedMeanwhileIsNotOverwritten() {
    store.save(state("dev:a", "{\"x\": 1.0}", "{}"));
    store.save(state("dev:b", "{\"y\": 1}", "{\"z\": 2}"));

    assertThatThrownBy(() -> copyState.copy(new Transfer(A, B, false)))
        .isInstanceOf(StateFailure.Conflict.class)
        .hasMessage(
            "a state of 'dev:b' was stored meanwhile; nothing was changed; try again to be asked about"
                + " it");
    assertThat(stored(B)).hasValue(state("dev:b", "{\"y\": 1}", "{\"z\": 2}"));
    assertThat(backend.locks().look(B)).isEmpty();
  }

  @Test
  void aMissingSourceLeavesTheDestinationAsItIs() {
    StateVersion version = store.save(state("dev:b", "{\"y\": 1}", "{}"));

    assertThatThrownBy(() -> copyState.copy(new Transfer(A, B, true)))
        .isInstanceOf(StateFailure.NotFound.class)
        .hasMessage("no state with the id 'dev:a'");
    assertThat(store.find(B)).hasValue(state("dev:b", "{\"y\": 1}", "{}").withVersion(version));
  }

  private Optional<State> stored(StateId id) {
    return store.find(id).map(found -> found.withVersion(StateVersion.NONE));
  }
}
