package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompletionCommandTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "bash, bash-completion/completions/statectl",
    "zsh, zsh/site-functions/_statectl",
    "fish, fish/vendor_completions.d/statectl.fish"
  })
  void theScriptIsTheOneOfTheDistribution(String shell, String file) throws Exception {
    Outcome outcome = RunStatectl.in(directory).run("completion", shell);

    assertThat(outcome.code()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).isEqualTo(ShareDirectory.files(ShareDirectory.model()).get(file));
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void anotherShellIsAWrongCommandLine() {
    Outcome outcome = RunStatectl.in(directory).run("completion", "tcsh");

    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .isEqualTo(
            """
            statectl: invalid value for positional parameter at index 0 (bash|zsh|fish): expected \
            one of [bash, zsh, fish] (case-sensitive) but was 'tcsh'
            statectl: see 'statectl completion --help'
            """);
  }

  @Test
  void theShellMustBeNamed() {
    Outcome outcome = RunStatectl.in(directory).run("completion");

    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err())
        .isEqualTo(
            """
            statectl: missing required parameter: 'bash|zsh|fish'
            statectl: see 'statectl completion --help'
            """);
  }
}
