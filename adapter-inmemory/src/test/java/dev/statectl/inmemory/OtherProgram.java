package dev.statectl.inmemory;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A second JVM on the class path of the tests, as another program that uses a snapshot. */
final class OtherProgram implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  final Process process;
  private final BufferedReader out;

  private OtherProgram(Process process) {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Starts {@link SnapshotProgram}, or another one, with arguments. */
  static OtherProgram start(List<String> prefix, Class<?> program, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // The JVM's own counters are a file, too, and limits on files would hit it first.
    command.add("-XX:-UsePerfData");
    command.add("-Xmx64m");
    command.add("-Dstdout.encoding=UTF-8");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("LC_ALL", "C.UTF-8");
    return new OtherProgram(builder.start());
  }

  /** Starts the program that opens a snapshot and holds it until it is closed or killed. */
  static OtherProgram holding(Path file) throws IOException {
    OtherProgram program = start(List.of(), SnapshotProgram.class, file.toString(), "0", "hold");
    String line = program.out.readLine();
    if (!"opened".equals(line)) {
      throw new IllegalStateException("the other program said: " + line);
    }
    return program;
  }

  /** Runs the program to its end and gives the lines it wrote. */
  static List<String> run(List<String> prefix, String... arguments) throws Exception {
    try (OtherProgram program = start(prefix, SnapshotProgram.class, arguments)) {
      return program.lines();
    }
  }

  /** Lets root obey permission bits like anybody else; others do so anyway. */
  static List<String> obeyingPermissions() {
    return System.getProperty("user.name").equals("root")
        ? List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search")
        : List.of();
  }

  /** Lets no file grow beyond some blocks of 512 bytes: what a full disk does, for one program. */
  static List<String> withFilesOfAtMost(int blocks) {
    return List.of("sh", "-c", "ulimit -f " + blocks + "; exec \"$@\"", "sh");
  }

  /** Waits for the end, which must be a good one, and gives the lines that were not read yet. */
  List<String> lines() throws Exception {
    process.getOutputStream().close();
    List<String> lines = out.lines().toList();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IllegalStateException("the other program failed; it said: " + lines);
    }
    return lines;
  }

  /** Ends the program as a crash would. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() throws IOException {
    kill();
    out.close();
  }
}
