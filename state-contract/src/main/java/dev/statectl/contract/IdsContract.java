package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.state.State;
import dev.statectl.state.StateIdGlob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ids are opaque: whatever one holds, it is only ever itself. */
abstract class IdsContract extends ContractTopic {
  private static final List<String> MEANING_MUCH =
      List.of("%", "_", "*", "[a]", "a?b", "A", "a\\", "' OR '1'='1", " a", "a\0");

  IdsContract(StateStoreContract contract) {
    super(contract);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("oddIds")
  @DisplayName("S-51 An id of any characters is saved, found, met by both walks and deleted.")
  final void idOfAnyCharactersWorks(String text) {
    store().save(state(text, "{\"a\":1}"));
    State saved = state(text, "{\"a\":2}");
    store().save(saved);

    assertFound(saved);
    assertHoldsExactly(saved);
    checkMetAlone(text);
    checkDeleted(text);
  }

  static Stream<Named<String>> oddIds() {
    return OddTexts.ids();
  }

  @Test
  @DisplayName("S-52 Ids of any characters stay apart from each other.")
  final void idsStayApart() {
    List<String> texts = OddTexts.ids().map(Named::getPayload).toList();
    List<State> states = new ArrayList<>();
    for (String text : texts) {
      states.add(state(text, "{\"n\":" + states.size() + "}"));
    }
    store().saveAll(states);
    states.sort(Comparator.comparing(State::id));

    states.forEach(this::assertFound);
    assertHoldsExactly(states.toArray(State[]::new));
    for (String text : MEANING_MUCH) {
      store().delete(id(text));
      states.removeIf(state -> state.id().text().equals(text));
    }
    assertHoldsExactly(states.toArray(State[]::new));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("idsOfOtherPrograms")
  @DisplayName("S-53 An id of another program that may not be written is found, met and deleted.")
  final void idOfAnotherProgramWorks(String text) {
    plant(text, "{\"a\":1}", "{\"p\":1}");
    State stored = state(text, "{\"a\":1}", "{\"p\":1}");

    assertFound(stored);
    assertHoldsExactly(stored);
    checkMetAlone(text);
    checkDeleted(text);
  }

  static Stream<Named<String>> idsOfOtherPrograms() {
    return OddTexts.idsOfOtherPrograms();
  }

  @Test
  @DisplayName("S-54 An id with half of a surrogate pair is never found, and deletes nothing.")
  final void halfOfASurrogatePairIsNothing() {
    // What encoders write in its place.
    State question = state("dev:?", "{\"a\":1}");
    State replacement = state("dev:\ufffd", "{\"a\":2}");
    store().saveAll(List.of(question, replacement));

    for (String text : List.of("dev:\ud83d", "dev:\ude00")) {
      assertNotFound(text);
      assertThat(store().delete(id(text)))
          .as("delete of the id %s", Texts.printable(text))
          .isFalse();
      assertThat(ids(StateIdGlob.of(text)))
          .as("the ids that the glob %s picks", Texts.printable(text))
          .isEmpty();
    }
    assertHoldsExactly(question, replacement);
  }

  private void checkMetAlone(String text) {
    StateIdGlob glob = literal(text);
    assertSameIds("the ids that the glob of exactly this id picks", ids(glob), text);
    assertSameIds("the states that the glob of exactly this id picks", idsOf(states(glob)), text);
  }

  private void checkDeleted(String text) {
    assertThat(store().delete(id(text))).as("delete of the id").isTrue();
    assertNotFound(text);
    assertSameIds("the ids after the delete", ids());
    assertThat(store().delete(id(text))).as("delete of the id again").isFalse();
  }

  /** A glob that picks one id: what means something in globs stands in a class of its own. */
  private static StateIdGlob literal(String text) {
    return StateIdGlob.of(text.replaceAll("[\\[*?]", "[$0]"));
  }
}
