package dev.statectl.usecase;

import static dev.statectl.usecase.Place.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.port.Backend;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdRewrite;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlanTransfersTest {

  @ParameterizedTest
  @EnumSource(Place.class)
  void aPlanForOneSaysWhetherItOverwrites(Place place) {
    try (Backend backend = filled(place, "a", "b")) {
      PlanTransfers plan = new PlanTransfers(backend.states());

      assertThat(plan.plan(id("a"), id("b"))).isEqualTo(new Transfer(id("a"), id("b"), true));
      assertThat(plan.plan(id("a"), id("c"))).isEqualTo(new Transfer(id("a"), id("c"), false));
      assertThatThrownBy(() -> plan.plan(id("c"), id("a")))
          .isInstanceOf(StateFailure.NotFound.class)
          .hasMessage("no state with the id 'c'");
      assertThatThrownBy(() -> plan.plan(id("a"), id("a")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("'a' is both source and destination");
      assertThatThrownBy(() -> plan.plan(id("a"), StateId.ofStored("")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a state id must not be blank");
    }
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void aPlanForManyHasEachSourceOnce(Place place) {
    try (Backend backend =
        filled(place, "staging:b", "staging:a", "prod:b", "prod:c", "dev:a", "staging:%_[x]")) {
      PlanTransfers plan = new PlanTransfers(backend.states());

      assertThat(plan.plan(StateIdRewrite.of("staging:*", "prod:*")))
          .containsExactly(
              new Transfer(id("staging:%_[x]"), id("prod:%_[x]"), false),
              new Transfer(id("staging:a"), id("prod:a"), false),
              new Transfer(id("staging:b"), id("prod:b"), true));
      assertThat(plan.plan(StateIdRewrite.of("nobody:*", "prod:*"))).isEqualTo(List.of());
    }
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void aPlanInWhichTheOrderWouldDecideIsRefused(Place place) {
    try (Backend backend = filled(place, "a", "aa", "ab")) {
      assertThatThrownBy(
              () -> new PlanTransfers(backend.states()).plan(StateIdRewrite.of("a*", "aa*")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "'a' -> 'aa': the destination is picked as a source, too; take a narrower pattern");
    }
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void aPlanWithAnIdThatKeepsItsNameOrMayNotBeWrittenIsRefused(Place place) {
    try (Backend backend = filled(place, "aa")) {
      PlanTransfers plan = new PlanTransfers(backend.states());

      assertThatThrownBy(() -> plan.plan(StateIdRewrite.of("a*", "*a")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("'aa': 'aa' is both source and destination");
      assertThatThrownBy(() -> plan.plan(StateIdRewrite.of("aa*", " *")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("'aa': a state id must not be blank");
    }
  }

  private static Backend filled(Place place, String... ids) {
    Backend backend = place.open();
    StateStore store = backend.states();
    for (String id : ids) {
      store.save(state(id, "{\"x\": 1}", "{}"));
    }
    return backend;
  }

  private static StateId id(String text) {
    return StateId.of(text);
  }
}
