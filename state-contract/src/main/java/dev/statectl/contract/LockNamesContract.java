package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The ids of locks are opaque: whatever one holds, it is only ever itself. */
abstract class LockNamesContract extends LockTopic {
  LockNamesContract(LockTableContract contract) {
    super(contract);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("oddIds")
  @DisplayName("L-29 A lock of any id is announced, seen, renewed, met, fences and is withdrawn.")
  final void lockOfAnyIdWorks(String lock) {
    announce(lock, ours(1));

    assertSameIds("the id of the row seen", List.of(only(lock).id().text()), lock);
    assertThat(renew(lock, ours(1))).as("renew").isTrue();
    locks().removeStale(id(lock), STALE_TIME);
    checkMet(lock);
    store().save(state("dev:a", "{\"a\":1}"), fence(lock, ours(1)));
    assertFound(state("dev:a", "{\"a\":1}"));
    checkWithdrawn(lock);
  }

  /** Also the longest name that the lock of a run may have. */
  static Stream<Named<String>> oddIds() {
    return Stream.concat(
        OddTexts.ids(),
        Stream.of(
            Named.of("lock of a run", "@run:dev:tap-to-target"),
            Named.of("lock of a run, 1029 characters", "@run:" + "x".repeat(StateId.MAX_LENGTH))));
  }

  @Test
  @DisplayName("L-30 Locks of any ids stay apart from each other.")
  final void locksStayApart() {
    List<String> names = oddIds().map(Named::getPayload).toList();
    names.forEach(lock -> announce(lock, ours(1)));

    for (String lock : names) {
      assertSameIds("the id of the row seen", List.of(only(lock).id().text()), lock);
      withdraw(lock, ours(1));
    }
    assertThat(all(StateIdGlob.ALL)).as("the rows when all were withdrawn").isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("idsOfOtherPrograms")
  @DisplayName("L-31 A lock of another program whose id may not be written is met and withdrawn.")
  final void lockOfAnotherProgramWorks(String lock) {
    plant(lock, PLUGIN, "", 5);

    assertSeen(lock, PLUGIN);
    checkMet(lock);
    locks().removeStale(id(lock), STALE_TIME);
    assertSeen(lock, PLUGIN);
    assertThat(withdraw(lock, PLUGIN)).as("withdraw").isTrue();
    assertSeen(lock);
  }

  static Stream<Named<String>> idsOfOtherPrograms() {
    return OddTexts.idsOfOtherPrograms();
  }

  private void checkMet(String lock) {
    StateIdGlob literal = StateIdGlob.of(lock.replaceAll("[\\[*?]", "[$0]"));
    for (StateIdGlob glob : List.of(StateIdGlob.ALL, literal)) {
      assertSameIds(
          "the locks that the glob " + Texts.printable(glob.toString()) + " picks",
          all(glob).stream().map(row -> row.id().text()).toList(),
          lock);
    }
  }

  private void checkWithdrawn(String lock) {
    assertThat(withdraw(lock, ours(1))).as("withdraw").isTrue();
    assertSeen(lock);
    assertThat(renew(lock, ours(1))).as("renew of a row that was withdrawn").isFalse();
    assertThat(withdraw(lock, ours(1))).as("withdraw again").isFalse();
  }
}
