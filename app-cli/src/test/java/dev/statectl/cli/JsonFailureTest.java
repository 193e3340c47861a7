package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures as whoever reads JSON gets them. */
class JsonFailureTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "list -o json --nope",
        "list --nope -o json",
        "list --nope -ojson",
        "list --nope -o=ndjson",
        "list --nope --format ndjson",
        "--nope --format=json list"
      })
  void aWrongCommandLineIsAnObjectWhereverTheFormatStands(String line) {
    Outcome outcome = run(line.split(" "));

    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .matches(
            "\\{\"error\":\"unknown option '--nope'(; did you mean '[^']+'\\?)?\",\"code\":2,"
                + "\"hint\":\"see 'statectl( list)? --help'\"\\}\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"list --nope -o text", "list --nope -- -o json", "list --nope -o"})
  void othersAreLines(String line) {
    assertThat(run(line.split(" ")).err()).startsWith("statectl: ");
  }

  @Test
  void adviceInTheMessageIsTheHint() throws Exception {
    assertThat(run("ddl", "--format=json").err()).contains("\"hint\":\"see 'statectl ddl --help'");
    Files.writeString(directory.resolve("s.json"), "{");
    assertThat(run("list", "-o", "json").err())
        .endsWith("\"code\":1,\"hint\":\"mend it, or move it away to start without states\"}\n");

    String nobody =
        RunStatectl.in(directory)
            .run("list", "-o", "json", "--uri=clickhouse://u@127.0.0.1:1/d")
            .err();
    assertThat(nobody)
        .contains("; check host and port, and that the server runs\",\"code\":7,")
        .endsWith("\"hint\":\"check host and port, and that the server runs\"}\n");
  }

  @Test
  void aMistakeInTheSettingsIsOneObject() {
    assertThat(
            RunStatectl.in(directory)
                .variable("MELTANO_STATE_BACKEND_URI", "clickhouse://u:s3cret@h:x/db")
                .run("lock", "list", "--format=json")
                .err())
        .startsWith("{\"error\":\"")
        .endsWith("\"code\":2,\"hint\":null}\n")
        .doesNotContain("s3cret")
        .hasLineCount(1);
  }

  @Test
  void whatIsNotFoundSaysWhereToLook() {
    assertThat(run("get", "dev:\"a\"", "--format", "json"))
        .isEqualTo(
            new Outcome(
                3,
                "",
                "{\"error\":\"no state with the id 'dev:\\\"a\\\"'\",\"code\":3,"
                    + "\"hint\":\"statectl list shows the ids\"}\n"));
  }

  private Outcome run(String... args) {
    return RunStatectl.in(directory)
        .variable("MELTANO_STATE_BACKEND_URI", "memory:s.json")
        .run(args);
  }
}
