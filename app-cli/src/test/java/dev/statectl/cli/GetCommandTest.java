package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GetCommandTest {
  @TempDir private Path directory;
  private Path store;

  @BeforeEach
  void placeStore() {
    store = directory.resolve("state.json");
  }

  @Test
  void theStateComesOutAsItWasStored() throws IOException {
    Files.writeString(
        store,
        "{\"dev:a\": {\"completed\": {\"singer_state\" :{\"a\":1.0 ,\"b\":[NaN, \"\\ud83d\"]}},"
            + " \"partial\": {}}}");

    assertThat(get("dev:a"))
        .isEqualTo(
            new Outcome(0, "{\"singer_state\" :{\"a\":1.0 ,\"b\":[NaN, \"\\ud83d\"]}}\n", ""));
  }

  @Test
  void thePartialHalfIsMergedOverTheCompletedOne() throws IOException {
    Files.writeString(
        store,
        "{\"dev:a\": {\"completed\": {\"singer_state\": {\"a\": 1.0, \"b\": [1]}},"
            + " \"partial\": {\"singer_state\": {\"b\": [2], \"c\": 1e3}}}}");

    assertThat(get("dev:a"))
        .isEqualTo(
            new Outcome(0, "{\"singer_state\": {\"a\": 1.0, \"b\": [2], \"c\": 1e3}}\n", ""));
  }

  @Test
  void prettyChangesNothingButTheSpace() throws IOException {
    Files.writeString(
        store,
        "{\"dev:a\": {\"completed\": {\"singer_state\" :{\"a\":1.0 ,\"b\":[NaN, \"\\ud83d\"]}}}}");

    assertThat(get("dev:a", "--format", "pretty"))
        .isEqualTo(
            new Outcome(
                0,
                """
                {
                  "singer_state": {
                    "a": 1.0,
                    "b": [
                      NaN,
                      "\\ud83d"
                    ]
                  }
                }
                """,
                ""));
  }

  @Test
  void anUnknownIdIsNotFound() throws IOException {
    Files.writeString(store, "{\"dev:a\": {\"completed\": {\"singer_state\": {}}}}");

    assertThat(get("dev:b"))
        .isEqualTo(new Outcome(3, "", "statectl: no state with the id 'dev:b'\n"));
    assertThat(get("DEV:a"))
        .isEqualTo(new Outcome(3, "", "statectl: no state with the id 'DEV:a'\n"));
    assertThat(get("dev:*"))
        .isEqualTo(new Outcome(3, "", "statectl: no state with the id 'dev:*'\n"));
    assertThat(get("")).isEqualTo(new Outcome(3, "", "statectl: no state with the id ''\n"));
  }

  @Test
  void anUnknownIdMayBeTakenForAnEmptyState() throws IOException {
    Files.writeString(store, "{\"dev:a\": {\"completed\": {\"singer_state\": {}}}}");

    assertThat(get("dev:b", "--default-empty")).isEqualTo(new Outcome(0, "{}\n", ""));
    assertThat(get("dev:a", "--default-empty"))
        .isEqualTo(new Outcome(0, "{\"singer_state\": {}}\n", ""));
  }

  @Test
  void anEmptyStateIsAStateAllTheSame() throws IOException {
    Files.writeString(store, "{\"dev:a\": {\"completed\": {}, \"partial\": null}}");

    assertThat(get("dev:a")).isEqualTo(new Outcome(0, "{}\n", ""));
    assertThat(get("dev:a", "--format=pretty")).isEqualTo(new Outcome(0, "{}\n", ""));
  }

  @Test
  void anIdMayLookLikeAnOptionOrAFileOfArguments() throws IOException {
    Path arguments = Files.writeString(directory.resolve("arguments"), "--all");
    Files.writeString(
        store,
        "{\"--all\": {\"completed\": {\"singer_state\": {\"a\": 1}}},"
            + " \"@%s\": {\"completed\": {\"singer_state\": {\"a\": 2}}}}".formatted(arguments));

    assertThat(get("--", "--all"))
        .isEqualTo(new Outcome(0, "{\"singer_state\": {\"a\": 1}}\n", ""));
    assertThat(get("@" + arguments))
        .isEqualTo(new Outcome(0, "{\"singer_state\": {\"a\": 2}}\n", ""));
  }

  @Test
  void aDamagedSnapshotIsReportedAndLeftAlone() throws IOException {
    Files.writeString(store, "{\"dev:a\": {\"completed\": ");

    Outcome outcome = get("dev:a");

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .startsWith("statectl: ")
        .contains(store.toString(), "line 1, column 25: the text ends before the JSON does");
    assertThat(store).hasContent("{\"dev:a\": {\"completed\": ");
  }

  private Outcome get(String... args) {
    String[] all = new String[args.length + 2];
    all[0] = "--uri=memory:" + store;
    all[1] = "get";
    System.arraycopy(args, 0, all, 2, args.length);
    return RunStatectl.in(directory).run(all);
  }
}
