package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListCommandTest {
  private static final String EMBEDDED =
      "statectl: using the embedded store .statectl/state.json (no --uri given)\n";

  @TempDir private Path directory;

  @Test
  void whereNothingIsStoredNothingIsListedAndNothingCreated() {
    assertThat(RunStatectl.in(directory).run("list")).isEqualTo(new Outcome(0, "", EMBEDDED));
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void idsComeInOrderOneALine() {
    set("dev:b", "prod:a", "dev:a", "DEV:z", "ж", "🚀", "\uffee");

    assertThat(RunStatectl.in(directory).run("list"))
        .isEqualTo(new Outcome(0, "DEV:z\ndev:a\ndev:b\nprod:a\nж\n\uffee\n🚀\n", EMBEDDED));
  }

  @Test
  void aPatternPicksWholeIds() {
    set("dev:a", "dev:b", "prod:a", "dev:*", "a_b", "a%b");

    assertThat(list("--pattern", "dev:*")).isEqualTo("dev:*\ndev:a\ndev:b\n");
    assertThat(list("--pattern", "dev:[*]")).isEqualTo("dev:*\n");
    assertThat(list("--pattern", "*:[!b]")).isEqualTo("dev:*\ndev:a\nprod:a\n");
    assertThat(list("--pattern", "a?b")).isEqualTo("a%b\na_b\n");
    assertThat(list("--pattern", "dev")).isEmpty();
    assertThat(list("--pattern", "")).isEmpty();
  }

  @Test
  void anIdStaysOneLine() {
    set("a\nb", "a\\nb", "\u001b[2J");

    assertThat(list()).isEqualTo("\\x1b[2J\na\\nb\na\\nb\n");
  }

  @Test
  void jsonGivesEveryIdExactly() {
    set("a\nb", "a\\nb", "\"ж🚀\"");

    assertThat(list("--format", "ndjson").lines().map(line -> line.replaceAll(",.*", "")))
        .containsExactly("{\"id\":\"\\\"ж🚀\\\"\"", "{\"id\":\"a\\nb\"", "{\"id\":\"a\\\\nb\"");
  }

  @Test
  void optionsOfTheConnectionMayStandBeforeTheCommandOrBehindIt() {
    String uri = "memory:" + directory.resolve("other.json");
    RunStatectl.in(directory).run("set", "--uri", uri, "dev:a", "{\"singer_state\":{}}");

    assertThat(RunStatectl.in(directory).run("--uri", uri, "list"))
        .isEqualTo(new Outcome(0, "dev:a\n", ""));
    assertThat(RunStatectl.in(directory).run("list", "--uri", uri))
        .isEqualTo(new Outcome(0, "dev:a\n", ""));
    assertThat(RunStatectl.in(directory).variable("MELTANO_STATE_BACKEND_URI", uri).run("list"))
        .isEqualTo(new Outcome(0, "dev:a\n", ""));
  }

  @Test
  void aFullDiskIsReportedOnce() {
    set("dev:a");

    assertThat(RunStatectl.in(directory).output(failing("No space left on device")).run("list"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                EMBEDDED + "statectl: cannot write to standard output: No space left on device\n"));
  }

  @Test
  void aDiskThatFillsUpInTheMiddleIsReportedOnceToo() {
    for (char c = 'a'; c <= 'z'; c++) {
      set(String.valueOf(c).repeat(1024));
    }

    assertThat(RunStatectl.in(directory).output(failing("No space left on device")).run("list"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                EMBEDDED + "statectl: cannot write to standard output: No space left on device\n"));
  }

  @Test
  void aReaderThatIsGoneEndsTheListQuietly() {
    set("dev:a");

    assertThat(RunStatectl.in(directory).output(failing("Broken pipe")).run("list"))
        .isEqualTo(new Outcome(141, "", EMBEDDED));
  }

  private void set(String... ids) {
    for (String id : ids) {
      assertThat(RunStatectl.in(directory).run("set", id, "{\"singer_state\":{}}").code()).isZero();
    }
  }

  private String list(String... options) {
    String[] args = new String[options.length + 1];
    args[0] = "list";
    System.arraycopy(options, 0, args, 1, options.length);
    Outcome outcome = RunStatectl.in(directory).run(args);
    assertThat(outcome.code()).isZero();
    return outcome.out();
  }

  private static OutputStream failing(String message) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException(message);
      }
    };
  }
}
