package dev.statectl.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.port.StateFailure;
import org.junit.jupiter.api.Test;

class GetStateTest {
  private final UseCaseFixture fixture = new UseCaseFixture();
  private final GetState getState = new GetState(fixture.store());

  @Test
  void aStateIsGotAsItWasSavedWithItsVersion() {
    fixture.store().save(UseCaseFixture.state("{\"a\": 1.0}", "{\"b\":NaN}"));

    assertThat(getState.get(UseCaseFixture.ID))
        .isEqualTo(
            UseCaseFixture.state("{\"a\": 1.0}", "{\"b\":NaN}").withVersion(UseCaseFixture.FIRST));
  }

  @Test
  void anEmptyStateIsAState() {
    fixture.store().save(UseCaseFixture.state("{}", "{}"));

    assertThat(getState.get(UseCaseFixture.ID).isEmpty()).isTrue();
  }

  @Test
  void anUnknownIdIsNotFound() {
    assertThatThrownBy(() -> getState.get(UseCaseFixture.ID))
        .isInstanceOf(StateFailure.NotFound.class)
        .hasMessage("no state with the id 'dev:tap-to-target'");
  }

  @Test
  void whatIsNoStateIsUnreadable() {
    fixture.plantUnreadable();

    assertThatThrownBy(() -> getState.get(UseCaseFixture.ID))
        .isInstanceOf(StateFailure.UnreadableState.class)
        .hasMessage(
            "the state of 'dev:tap-to-target' cannot be read: column completed_state: line 1, column 1:"
                + " expected an object, found an array (nothing was changed; set the state anew or"
                + " clear it)");
  }
}
