package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code saveAll} does. */
abstract class SaveManyContract extends ContractTopic {
  SaveManyContract(StateStoreContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("S-15 saveAll stores both halves of every state, byte for byte.")
  final void saveAllStoresEveryState() {
    State a = state("dev:a", "{ \"a\":1.0}", "{\"p\": 1e3}");
    State b = state("dev:b", "{}", "{\"p\":\"\\u00e9\"}");
    State c = state("dev:c", "{}", "{}");
    store().saveAll(List.of(c, a, b));

    assertHoldsExactly(a, b, c);
  }

  @Test
  @DisplayName("S-16 saveAll replaces what is stored under its ids, and nothing else.")
  final void saveAllReplacesWhatIsStored() {
    State kept = state("dev:kept", "{\"a\":1}", "{\"b\":2}");
    store().save(kept);
    store().save(state("dev:replaced", "{\"a\":1}", "{\"b\":2}"));
    plant("dev:unreadable", "[]", null);
    State replaced = state("dev:replaced", "{\"c\":3}");
    State unreadable = state("dev:unreadable", "{\"d\":4}");
    store().saveAll(List.of(replaced, unreadable));

    assertHoldsExactly(kept, replaced, unreadable);
  }

  @Test
  @DisplayName("S-17 Of two states with one id in one saveAll the last is stored.")
  final void lastOfTwoWithOneIdIsStored() {
    State other = state("dev:other", "{\"a\":0}");
    State last = state("dev:twice", "{\"a\":3}");
    store()
        .saveAll(
            List.of(
                state("dev:twice", "{\"a\":1}", "{\"p\":1}").withVersion(FUTURE),
                state("dev:twice", "{\"a\":2}"),
                other,
                last));

    assertHoldsExactly(other, last);
  }

  @Test
  @DisplayName("S-18 saveAll of no states does nothing.")
  final void saveAllOfNothingDoesNothing() {
    store().saveAll(List.of());
    assertHoldsExactly();

    State kept = state("dev:kept", "{\"a\":1}");
    store().save(kept);
    store().saveAll(List.of());
    assertHoldsExactly(kept);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("idsThatMayNotBeWritten")
  @DisplayName("S-19 When one id may not be written, saveAll is refused and writes none.")
  final void saveAllIsRefusedForOneId(String text) {
    State kept = state("dev:kept", "{\"a\":1}");
    store().save(kept);

    IllegalArgumentException refusal =
        failure(
            IllegalArgumentException.class,
            "saveAll of a state with the id " + Texts.printable(text),
            () ->
                store()
                    .saveAll(
                        List.of(
                            state("dev:kept", "{\"a\":2}"),
                            state("dev:new", "{\"a\":2}"),
                            state(text, "{\"a\":2}"))));

    assertThat(refusal).hasMessage(id(text).fault().orElseThrow());
    assertHoldsExactly(kept);
  }

  static Stream<Named<String>> idsThatMayNotBeWritten() {
    return OddTexts.idsThatMayNotBeWritten();
  }

  @Test
  @DisplayName("S-20 When one state is too large, saveAll is refused and writes none.")
  final void saveAllIsRefusedForOneSize() {
    State kept = state("dev:kept", "{\"a\":1}");
    store().save(kept);
    State large = LargeStates.oneByteTooLarge("dev:large");
    long size = large.utf8Length();

    StateFailure.TooLarge refusal =
        failure(
            StateFailure.TooLarge.class,
            "saveAll of a state of " + size + " bytes",
            () ->
                store()
                    .saveAll(
                        List.of(
                            state("dev:kept", "{\"a\":2}"), state("dev:new", "{\"a\":2}"), large)));

    assertThat(refusal.id()).as("the id in the refusal").isEqualTo(large.id());
    assertThat(refusal.bytes()).as("the size in the refusal").isEqualTo(size);
    assertThat(refusal.limit()).as("the limit in the refusal").isEqualTo(size - 1);
    assertHoldsExactly(kept);
  }

  @Test
  @DisplayName("S-21 saveAll stores 2500 states, each of which is found.")
  final void saveAllStoresManyStates() {
    List<State> many =
        IntStream.range(0, 2500)
            .mapToObj(
                n ->
                    state(
                        String.format("dev:tap-%04d-to-target", n),
                        "{\"n\":" + n + "}",
                        "{\"p\":\"" + "x".repeat(n % 50) + "\"}"))
            .toList();
    store().saveAll(many);

    assertHoldsExactly(many.toArray(State[]::new));
    assertFound(many.get(0));
    assertFound(many.get(1234));
    assertFound(many.get(2499));
  }

  @Test
  @DisplayName("S-22 What becomes of the collection after saveAll changes nothing stored.")
  final void collectionMayBeChangedAfterwards() {
    State a = state("dev:a", "{\"a\":1}");
    State b = state("dev:b", "{\"b\":1}");
    List<State> states = new ArrayList<>(List.of(a, b));
    store().saveAll(states);
    states.set(0, state("dev:a", "{\"a\":2}"));
    states.remove(1);
    states.add(state("dev:c", "{\"c\":1}"));

    assertHoldsExactly(a, b);
  }

  @Test
  @DisplayName("S-23 saveAll leaves the collection as it is.")
  final void collectionIsLeftAlone() {
    List<State> given =
        List.of(state("dev:b", "{\"b\":1}"), state("dev:a", "{\"a\":1}"), state("dev:b", "{}"));
    List<State> states = new ArrayList<>(given);
    store().saveAll(states);

    assertThat(states).as("the collection after saveAll").isEqualTo(given);
  }
}
