package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process itself: what it takes from the machine and gives back to it. */
class MainTest {
  @TempDir private Path directory;

  @Test
  void bytesPassThroughWhateverTheLocaleIs() throws Exception {
    assertThat(start("{\"singer_state\": {\"ж\": \"🚀\"}}", "set", "dev:a", "--input-file=-"))
        .isEqualTo(
            new Outcome(
                0,
                "",
                "statectl: set 'dev:a' in memory:"
                    + directory.toRealPath()
                    + "/s.json (32 bytes)\n"));
    assertThat(start("", "get", "dev:a"))
        .isEqualTo(new Outcome(0, "{\"singer_state\": {\"ж\": \"🚀\"}}\n", ""));
  }

  @Test
  void withoutATerminalNobodyIsAsked() throws Exception {
    start("", "set", "dev:a", "{\"singer_state\": {}}");

    Outcome outcome = start("y\ny\n", "clear", "--all");

    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .startsWith(
            "statectl:   'dev:a' (20 bytes)\nstatectl: this would clear the only state in memory:");
  }

  private Outcome start(String input, String... args) throws Exception {
    Path in = directory.resolve("in");
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    Files.writeString(in, input);
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dfile.encoding=ISO-8859-1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().put("MELTANO_STATE_BACKEND_URI", "memory:s.json");
    Process process =
        builder
            .directory(directory.toFile())
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(Redirect.to(err.toFile()))
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Outcome(process.exitValue(), read(out), read(err));
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}
