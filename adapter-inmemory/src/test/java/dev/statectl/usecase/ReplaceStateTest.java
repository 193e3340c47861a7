package dev.statectl.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.json.JsonObject;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReplaceStateTest {
  private static final JsonObject DOCUMENT = JsonObject.parse("{\"c\":3}");

  private final UseCaseFixture fixture = new UseCaseFixture();
  private final ReplaceState replaceState = new ReplaceState(fixture.store(), fixture.locks());

  @Test
  void whatIsStillThereIsReplacedAndThePartialHalfEmptied() {
    State seen = stored("{\"a\":1}", "{\"b\":2}");

    assertThat(replaceState.replace(UseCaseFixture.ID, Optional.of(seen), DOCUMENT))
        .contains(UseCaseFixture.SECOND);
    assertThat(fixture.stored())
        .isEqualTo(UseCaseFixture.state("{\"c\":3}", "{}").withVersion(UseCaseFixture.SECOND));
  }

  @Test
  void whatIsStoredAgainUnchangedIsStillThere() {
    State seen = stored("{\"a\":1}", "{\"b\":2}");
    fixture.store().save(seen);

    assertThat(replaceState.replace(UseCaseFixture.ID, Optional.of(seen), DOCUMENT)).isPresent();
  }

  @Test
  void whereNothingWasSomethingNewIsStored() {
    assertThat(replaceState.replace(UseCaseFixture.ID, Optional.empty(), DOCUMENT))
        .contains(UseCaseFixture.FIRST);
  }

  @Test
  void anotherHalfIsAChange() {
    State seen = stored("{\"a\":1}", "{\"b\":2}");
    for (State other :
        new State[] {
          UseCaseFixture.state("{\"a\":1}", "{}"),
          UseCaseFixture.state("{\"a\":1.0}", "{\"b\":2}"),
          UseCaseFixture.state("{\"a\":1}", "{\"b\": 2}")
        }) {
      fixture.store().save(other);

      assertThat(replaceState.replace(UseCaseFixture.ID, Optional.of(seen), DOCUMENT)).isEmpty();
      assertThat(fixture.stored().completed()).isEqualTo(other.completed());
      assertThat(fixture.stored().partial()).isEqualTo(other.partial());
    }
  }

  @Test
  void whatIsGoneOrNewOrUnreadableIsAChange() {
    State seen = stored("{\"a\":1}", "{}");
    fixture.store().delete(UseCaseFixture.ID);
    assertThat(replaceState.replace(UseCaseFixture.ID, Optional.of(seen), DOCUMENT)).isEmpty();
    assertThat(fixture.store().find(UseCaseFixture.ID)).isEmpty();

    fixture.store().save(seen);
    assertThat(replaceState.replace(UseCaseFixture.ID, Optional.empty(), DOCUMENT)).isEmpty();

    fixture.store().delete(UseCaseFixture.ID);
    fixture.plantUnreadable();
    assertThat(replaceState.replace(UseCaseFixture.ID, Optional.of(seen), DOCUMENT)).isEmpty();
  }

  @Test
  void anIdThatMayNotBeWrittenIsRefused() {
    StateId blank = StateId.ofStored(" ");

    assertThatThrownBy(() -> replaceState.replace(blank, Optional.empty(), DOCUMENT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a state id must not be blank");
  }

  private State stored(String completed, String partial) {
    fixture.store().save(UseCaseFixture.state(completed, partial));
    return fixture.stored();
  }
}
