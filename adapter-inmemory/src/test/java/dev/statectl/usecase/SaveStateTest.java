package dev.statectl.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.json.JsonObject;
import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SaveStateTest {
  private final UseCaseFixture fixture = new UseCaseFixture();
  private final SaveState saveState = new SaveState(fixture.store());

  @Test
  void theFirstStateIsStoredAsItIs() {
    assertThat(saveState.save(UseCaseFixture.state("{\"a\": 1.0}", "{\"b\":2}")))
        .isEqualTo(UseCaseFixture.FIRST);

    assertThat(fixture.stored())
        .isEqualTo(
            UseCaseFixture.state("{\"a\": 1.0}", "{\"b\":2}").withVersion(UseCaseFixture.FIRST));
  }

  @Test
  void theFirstStateMayBePartial() {
    saveState.save(UseCaseFixture.state("{}", "{\"b\":2}"));

    assertThat(fixture.stored())
        .isEqualTo(UseCaseFixture.state("{}", "{\"b\":2}").withVersion(UseCaseFixture.FIRST));
  }

  @Test
  void aStateWithACompletedHalfReplacesBothHalves() {
    saveState.save(UseCaseFixture.state("{\"a\":1}", "{\"b\":2}"));
    assertThat(saveState.save(UseCaseFixture.state("{\"c\":3}", "{}")))
        .isEqualTo(UseCaseFixture.SECOND);

    assertThat(fixture.stored())
        .isEqualTo(UseCaseFixture.state("{\"c\":3}", "{}").withVersion(UseCaseFixture.SECOND));
  }

  @Test
  void aPartialStateIsMergedIntoTheStoredPartialHalf() {
    saveState.save(
        UseCaseFixture.state(
            "{\"singer_state\": {\"done\": 1}}",
            "{ \"singer_state\": {\"x\": {\"v\": 1.0, \"keep\": NaN}, \"l\": [1, 2]} }"));
    saveState.save(
        UseCaseFixture.state("{}", "{\"singer_state\":{\"x\":{\"v\":2},\"l\":[3],\"new\":null}}"));

    assertThat(fixture.stored())
        .isEqualTo(
            UseCaseFixture.state(
                    "{\"singer_state\": {\"done\": 1}}",
                    "{ \"singer_state\": {\"x\": {\"v\": 2, \"keep\": NaN}, \"l\": [3],"
                        + " \"new\":null} }")
                .withVersion(UseCaseFixture.SECOND));
  }

  @Test
  void anObjectOverSomethingElseReplacesIt() {
    saveState.save(UseCaseFixture.state("{}", "{\"x\":7}"));
    saveState.save(UseCaseFixture.state("{}", "{\"x\":{\"y\":1}}"));

    assertThat(fixture.stored().partial().text()).isEqualTo("{\"x\":{\"y\":1}}");
  }

  @Test
  void anEmptyStateChangesNoHalfButTheVersion() {
    saveState.save(UseCaseFixture.state("{\"a\":1}", "{\"b\":2}"));
    saveState.save(UseCaseFixture.state("{}", "{}"));

    assertThat(fixture.stored())
        .isEqualTo(
            UseCaseFixture.state("{\"a\":1}", "{\"b\":2}").withVersion(UseCaseFixture.SECOND));
  }

  @Test
  void aPartialStateIsNotMergedIntoWhatCannotBeRead() {
    fixture.plantUnreadable();

    assertThatThrownBy(() -> saveState.save(UseCaseFixture.state("{}", "{\"b\":2}")))
        .isInstanceOf(StateFailure.UnreadableState.class)
        .hasMessage(
            "the state of 'dev:tap-to-target' cannot be read: column completed_state: line 1, column 1:"
                + " expected an object, found an array (nothing was changed; set the state anew or"
                + " clear it)");
    assertThatThrownBy(fixture::stored).isInstanceOf(StateFailure.UnreadableState.class);
  }

  @Test
  void aStateWithACompletedHalfReplacesWhatCannotBeRead() {
    fixture.plantUnreadable();
    saveState.save(UseCaseFixture.state("{\"a\":1}", "{}"));

    assertThat(fixture.stored())
        .isEqualTo(UseCaseFixture.state("{\"a\":1}", "{}").withVersion(UseCaseFixture.FIRST));
  }

  @Test
  void anIdThatMayNotBeWrittenIsRefused() {
    State blank = State.of(StateId.ofStored(" "), JsonObject.EMPTY, JsonObject.parse("{\"b\":2}"));

    assertThatThrownBy(() -> saveState.save(blank))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a state id must not be blank");
    List<StateId> ids = new ArrayList<>();
    fixture.store().forEachId(StateIdGlob.ALL, ids::add);
    assertThat(ids).isEmpty();
  }

  @Test
  void whatMergesToATooLargeStateIsRefused() {
    String half = "x".repeat(40 * 1024 * 1024);
    saveState.save(UseCaseFixture.state("{}", "{\"a\":\"" + half + "\"}"));

    assertThatThrownBy(() -> saveState.save(UseCaseFixture.state("{}", "{\"b\":\"" + half + "\"}")))
        .isInstanceOf(StateFailure.TooLarge.class)
        .hasMessage(
            "the state of 'dev:tap-to-target' has 83886096 bytes, more than the 67108864 that may be"
                + " written; nothing was changed");
    assertThat(fixture.stored().version()).isEqualTo(UseCaseFixture.FIRST);
  }
}
