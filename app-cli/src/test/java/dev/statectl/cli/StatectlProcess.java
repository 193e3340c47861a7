package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command in a process of its own; ended with all that it started when it is closed. */
final class StatectlProcess implements AutoCloseable {
  private final Process process;
  private final Path out;
  private final Path err;
  private final List<ProcessHandle> children = new ArrayList<>();

  private StatectlProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  static StatectlProcess start(
      Class<?> main, Path directory, Map<String, String> environment, String... args)
      throws IOException {
    return start(List.of(), main, directory, environment, args);
  }

  /** With options of Java's own. */
  static StatectlProcess start(
      List<String> options,
      Class<?> main,
      Path directory,
      Map<String, String> environment,
      String... args)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().clear();
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().putAll(environment);
    Path out = Files.createTempFile(directory, "out", "");
    Path err = Files.createTempFile(directory, "err", "");
    return new StatectlProcess(
        builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start(), out, err);
  }

  long pid() {
    return process.pid();
  }

  /** Sends a signal by the shell's kill. */
  void send(String signal) throws Exception {
    process.descendants().forEach(children::add);
    Process kill =
        new ProcessBuilder("sh", "-c", "kill -s " + signal + " " + process.pid()).start();
    assertThat(kill.waitFor()).isZero();
  }

  Outcome end() throws Exception {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the process ends").isTrue();
    return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  @Override
  public void close() {
    process.descendants().forEach(children::add);
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
  }
}
