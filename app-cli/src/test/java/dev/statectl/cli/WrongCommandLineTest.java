package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WrongCommandLineTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @MethodSource
  void itIsRefusedWithWhatIsWrongAndWhereToRead(List<String> args, String message, String command) {
    assertThat(RunStatectl.in(directory).run(args.toArray(String[]::new)))
        .isEqualTo(
            new Outcome(
                2, "", "statectl: " + message + "\nstatectl: see '" + command + " --help'\n"));
    assertThat(directory).isEmptyDirectory();
  }

  static Stream<Arguments> itIsRefusedWithWhatIsWrongAndWhereToRead() {
    return Stream.of(
        wrong("unknown command 'lst'; did you mean 'list'?", "statectl", "lst"),
        wrong("unknown command 'xyzzy'", "statectl", "xyzzy"),
        wrong("a command was expected, such as 'list'", "statectl", "clickhouse://u:secret@h/d"),
        wrong("unknown option '--urii'; did you mean '--uri'?", "statectl", "--urii=u:secret@h"),
        wrong(
            "unknown option '--patern'; did you mean '--pattern'?",
            "statectl list",
            "list",
            "--patern",
            "x"),
        wrong("unknown option '-p'; did you mean '--pattern'?", "statectl list", "list", "-p", "x"),
        wrong("unknown command 'lsit'; did you mean 'list'?", "statectl", "lsit"),
        wrong("unknown command 'brake'; did you mean 'break'?", "statectl lock", "lock", "brake"),
        wrong(
            "unknown option '--dryrun'; did you mean '--dry-run'?",
            "statectl clear",
            "clear",
            "--dryrun",
            "a"),
        wrong("too many arguments: 1 more than expected", "statectl list", "list", "secret"),
        wrong(
            "unknown option; what begins with '-' and is no option goes behind '--', at the end",
            "statectl get",
            "get",
            "-secret:tap"),
        wrong(
            "unknown option '--xyzzy'; what begins with '-' and is no option goes behind '--', at"
                + " the end",
            "statectl get",
            "get",
            "--xyzzy"),
        wrong("unknown option '--xyzzy'", "statectl list", "list", "--xyzzy"),
        wrong("unknown command 'xyzzy'", "statectl", "help", "xyzzy"),
        wrong("too many arguments: 2 more than expected", "statectl get", "get", "a", "b", "c"),
        wrong(
            "too many arguments: 1 more than expected",
            "statectl set",
            "set",
            "a",
            "{}",
            "{\"secret\":1}"),
        wrong("missing required parameter: 'ID'", "statectl get", "get"),
        wrong("missing required parameter: 'ID'", "statectl set", "set"),
        wrong("missing required parameter for option '--uri' (URI)", "statectl", "--uri"),
        wrong(
            "missing required parameter for option '--pattern' (GLOB)",
            "statectl list",
            "list",
            "--pattern"),
        wrong(
            "option '--uri' should be specified only once",
            "statectl",
            "--uri=u:secret@h",
            "list",
            "--uri=u:secret@i"),
        wrong(
            "option '--environment' should be specified only once",
            "statectl",
            "--environment",
            "dev",
            "get",
            "a",
            "--environment",
            "dev"),
        wrong(
            "option '--uri' (URI) should be specified only once",
            "statectl list",
            "list",
            "--uri=u:secret@h",
            "--uri=u:secret@i"),
        wrong(
            "invalid value for option '--format': expected one of [json, pretty] (case-sensitive) but was 'xml'",
            "statectl get",
            "get",
            "--format=xml",
            "a"),
        wrong(
            "invalid value for option '--format': expected one of [text, table, json, ndjson] (case-sensitive) but was 'JSON'",
            "statectl list",
            "list",
            "--format",
            "JSON"),
        wrong(
            "option '--force' takes no value",
            "statectl set",
            "set",
            "a",
            "--force={\"singer_state\":{\"secret\":1}}"),
        wrong("option '--secure' takes no value", "statectl", "--secure=secret", "list"),
        wrong(
            "option '--ask-password' takes no value", "statectl", "--ask-password=secret", "list"),
        wrong(
            "unknown option '--password'; did you mean '--password-file'?",
            "statectl",
            "--password=secret",
            "list"),
        wrong(
            "unknown option '--hots'; did you mean '--host'?",
            "statectl list",
            "list",
            "--hots=secret"),
        wrong(
            "missing required parameter for option '--port' (PORT)",
            "statectl list",
            "list",
            "--port"),
        wrong("option '--all' takes no value", "statectl clear", "clear", "--all=secret"),
        wrong(
            "the document is missing: give STATE, --input-file=FILE, or --input-file=-",
            "statectl set",
            "set",
            "a"),
        wrong(
            "give either STATE or --input-file, not both",
            "statectl set",
            "set",
            "a",
            "{}",
            "--input-file=f"),
        wrong("a state id must not be blank", "statectl set", "set", " ", "{\"singer_state\":{}}"),
        wrong(
            "a state id has at most 1024 characters, this one has 1025",
            "statectl set",
            "set",
            "x".repeat(1025),
            "{\"singer_state\":{}}"),
        wrong(
            "a state id must not hold half of a surrogate pair",
            "statectl set",
            "set",
            "\ud83d",
            "{\"singer_state\":{}}"),
        wrong("say what to clear: an ID, --pattern=GLOB or --all", "statectl clear", "clear"),
        wrong(
            "give one of ID, --pattern and --all, not more",
            "statectl clear",
            "clear",
            "a",
            "--all"),
        wrong(
            "give one of ID, --pattern and --all, not more",
            "statectl clear",
            "clear",
            "--pattern=a",
            "--all"),
        wrong(
            "give one of ID, --pattern and --all, not more",
            "statectl clear",
            "clear",
            "a",
            "--pattern",
            "*"));
  }

  @Test
  void withoutACommandTheUsageIsShown() {
    Outcome outcome = RunStatectl.in(directory).run();

    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .startsWith(
            "Reads and writes the state of Meltano pipelines in ClickHouse.\nUsage: statectl ");
  }

  private static Arguments wrong(String message, String command, String... args) {
    return Arguments.of(List.of(args), message, command);
  }
}
