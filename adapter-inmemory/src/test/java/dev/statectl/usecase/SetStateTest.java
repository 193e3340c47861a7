package dev.statectl.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.json.JsonObject;
import dev.statectl.state.StateId;
import org.junit.jupiter.api.Test;

class SetStateTest {
  private final UseCaseFixture fixture = new UseCaseFixture();
  private final SetState setState = new SetState(fixture.store());

  @Test
  void theDocumentBecomesTheCompletedHalfByteForByte() {
    assertThat(
            setState.set(UseCaseFixture.ID, JsonObject.parse("{ \"singer_state\":{\"n\":1e3} }")))
        .isEqualTo(UseCaseFixture.FIRST);

    assertThat(fixture.stored())
        .isEqualTo(
            UseCaseFixture.state("{ \"singer_state\":{\"n\":1e3} }", "{}")
                .withVersion(UseCaseFixture.FIRST));
  }

  @Test
  void theStoredPartialHalfIsEmptied() {
    fixture.store().save(UseCaseFixture.state("{\"a\":1}", "{\"b\":2}"));
    setState.set(UseCaseFixture.ID, JsonObject.parse("{\"c\":3}"));

    assertThat(fixture.stored())
        .isEqualTo(UseCaseFixture.state("{\"c\":3}", "{}").withVersion(UseCaseFixture.SECOND));
  }

  @Test
  void anEmptyDocumentLeavesAnEmptyState() {
    fixture.store().save(UseCaseFixture.state("{\"a\":1}", "{\"b\":2}"));
    setState.set(UseCaseFixture.ID, JsonObject.EMPTY);

    assertThat(fixture.stored())
        .isEqualTo(UseCaseFixture.state("{}", "{}").withVersion(UseCaseFixture.SECOND));
  }

  @Test
  void whatCannotBeReadIsReplaced() {
    fixture.plantUnreadable();
    setState.set(UseCaseFixture.ID, JsonObject.parse("{\"c\":3}"));

    assertThat(fixture.stored())
        .isEqualTo(UseCaseFixture.state("{\"c\":3}", "{}").withVersion(UseCaseFixture.FIRST));
  }

  @Test
  void anIdThatMayNotBeWrittenIsRefused() {
    StateId long1025 = StateId.ofStored("x".repeat(1025));

    assertThatThrownBy(() -> setState.set(long1025, JsonObject.EMPTY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a state id has at most 1024 characters, this one has 1025");
  }
}
