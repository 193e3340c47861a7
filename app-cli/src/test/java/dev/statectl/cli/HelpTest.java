package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HelpTest {
  private static final String EXIT_CODES =
      """

      Exit codes:
        0     done
        1     failed, or declined at the prompt; nothing was changed unless the message says so
        2     wrong command line or settings; --yes or --force missing; nothing was done
        3     no such state, stream or value, or nobody holds its lock
        4     somebody else holds the lock, or it was lost
        5     somebody else changed what this command was to change
        6     the server does not know the user or does not allow it
        7     the store cannot be reached or did not answer in time
        8     only a part was done; the messages say which
        130   ended by Ctrl-C (143: by SIGTERM); its locks were released
        141   the reader of its output went away, as in '| head -1'
      """;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "list",
        "get",
        "set",
        "edit",
        "merge",
        "copy",
        "move",
        "clear",
        "export",
        "import",
        "completion",
        "check",
        "doctor",
        "streams",
        "reset",
        "unset",
        "put",
        "history",
        "history enable",
        "history disable",
        "history status",
        "diff",
        "undo",
        "restore",
        "lock list",
        "lock show",
        "lock break",
        "lock run",
        "config show",
        "ddl"
      })
  void everyCommandShowsItsExitCodesAndOpensNoStore(String command) {
    Outcome outcome = RunStatectl.in(directory).run((command + " --help").split(" "));

    assertThat(outcome.code()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).contains("Usage: statectl " + command + " ", EXIT_CODES);
    assertThat(outcome.out()).contains("--uri=URI", "--environment=NAME");
    assertThat(directory).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"set", "lock run", ""})
  void helpIsACommandToo(String command) {
    RunStatectl statectl = RunStatectl.in(directory);

    assertThat(statectl.run(("help " + command).strip().split(" ")))
        .isEqualTo(statectl.run((command + " --help").strip().split(" ")));
    assertThat(statectl.run(("help " + command).strip().split(" ")).code()).isZero();
  }

  @Test
  void lockAloneSaysWhatItCanDo() {
    Outcome outcome = RunStatectl.in(directory).run("lock");

    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .contains(
            """
            Commands:
              list   Lists the locks: who holds what, since when, for how long.
              show   Shows who holds the lock of an id.
              break  Takes a lock from whoever holds it.
              run    Holds a lock while a command runs.
            """,
            "  statectl lock run dev:tap-a-to-b -- meltano run tap-a target-b\n");
  }

  @Test
  void commandsThatTheWordsNameDoNotHideTheOthers() {
    RunStatectl statectl = RunStatectl.in(directory);

    assertThat(statectl.run("--help", "get")).isEqualTo(statectl.run("--help"));
    assertThat(statectl.run("get", "--version")).isEqualTo(statectl.run("-V"));
  }

  @Test
  void theHelpOfTheWholeNamesTheCommands() {
    Outcome outcome = RunStatectl.in(directory).run("--help");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out())
        .contains(
            """
            Commands:
              list        Lists states: their ids, one a line, or what is known of each.
              get         Prints the state of an id.
              set         Stores a document as the state of an id.
              edit        Opens the state of an id in an editor.
              merge       Merges documents into the state of an id.
              copy        Copies the state of an id to another, or of many ids.
              move        Moves the state of an id to another, or of many ids.
              clear       Deletes the state of an id, of ids that match, or all states.
              check       Checks that states move: none is older than an age.
              doctor      Examines the store itself, and mends what is safe to mend.
              streams     Shows what the state of an id says of each stream.
              reset       Removes streams from the state of an id.
              unset       Removes one value from the state of an id.
              put         Puts one value into the state of an id.
              history     Shows what the state of an id was, newest first; records it.
              diff        Shows what changed between two versions of a state, per stream and bookmark.
              undo        Undoes the last change of a state, also its removal.
              restore     Stores a version of a state again.
              export      Writes the states of many ids, as 'meltano state export' does.
              import      Stores the states of an export, Meltano's or ours.
              lock        Shows, breaks and holds locks.
              config      Shows the settings.
              migrate     Replicates tables that each server of a cluster has for itself.
              ddl         Prints the DDL of the two tables and the rights of their user.
              completion  Prints a script with which a shell completes statectl's command lines.
            """)
        .contains(EXIT_CODES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "-V"})
  void theVersionsAreThoseOfTheBuild(String option) {
    Outcome outcome = RunStatectl.in(directory).run(option);

    assertThat(outcome.code()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out())
        .matches(
            "statectl \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\nclickhouse-jdbc \\d+\\.\\d+\\.\\d+\nJava "
                + Pattern.quote(System.getProperty("java.version"))
                + "\n");
    assertThat(RunStatectl.in(directory).run("get", option)).isEqualTo(outcome);
  }
}
