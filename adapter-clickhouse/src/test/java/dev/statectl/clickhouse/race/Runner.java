package dev.statectl.clickhouse.race;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that takes part, with its log; whoever starts it may stop, continue and kill it. */
final class Runner {
  private final String name;
  private final Process process;
  private final Path log;

  private Runner(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /** Starts a class of these tests in a JVM of its own. */
  static Runner java(Class<?> main, RaceSetup setup, String name, String... more)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx96m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(setup.arguments());
    command.add(name);
    command.addAll(List.of(more));
    return start(command, setup.directory(), name);
  }

  static Runner start(List<String> command, Path directory, String name) throws IOException {
    Path log = directory.resolve("output-of-" + name);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()))
            .start();
    return new Runner(name, process, log);
  }

  /** Sends it a line. */
  void tell(String line) throws IOException {
    OutputStream in = process.getOutputStream();
    in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  /** How many whole lines it has said. */
  int lines() {
    return (int) said().chars().filter(c -> c == '\n').count();
  }

  /** Waits until it has said so many lines, and gives the last of them. */
  String line(int count, int seconds) throws InterruptedException {
    for (int i = 0; lines() < count; i++) {
      if (i == seconds * 100 || !isAlive()) {
        throw new IllegalStateException(name + " did not answer. It said: " + said());
      }
      Thread.sleep(10);
    }
    return said().lines().toList().get(count - 1);
  }

  String name() {
    return name;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  void stop() throws IOException {
    signal("-STOP");
  }

  void resume() throws IOException {
    signal("-CONT");
  }

  /** As {@code kill -9}: the process can do nothing any more. */
  void kill() {
    process.destroyForcibly();
    exit(10);
  }

  /** Tells it to finish. */
  void finish() throws IOException {
    process.getOutputStream().close();
  }

  int exit(int seconds) {
    try {
      if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(name + " does not end. It said: " + said());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    return process.exitValue();
  }

  String said() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return "(unreadable: " + e + ")";
    }
  }

  private void signal(String signal) throws IOException {
    Process kill = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start();
    try {
      if (kill.waitFor() != 0) {
        throw new IOException("kill " + signal + " of " + name + " failed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
