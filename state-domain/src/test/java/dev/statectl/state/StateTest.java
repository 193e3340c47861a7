package dev.statectl.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.json.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StateTest {
  private static final StateId ID = StateId.of("dev:a-to-b");
  private static final StateVersion STORED =
      new StateVersion(Instant.parse("2026-11-29T10:00:00Z"));

  @Test
  void theMergedViewLaysThePartialHalfOverTheCompleted() {
    assertThat(state("{\"a\": 1.0, \"b\": {\"x\": 1}}", "{\"b\": {\"x\": 2}}").merged().text())
        .isEqualTo("{\"a\": 1.0, \"b\": {\"x\": 2}}");
    assertThat(state("{\"a\": 1.0}", "{}").merged().text()).isEqualTo("{\"a\": 1.0}");
    assertThat(state("{}", "{\"a\": 1.0}").merged().text()).isEqualTo("{\"a\": 1.0}");
    assertThat(state("{}", "{}").merged()).isSameAs(JsonObject.EMPTY);
  }

  @Test
  void aNewerStateWithoutACompletedHalfIsMergedIntoThePartialOne() {
    State stored = state("{\"a\": 1}", "{\"b\": 1}").withVersion(STORED);

    assertThat(stored.updatedBy(state("{}", "{\"c\": 2}")))
        .isEqualTo(state("{\"a\": 1}", "{\"b\": 1, \"c\": 2}"));
    assertThat(stored.updatedBy(state("{}", "{}"))).isEqualTo(state("{\"a\": 1}", "{\"b\": 1}"));
  }

  @Test
  void aNewerStateWithACompletedHalfReplacesBothHalves() {
    State stored = state("{\"a\": 1}", "{\"b\": 1}").withVersion(STORED);

    assertThat(stored.updatedBy(state("{\"c\": 1}", "{}"))).isEqualTo(state("{\"c\": 1}", "{}"));
    assertThat(stored.updatedBy(state("{\"c\": 1}", "{\"d\": 1}")))
        .isEqualTo(state("{\"c\": 1}", "{\"d\": 1}"));
  }

  @Test
  void aStateUpdatesOnlyItsOwnId() {
    State other = State.of(StateId.of("other"), JsonObject.EMPTY, JsonObject.EMPTY);

    assertThatThrownBy(() -> state("{}", "{}").updatedBy(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a state of 'other' cannot update 'dev:a-to-b'");
  }

  @Test
  void emptyHalvesCountNoBytes() {
    assertThat(state("{}", "{}").utf8Length()).isZero();
    assertThat(state("{}", "{}").isEmpty()).isTrue();
    assertThat(state("{\"ж\":1}", "{\"a\":1}").utf8Length()).isEqualTo(15);
    assertThat(state("{}", "{\"a\":1}").isEmpty()).isFalse();
  }

  @Test
  void theTextFormShowsNoContent() {
    assertThat(state("{\"token\": \"hunter2\"}", "{}"))
        .hasToString(
            "State[id=dev:a-to-b, completed=JsonObject[20 chars], partial=JsonObject[2 chars],"
                + " version=1970-01-01T00:00:00Z]");
  }

  private static State state(String completed, String partial) {
    return State.of(ID, JsonObject.parse(completed), JsonObject.parse(partial));
  }
}
