package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.statectl.json.JsonObject;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StoredState;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What reads make of rows that hold something else than a state. */
abstract class UnreadableContract extends ContractTopic {
  private static final String COMPLETED = "completed_state";
  private static final String PARTIAL = "partial_state";

  UnreadableContract(StateStoreContract contract) {
    super(contract);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("textsThatAreNoState")
  @DisplayName("S-48 find of what is no state fails with UnreadableState, naming id and column.")
  final void findNamesIdAndColumn(String text) {
    plant("dev:completed", text, "{\"p\":1}");
    plant("dev:partial", "{\"c\":1}", text);

    checkFailure(findFailure("dev:completed"), "dev:completed", COMPLETED);
    checkFailure(findFailure("dev:partial"), "dev:partial", PARTIAL);
  }

  static Stream<Named<String>> textsThatAreNoState() {
    int tooDeep = JsonObject.MAX_DEPTH + 1;
    return Stream.of(
        Named.of("array", "[]"),
        Named.of("array of states", "[{\"a\":1}]"),
        Named.of("number", "7"),
        Named.of("NaN", "NaN"),
        Named.of("string", "\"x\""),
        Named.of("object in a string", "\"{}\""),
        Named.of("boolean", "true"),
        Named.of("cut off", "{\"a\":"),
        Named.of("two objects", "{} {}"),
        Named.of("one brace too many", "{\"a\":1}}"),
        Named.of("single quotes", "{'a':1}"),
        Named.of("trailing comma", "{\"a\":1,}"),
        Named.of("no JSON", "None"),
        Named.of("byte order mark", "\ufeff{}"),
        Named.of("NUL", "\0"),
        Named.of("too deep", "{\"a\":".repeat(tooDeep) + "1" + "}".repeat(tooDeep)));
  }

  @Test
  @DisplayName("S-49 forEachState gives what is no state as Unreadable, with what find reports.")
  final void walkGivesWhatFindReports() {
    plant("dev:completed", "[]", "{\"p\":1}");
    store().save(state("dev:good", "{\"a\":1}"));
    plant("dev:partial", "{\"c\":1}", "{\"a\":");

    List<StoredState> met = states();
    assertThat(idsOf(met)).containsExactly("dev:completed", "dev:good", "dev:partial");
    checkFailure(unreadable(met.get(0)), "dev:completed", COMPLETED);
    assertSameHalves(readable(met.get(1)), state("dev:good", "{\"a\":1}"));
    checkFailure(unreadable(met.get(2)), "dev:partial", PARTIAL);
    for (String id : List.of("dev:completed", "dev:partial")) {
      StoredState stored = met.get(id.equals("dev:completed") ? 0 : 2);
      assertThat(unreadable(stored))
          .as("the failure in the walk")
          .hasMessage(findFailure(id).getMessage());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("secrets")
  @DisplayName("S-50 No message about what is no state holds any part of it.")
  final void messagesHoldNoContent(String text) {
    plant("dev:tap-to-target", text, null);

    checkNoContent(findFailure("dev:tap-to-target"));
    List<StoredState> met = states();
    assertThat(idsOf(met)).as("the ids that the walk met").containsExactly("dev:tap-to-target");
    checkNoContent(unreadable(met.get(0)));
  }

  static Stream<Named<String>> secrets() {
    return Stream.of(
        Named.of("in an array", "[\"secret-4711\"]"),
        Named.of("in a string", "\"secret-4711\""),
        Named.of("in a cut off object", "{\"password\":\"secret-4711\""),
        Named.of("in no JSON", "secret-4711"),
        Named.of("in a name", "{\"secret-4711\" 7}"));
  }

  private static void checkNoContent(StateFailure.UnreadableState failure) {
    for (@Nullable Throwable t = failure; t != null; t = t.getCause()) {
      assertThat(String.valueOf(t.getMessage()))
          .as("the message of %s", t.getClass().getSimpleName())
          .doesNotContain("secret")
          .doesNotContain("4711");
    }
  }

  private StateFailure.UnreadableState findFailure(String id) {
    return failure(
        StateFailure.UnreadableState.class,
        "find of " + Texts.printable(id) + ", where no state is stored,",
        () -> store().find(id(id)));
  }

  private static StateFailure.UnreadableState unreadable(StoredState stored) {
    if (stored instanceof StoredState.Unreadable unreadable) {
      return unreadable.failure();
    }
    return fail(
        "what is stored under %s is no state, but came as one",
        Texts.printable(stored.id().text()));
  }

  private static void checkFailure(StateFailure.UnreadableState failure, String id, String column) {
    assertThat(failure.id()).as("the id in the failure").isEqualTo(id(id));
    assertThat(failure.column()).as("the column in the failure").isEqualTo(column);
    assertThat(failure.reason()).as("the reason in the failure").isNotBlank();
  }
}
