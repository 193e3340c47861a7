package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.json.JsonMember;
import dev.statectl.json.JsonObject;
import dev.statectl.json.JsonPointer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plays docs/history-at-the-shell.md: its commands in one shell, with the real command and engine,
 * and compares what each showed with the document.
 */
class HistoryStoryTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "history-at-the-shell.md");
  private static final String SCHEMA = "meltano";
  private static final String MARK = "end-of-output-of-command ";
  private static final String RESET = "stream_17";
  private static final long MINUTES = 10;

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();

  @TempDir private Path directory;

  /** A command of the document, and what it shows. */
  private record Shown(String command, List<String> output) {}

  @Test
  void theDocumentTellsWhatHappens() throws Exception {
    Tool.need("curl", "curl");
    List<Shown> story = story();
    String[] happened = play(story).split("(?m)^" + MARK + "\\d+\n", -1);

    assertThat(happened).hasSize(story.size() + 1);
    for (int i = 0; i < story.size(); i++) {
      String output = happened[i].replaceFirst("\n$", "");
      assertThat(output)
          .as("the output of: $ %s", story.get(i).command())
          .matches(pattern(story.get(i).output()));
    }
    theOtherStreamsAreTheSameBytes();
  }

  /** The story's end, looked at past the product: by the two newest rows of the history. */
  private void theOtherStreamsAreTheSameBytes() throws Exception {
    Map<String, String> before = digests(version(1, "completed_state"));
    Map<String, String> after = digests(version(0, "completed_state"));

    assertThat(before).hasSize(40).containsKey(RESET);
    before.remove(RESET);
    assertThat(after).hasSize(39).isEqualTo(before);
    assertThat(digests(version(1, "partial_state"))).containsOnlyKeys(RESET);
    assertThat(digests(version(0, "partial_state"))).isEmpty();
  }

  private String version(int offset, String half) {
    return clickHouse.query(
        "SELECT ifNull("
            + half
            + ", '') FROM "
            + schema
            + ".state_history ORDER BY updated_at DESC, recorded_at DESC LIMIT 1 OFFSET "
            + offset
            + " FORMAT TSVRaw");
  }

  /** The SHA-256 of each stream's bytes. */
  private static Map<String, String> digests(String state) throws Exception {
    Map<String, String> digests = new LinkedHashMap<>();
    JsonPointer bookmarks = JsonPointer.of("singer_state", "bookmarks");
    List<JsonMember> streams =
        JsonObject.parseStored(state).find(bookmarks).map(JsonMember::children).orElse(List.of());
    for (JsonMember stream : streams) {
      byte[] bytes = stream.valueText().getBytes(StandardCharsets.UTF_8);
      digests.put(
          stream.name(),
          HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
    }
    return digests;
  }

  /** In a schema of its own instead of the document's. */
  private List<Shown> story() throws IOException {
    List<Shown> story = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(DOCUMENT)) {
      if (line.equals("```console")) {
        inside = true;
      } else if (line.equals("```")) {
        inside = false;
      } else if (inside) {
        String here = line.replace(SCHEMA + ".state", schema + ".state");
        if (here.startsWith("$ ")) {
          story.add(new Shown(here.substring(2), new ArrayList<>()));
        } else {
          story.get(story.size() - 1).output().add(here);
        }
      }
    }
    assertThat(story).hasSizeGreaterThan(20);
    return story;
  }

  private String play(List<Shown> story) throws Exception {
    StringBuilder script = new StringBuilder();
    for (int i = 0; i < story.size(); i++) {
      script.append(
          "{ %s\n} < /dev/null 2>&1\necho '%s%d'\n".formatted(story.get(i).command(), MARK, i));
    }
    Path out = directory.resolve("out");
    ProcessBuilder builder =
        new ProcessBuilder("bash", "--norc", "--noprofile", "-c", script.toString())
            .directory(Files.createDirectory(directory.resolve("work")).toFile())
            .redirectOutput(out.toFile())
            .redirectErrorStream(true);
    builder.environment().clear();
    builder
        .environment()
        .putAll(
            StatectlOnPath.in(
                directory,
                Map.of(
                    "LC_ALL",
                    "C.UTF-8",
                    "CLICKHOUSE_URI",
                    clickHouse.endpoint().uri(),
                    "MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA",
                    schema)));
    Process process = builder.start();
    try {
      assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).as("the story ends").isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return Files.readString(out);
  }

  /** Of lines in which an ellipsis stands for any text. */
  private static Pattern pattern(List<String> lines) {
    return Pattern.compile(
        lines.stream()
            .map(
                line ->
                    Stream.of(line.split("\u2026", -1))
                        .map(Pattern::quote)
                        .collect(Collectors.joining("[^\n]*")))
            .collect(Collectors.joining("\n")));
  }
}
