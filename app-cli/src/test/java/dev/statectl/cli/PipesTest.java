package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command in pipes of a real shell. */
class PipesTest {
  @TempDir private Path directory;

  // More than a pipe holds.
  @BeforeEach
  void storeMany() throws IOException {
    Files.writeString(
        directory.resolve("s.json"),
        IntStream.range(0, 20_000)
            .mapToObj("\"dev:%05d\": {\"completed\": {\"singer_state\": {}}}"::formatted)
            .collect(Collectors.joining(", ", "{", "}")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "table", "json", "ndjson"})
  void aReaderThatIsGoneEndsTheCommandSilentlyAsItEndsOthers(String format) throws Exception {
    try (TerminalSession session =
        shell(
            "set +m; statectl list -o "
                + format
                + " 2> err | head -1 > out; echo \"${PIPESTATUS[0]}\"; yes | head -1 > /dev/null;"
                + " echo \"${PIPESTATUS[0]}\"")) {
      assertThat(session.end()).isZero();
      assertThat(session.shown()).isEqualTo("141\n141\n");
    }
    assertThat(directory.resolve("err")).isEmptyFile();
    assertThat(Files.readAllLines(directory.resolve("out"))).hasSize(1);
  }

  @Test
  void aReaderOfAllSeesTheEnd() throws Exception {
    try (TerminalSession session =
        shell(
            "statectl list | wc -l; echo \"${PIPESTATUS[0]}\"; statectl list -o json | tail -1")) {
      assertThat(session.end()).isZero();
      assertThat(session.shown().replace(" ", "")).isEqualTo("20000\n0\n]\n");
    }
  }

  private TerminalSession shell(String script) throws IOException {
    return TerminalSession.shell(
        directory,
        StatectlOnPath.in(directory, Map.of("MELTANO_STATE_BACKEND_URI", "memory:s.json")),
        script);
  }
}
