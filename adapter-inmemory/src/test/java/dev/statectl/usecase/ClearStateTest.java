package dev.statectl.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.json.JsonObject;
import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import org.junit.jupiter.api.Test;

class ClearStateTest {
  private static final StateId OTHER = StateId.of("dev:tap-to-target:suffix");

  private final UseCaseFixture fixture = new UseCaseFixture();
  private final ClearState clearState = new ClearState(fixture.store());

  @Test
  void aStateIsClearedAndNoOther() {
    fixture.store().save(UseCaseFixture.state("{\"a\":1}", "{\"b\":2}"));
    fixture.store().save(State.of(OTHER, JsonObject.EMPTY, JsonObject.EMPTY));
    clearState.clear(UseCaseFixture.ID);

    assertThat(fixture.store().find(UseCaseFixture.ID)).isEmpty();
    assertThat(fixture.store().find(OTHER)).isPresent();
  }

  @Test
  void anUnknownIdIsNotFound() {
    fixture.store().save(State.of(OTHER, JsonObject.EMPTY, JsonObject.EMPTY));

    assertThatThrownBy(() -> clearState.clear(UseCaseFixture.ID))
        .isInstanceOf(StateFailure.NotFound.class)
        .hasMessage("no state with the id 'dev:tap-to-target'");
    assertThat(fixture.store().find(OTHER)).isPresent();
  }

  @Test
  void whatCannotBeReadIsCleared() {
    fixture.plantUnreadable();
    clearState.clear(UseCaseFixture.ID);

    assertThat(fixture.store().find(UseCaseFixture.ID)).isEmpty();
  }

  @Test
  void allStatesAreClearedAndCounted() {
    fixture.plantUnreadable();
    fixture.store().save(State.of(OTHER, JsonObject.EMPTY, JsonObject.EMPTY));

    assertThat(clearState.clearAll()).isEqualTo(2);
    assertThat(clearState.clearAll()).isZero();
    assertThat(fixture.store().find(OTHER)).isEmpty();
  }
}
