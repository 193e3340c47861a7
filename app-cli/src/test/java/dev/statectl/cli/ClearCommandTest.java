package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClearCommandTest {
  private static final String EMBEDDED =
      "statectl: using the embedded store .statectl/state.json (no --uri given)\n";

  private static final String PLAN =
      "statectl:   'dev:*' (19 bytes)\n"
          + "statectl:   'dev:a' (19 bytes)\n"
          + "statectl:   'dev:b' (19 bytes)\n";

  @TempDir private Path directory;
  private String target;

  @BeforeEach
  void storeStates() {
    target = "memory:" + directory.resolve(".statectl/state.json");
    for (String id : new String[] {"dev:a", "dev:b", "dev:*"}) {
      assertThat(RunStatectl.in(directory).run("set", id, "{\"singer_state\":{}}").code()).isZero();
    }
  }

  @Test
  void aPersonIsToldWhatGoesAndMaySayYes() {
    RunStatectl run = RunStatectl.in(directory).answering("y");

    assertThat(run.run("clear", "dev:a"))
        .isEqualTo(new Outcome(0, "", EMBEDDED + "statectl: cleared 'dev:a' in " + target + "\n"));
    assertThat(run.questions())
        .containsExactly("Clear the state of 'dev:a' in " + target + " (19 bytes)? [y/N] ");
    assertThat(list()).isEqualTo("dev:*\ndev:b\n");
  }

  @Test
  void aPersonMaySayNo() {
    assertThat(RunStatectl.in(directory).answering("n").run("clear", "dev:a"))
        .isEqualTo(new Outcome(1, "", EMBEDDED + "statectl: nothing was changed\n"));
    assertThat(RunStatectl.in(directory).answering().run("clear", "--all"))
        .isEqualTo(new Outcome(1, "", EMBEDDED + PLAN + "statectl: nothing was changed\n"));
    assertThat(list()).isEqualTo("dev:*\ndev:a\ndev:b\n");
  }

  @Test
  void allMeansAllAndIsCountedBefore() {
    RunStatectl run = RunStatectl.in(directory).answering("yes");

    assertThat(run.run("clear", "--all"))
        .isEqualTo(
            new Outcome(0, "", EMBEDDED + PLAN + "statectl: cleared 3 states in " + target + "\n"));
    assertThat(run.questions())
        .containsExactly("Clear all 3 states in " + target + " (57 bytes)? [y/N] ");
    assertThat(list()).isEmpty();
  }

  @Test
  void whereNothingIsNothingIsAsked() {
    RunStatectl.in(directory).run("clear", "--all", "--force");
    RunStatectl run = RunStatectl.in(directory).answering();

    assertThat(run.run("clear", "--all"))
        .isEqualTo(new Outcome(0, "", EMBEDDED + "statectl: cleared 0 states in " + target + "\n"));
    assertThat(run.questions()).isEmpty();
    assertThat(RunStatectl.in(directory).run("clear", "--all").code()).isZero();
  }

  @Test
  void withoutATerminalItNeedsForce() {
    assertThat(RunStatectl.in(directory).input("y\n").run("clear", "dev:a"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                EMBEDDED
                    + "statectl: this would clear the state of 'dev:a' in "
                    + target
                    + " (19 bytes); give --yes to do it; nothing was changed\n"));
    assertThat(RunStatectl.in(directory).run("clear", "--all"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                EMBEDDED
                    + PLAN
                    + "statectl: this would clear all 3 states in "
                    + target
                    + " (57 bytes); give --yes to do it; nothing was changed\n"));
    assertThat(list()).isEqualTo("dev:*\ndev:a\ndev:b\n");
  }

  @Test
  void withForceItAsksNobody() {
    assertThat(RunStatectl.in(directory).run("clear", "--force", "dev:a"))
        .isEqualTo(new Outcome(0, "", EMBEDDED + "statectl: cleared 'dev:a' in " + target + "\n"));
    assertThat(RunStatectl.in(directory).run("clear", "--force", "--all"))
        .isEqualTo(new Outcome(0, "", EMBEDDED + "statectl: cleared 2 states in " + target + "\n"));
    assertThat(list()).isEmpty();
  }

  @Test
  void aPatternClearsWhatMatchesAfterAQuestion() {
    RunStatectl run = RunStatectl.in(directory).answering("y");

    assertThat(run.run("clear", "--pattern", "dev:[ab]"))
        .isEqualTo(
            new Outcome(
                0,
                "",
                EMBEDDED
                    + "statectl:   'dev:a' (19 bytes)\nstatectl:   'dev:b' (19 bytes)\n"
                    + "statectl: cleared 2 states in "
                    + target
                    + "\n"));
    assertThat(run.questions())
        .containsExactly("Clear 2 states in " + target + " (38 bytes)? [y/N] ");
    assertThat(list()).isEqualTo("dev:*\n");
  }

  @Test
  void aPatternNeedsForceWithoutATerminalAndThenSaysLittle() {
    assertThat(RunStatectl.in(directory).run("clear", "--pattern=dev:?").code()).isEqualTo(2);
    assertThat(list()).isEqualTo("dev:*\ndev:a\ndev:b\n");
    assertThat(RunStatectl.in(directory).run("clear", "--pattern=dev:?", "-y"))
        .isEqualTo(new Outcome(0, "", EMBEDDED + "statectl: cleared 3 states in " + target + "\n"));
    assertThat(list()).isEmpty();
  }

  @Test
  void aPatternThatMatchesNothingIsNotFoundAndAsksNothing() {
    RunStatectl run = RunStatectl.in(directory).answering();

    assertThat(run.run("clear", "--pattern=prod:*"))
        .isEqualTo(
            new Outcome(
                3,
                "",
                EMBEDDED
                    + "statectl: no id in "
                    + target
                    + " matches prod:*; nothing was changed\n"));
    assertThat(run.questions()).isEmpty();
    for (String option : new String[] {"-y", "--dry-run"}) {
      assertThat(RunStatectl.in(directory).run("clear", "--pattern=prod:*", option).code())
          .as(option)
          .isEqualTo(3);
      assertThat(
              RunStatectl.in(directory).run("copy", "--pattern=prod:*", "--to=a:*", option).code())
          .as(option)
          .isEqualTo(3);
    }
  }

  @Test
  void ofManyIdsTheFirstAreShown() throws IOException {
    StringBuilder export = new StringBuilder("{\"x\": {}");
    for (int i = 0; i < 22; i++) {
      export.append(", \"id%02d\": {\"completed\": {\"a\": 1}}".formatted(i));
    }
    Files.writeString(directory.resolve("s.json"), export + "}");

    Outcome outcome =
        RunStatectl.in(directory).run("clear", "--all", "--uri=memory:s.json", "--dry-run");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.err().lines())
        .hasSize(23)
        .startsWith("statectl:   'id00' (8 bytes)")
        .endsWith(
            "statectl:   'id19' (8 bytes)",
            "statectl:   and 3 more",
            "statectl: would clear all 23 states in memory:"
                + directory.resolve("s.json")
                + " (176 bytes)",
            "statectl: dry run: nothing was changed");
  }

  @Test
  void anIdIsNoPattern() {
    assertThat(RunStatectl.in(directory).run("clear", "--force", "dev:*").code()).isZero();
    assertThat(list()).isEqualTo("dev:a\ndev:b\n");
  }

  @Test
  void anUnknownIdIsNotFoundWhetherOneIsAskedOrNot() {
    Outcome notFound = new Outcome(3, "", EMBEDDED + "statectl: no state with the id 'dev:c'\n");

    assertThat(RunStatectl.in(directory).run("clear", "dev:c")).isEqualTo(notFound);
    assertThat(RunStatectl.in(directory).run("clear", "dev:c", "--force")).isEqualTo(notFound);
    assertThat(RunStatectl.in(directory).answering("y").run("clear", "dev:c")).isEqualTo(notFound);
  }

  private String list() {
    Outcome outcome = RunStatectl.in(directory).run("list");
    assertThat(outcome.code()).isZero();
    return outcome.out();
  }
}
