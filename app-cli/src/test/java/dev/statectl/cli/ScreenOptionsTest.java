package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScreenOptionsTest {
  private static final String BOLD = "\u001b[1m";
  private static final String DOCUMENT = "{\"singer_state\": {}}";

  @TempDir private Path directory;

  @Test
  void quietLeavesOutWhatWasDoneAndNotices() {
    assertThat(run().run("set", "dev:a", DOCUMENT, "--quiet")).isEqualTo(new Outcome(0, "", ""));
    assertThat(run().run("-q", "list")).isEqualTo(new Outcome(0, "dev:a\n", ""));
  }

  @Test
  void quietKeepsFailuresPlansAndQuestions() {
    RunStatectl asked = run().answering("n");

    assertThat(run().run("get", "-q", "dev:b").err())
        .isEqualTo("statectl: no state with the id 'dev:b'\n");
    assertThat(run().run("set", "dev:a", DOCUMENT, "--dry-run", "-q").err())
        .startsWith("statectl: would store a new state 'dev:a'");
    run().run("set", "dev:a", DOCUMENT);
    assertThat(asked.run("clear", "-q", "dev:a").err())
        .isEqualTo("statectl: nothing was changed\n");
    assertThat(asked.questions()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "auto, true, '', xterm, true",
    "auto, false, '', xterm, false",
    "auto, true, 1, xterm, false",
    "auto, true, '', dumb, false",
    "always, false, 1, dumb, true",
    "never, true, '', xterm, false"
  })
  void headingsAreBoldWhereThatIsWanted(
      String color, boolean terminal, String noColor, String term, boolean bold) {
    RunStatectl run = run().variable("NO_COLOR", noColor).variable("TERM", term);
    if (terminal) {
      run.answering();
    }

    String help = run.run("clear", "--color", color, "--help").out();

    assertThat(help.contains(BOLD + "Usage:")).isEqualTo(bold);
    assertThat(help.contains(BOLD + "Exit codes:")).isEqualTo(bold);
    assertThat(help.replaceAll("\u001b\\[[0-9;]*m", ""))
        .isEqualTo(run().run("clear", "--help").out());
  }

  @Test
  void nothingButHeadingsIsBold() {
    assertThat(run().run("list", "--help", "--color=always").out().split(Pattern.quote(BOLD)))
        .hasSize(4);
  }

  private RunStatectl run() {
    return RunStatectl.in(directory);
  }
}
