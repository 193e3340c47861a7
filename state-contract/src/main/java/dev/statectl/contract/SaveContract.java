package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.state.StateVersion;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code save} does. */
abstract class SaveContract extends ContractTopic {
  SaveContract(StateStoreContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("S-08 A save replaces both halves.")
  final void saveReplacesBothHalves() {
    store().save(state("dev:tap-to-target", "{\"a\":1}", "{\"b\":2}"));
    store().save(state("dev:tap-to-target", "{\"c\":3}"));
    assertFound(state("dev:tap-to-target", "{\"c\":3}", "{}"));

    store().save(state("dev:tap-to-target", "{}", "{\"d\":4}"));
    assertFound(state("dev:tap-to-target", "{}", "{\"d\":4}"));
  }

  @Test
  @DisplayName("S-09 An empty state is stored and found.")
  final void emptyStateIsStored() {
    store().save(state("dev:new", "{}", "{}"));
    store().save(state("dev:old", "{\"a\":1}", "{\"b\":2}"));
    store().save(state("dev:old", "{}", "{}"));

    assertFound(state("dev:new", "{}", "{}"));
    assertFound(state("dev:old", "{}", "{}"));
    assertThat(ids()).as("the ids of two empty states").containsExactly("dev:new", "dev:old");
  }

  @Test
  @DisplayName("S-10 A state is found with the version that save returned.")
  final void saveReturnsTheVersionThatIsFound() {
    StateVersion first = store().save(state("dev:tap-to-target", "{\"a\":1}"));
    assertThat(found("dev:tap-to-target").version())
        .as("the version found after the first save")
        .isEqualTo(first);

    StateVersion second = store().save(state("dev:tap-to-target", "{\"a\":2}"));
    assertThat(found("dev:tap-to-target").version())
        .as("the version found after the second save")
        .isEqualTo(second);
  }

  @Test
  @DisplayName("S-11 A state that is saved again after another one is found again.")
  final void sameBytesAfterOthersAreStoredAgain() {
    State a = state("dev:tap-to-target", "{\"a\":1}");
    State b = state("dev:tap-to-target", "{\"b\":2}");
    store().save(a);
    store().save(b);
    store().save(a);

    assertFound(a);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("idsThatMayNotBeWritten")
  @DisplayName("S-12 A state whose id may not be written is refused with the id's fault.")
  final void idThatMayNotBeWrittenIsRefused(String text) {
    State kept = state("dev:kept", "{\"a\":1}");
    store().save(kept);

    IllegalArgumentException refusal =
        failure(
            IllegalArgumentException.class,
            "save of a state with the id " + Texts.printable(text),
            () -> store().save(state(text, "{\"a\":2}")));

    assertThat(refusal).hasMessage(id(text).fault().orElseThrow());
    assertHoldsExactly(kept);
  }

  static Stream<Named<String>> idsThatMayNotBeWritten() {
    return OddTexts.idsThatMayNotBeWritten();
  }

  @Test
  @DisplayName("S-13 A state that is too large is refused, naming id, size and limit.")
  final void stateThatIsTooLargeIsRefused() {
    State kept = state("dev:kept", "{\"a\":1}");
    store().save(kept);
    State large = LargeStates.oneByteTooLarge("dev:kept");
    long size = large.utf8Length();

    StateFailure.TooLarge refusal =
        failure(
            StateFailure.TooLarge.class,
            "save of a state of " + size + " bytes",
            () -> store().save(large));

    assertThat(refusal.id()).as("the id in the refusal").isEqualTo(large.id());
    assertThat(refusal.bytes()).as("the size in the refusal").isEqualTo(size);
    assertThat(refusal.limit()).as("the limit in the refusal").isEqualTo(size - 1);
    assertHoldsExactly(kept);
  }

  @Test
  @DisplayName("S-14 A save replaces what cannot be read.")
  final void saveReplacesWhatCannotBeRead() {
    plant("dev:tap-to-target", "[]", "broken");
    State saved = state("dev:tap-to-target", "{\"a\":1}");
    store().save(saved);

    assertFound(saved);
  }

  @Test
  @DisplayName("S-71 A save under a lock replaces what cannot be read.")
  final void saveUnderALockReplacesWhatCannotBeRead() {
    plant("dev:tap-to-target", "[]", "broken");
    State saved = state("dev:tap-to-target", "{\"a\":1}");
    store().save(saved, announced("dev:lock"));

    assertFound(saved);
  }
}
