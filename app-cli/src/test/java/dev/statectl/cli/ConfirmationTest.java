package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfirmationTest {
  private static final String DRY = "statectl: dry run: nothing was changed\n";

  @TempDir private Path directory;
  private Path store;
  private String before;

  @BeforeEach
  void storeAState() throws IOException {
    store = directory.resolve("s.json");
    Files.writeString(store, "{\"dev:a\": {\"completed\": {\"singer_state\": {}}}}");
    before = Files.readString(store);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--force", "--yes", "-y"})
  void eachSpellingIsTheSameConsent(String consent) {
    assertThat(run().run("set", "dev:a", consent, "{\"singer_state\": {\"a\": 1}}"))
        .isEqualTo(
            new Outcome(0, "", "statectl: set 'dev:a' in memory:" + store + " (26 bytes)\n"));
  }

  @Test
  void aDryRunSaysWhatWouldBeOverwritten() {
    nothingIsChangedBy("set", "dev:a", "{\"singer_state\": {\"a\": 1}}")
        .isEqualTo(
            "statectl: would overwrite the state of 'dev:a' in memory:"
                + store
                + " (20 bytes)\n"
                + DRY);
  }

  @Test
  void aDryRunSaysWhatWouldBeNew() {
    nothingIsChangedBy("set", "dev:b", "{\"singer_state\": {}}")
        .isEqualTo(
            "statectl: would store a new state 'dev:b' in memory:" + store + " (20 bytes)\n" + DRY);
  }

  @Test
  void aDryRunSaysWhatWouldBeCleared() {
    nothingIsChangedBy("clear", "dev:a")
        .isEqualTo(
            "statectl: would clear the state of 'dev:a' in memory:"
                + store
                + " (20 bytes)\n"
                + DRY);
  }

  @Test
  void aDryRunFailsWhereTheCommandWould() {
    assertThat(run().run("clear", "dev:b", "--dry-run"))
        .isEqualTo(new Outcome(3, "", "statectl: no state with the id 'dev:b'\n"));
    assertThat(run().run("set", "dev:b", "{}", "--dry-run").code()).isEqualTo(1);
    assertThat(run().run("lock", "break", "dev:b", "--lock-id=x", "--dry-run").code()).isEqualTo(5);
  }

  private AbstractStringAssert<?> nothingIsChangedBy(String... command) {
    String[] args = Arrays.copyOf(command, command.length + 2);
    args[command.length] = "--dry-run";
    args[command.length + 1] = "--force";
    RunStatectl run = run().answering();
    Outcome outcome = run.run(args);
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).isEmpty();
    assertThat(run.questions()).isEmpty();
    assertThat(store).hasContent(before);
    return assertThat(outcome.err());
  }

  private RunStatectl run() {
    return RunStatectl.in(directory).variable("MELTANO_STATE_BACKEND_URI", "memory:s.json");
  }
}
