package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Programs that are not part of a JDK, such as shells. */
final class Tool {
  private Tool() {}

  /** What a program said, standard error among it. */
  record Result(int code, String output) {}

  /** Ends the test as not run, and says how to get the program, where there is none. */
  static void need(String program, String aptPackage) {
    boolean found =
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    if (!found) {
      String message =
          "NOT RUN: there is no " + program + " here; apt-get install " + aptPackage + " gives one";
      System.out.println(message);
      Assumptions.abort(message);
    }
  }

  /** Runs a program to its end, in a directory, with some input. */
  static Result run(
      Path directory, Map<String, String> environment, String input, String... command)
      throws IOException, InterruptedException {
    Path in = Files.writeString(Files.createTempFile(directory, "in", ""), input);
    Path out = Files.createTempFile(directory, "out", "");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("%s ends", List.of(command)).isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return new Result(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8));
  }
}
