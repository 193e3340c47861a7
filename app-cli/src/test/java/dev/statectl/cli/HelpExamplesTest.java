package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.TestClickHouse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every example of every help, as a person would: in a shell on a terminal, with ClickHouse
 * behind, and a yes to every question.
 */
class HelpExamplesTest {
  private static final String LOCK_ID = "00000000-0000-7019-ad00-b5d3e5c8f2a1";
  private static final String DOCUMENT =
      "{\"singer_state\": {\"bookmarks\": {\"issues\": {\"since\": \"2026-11-03\"}}}}";

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();

  @TempDir private Path directory;

  @BeforeEach
  void prepare() throws IOException {
    statectl("set", "dev:tap-a-to-b", DOCUMENT);
    clickHouse.execute(
        "INSERT INTO "
            + schema
            + ".state (state_id, completed_state) SELECT arrayJoin(['prod:tap-a-to-b',"
            + " 'staging:tap-a-to-b', 'staging:tap-c-to-d']), '"
            + DOCUMENT
            + "'");
    String export = "{\"dev:tap-a-to-b\": {\"completed\": " + DOCUMENT + ", \"partial\": {}}}";
    Files.writeString(directory.resolve("state.json"), DOCUMENT);
    Files.writeString(directory.resolve("states.json"), export);
    StatectlOnPath.install(directory.resolve("export.sh"), "exit 0");
    Files.createDirectories(directory.resolve(".zfunc"));
    Files.createDirectories(directory.resolve(".config/fish/completions"));
  }

  @Test
  void everyCommandHasExamples() {
    commands("").forEach(command -> assertThat(examples(command)).as("%s", command).isNotEmpty());
  }

  @ParameterizedTest
  @MethodSource
  void everyExampleRuns(String example) throws Exception {
    if (example.contains("lock show") || example.contains("lock break")) {
      clickHouse.execute(
          "INSERT INTO "
              + schema
              + ".state_lock (state_id, lock_id) SELECT arrayJoin(['dev:tap-a-to-b',"
              + " '@run:dev:tap-a-to-b']), '"
              + LOCK_ID
              + "'");
    }
    if (example.matches("statectl (history|diff|undo|restore) .*")) {
      writeHistory();
    }
    Map<String, String> environment = StatectlOnPath.in(directory, environment());
    StatectlOnPath.install(
        directory.resolve(".bin/meltano"), "case $1 in state) cat states.json;; esac");
    try (TerminalSession session = TerminalSession.shell(directory, environment, example)) {
      session.type("y\n");

      // The engine for tests is alone, so there is nothing to replicate it to.
      boolean refused = example.startsWith("statectl migrate ");
      assertThat(session.end())
          .as("%s: %s", example, session.shown())
          .isEqualTo(refused ? ExitCode.FAILURE.code() : ExitCode.OK.code());
    }
  }

  /** A version that examples name, and one behind it. */
  private void writeHistory() {
    statectl("history", "enable", "--keep", "1d");
    clickHouse.execute(
        "INSERT INTO "
            + schema
            + ".state (state_id, completed_state, updated_at) VALUES ('dev:tap-a-to-b', '"
            + DOCUMENT.replace("03", "02")
            + "', '2026-11-29 12:00:00.123')");
    statectl("set", "-y", "dev:tap-a-to-b", DOCUMENT.replace("03", "04"));
  }

  static Stream<String> everyExampleRuns() {
    return commands("").flatMap(command -> examples(command).stream());
  }

  /** What is copied from a help must be whole: the help breaks longer lines. */
  @Test
  void everyExampleIsOneLine() {
    commands("")
        .flatMap(command -> examples(command).stream())
        .forEach(
            example ->
                assertThat(example).matches("(source <\\()?(statectl|meltano|EDITOR=|#) ?.*"));
  }

  /** A command, and all below it; "" is statectl itself. */
  private static Stream<String> commands(String command) {
    return Stream.concat(
        Stream.of(command),
        section(command, "Commands:").stream()
            .filter(line -> line.matches(" {2}\\S.*"))
            .map(line -> (command + " " + line.strip().split(" ")[0]).strip())
            .flatMap(HelpExamplesTest::commands));
  }

  private static List<String> examples(String command) {
    return section(command, "Examples:").stream().map(String::strip).toList();
  }

  /** The lines below a heading of a help, to the next empty line. */
  private static List<String> section(String command, String heading) {
    List<String> lines = new ArrayList<>();
    boolean inside = false;
    for (String line : help(command).split("\n")) {
      if (inside && line.isBlank()) {
        break;
      }
      if (inside) {
        lines.add(line);
      }
      inside |= line.equals(heading);
    }
    return lines;
  }

  private static String help(String command) {
    String[] args = (command + " --help").strip().split(" ");
    return RunStatectl.in(Path.of("").toAbsolutePath()).run(args).out();
  }

  private void statectl(String... args) {
    RunStatectl statectl = RunStatectl.in(directory);
    environment().forEach(statectl::variable);
    assertThat(statectl.run(args).code()).isZero();
  }

  private Map<String, String> environment() {
    return Map.of(
        "HOME",
        directory.toString(),
        "EDITOR",
        "sed -i s/2026-11-03/2026-01-02/",
        "MELTANO_STATE_BACKEND_URI",
        clickHouse.endpoint().uri(),
        "MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA",
        schema);
  }
}
