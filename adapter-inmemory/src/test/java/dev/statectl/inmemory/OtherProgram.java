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

  /** The next line of the program. */
  String nextLine() throws IOException {
    String line = out.readLine();
    if (line == null) {
      throw new IllegalStateException("the other program ended");
    }
    return line;
  }

  /** Ends the program as a crash would, and gives the lines that it said and nobody has read. */
  List<String> killAndListen() {
    // Not through the process, which would close its output unread.
    process.toHandle().destroyForcibly();
    List<String> said = out.lines().toList();
    process.onExit().join();
    return said;
  }

  /** Runs a program to its end and gives the lines it wrote. */
  static List<String> run(List<String> prefix, Class<?> program, String... arguments)
      throws Exception {
    try (OtherProgram other = start(prefix, program, arguments)) {
      return other.lines();
    }
  }

  /**
   * Gives the program a file system of its own on a directory, of 1 MB, after a preparation.
   *
   * @param preparation commands of a shell, with the directory as {@code $1}
   */
  static List<String> withDisk(Path directory, String preparation) {
    return List.of(
        "unshare",
        "-rm",
        "sh",
        "-ec",
        "mount -t tmpfs -o size=1m tmpfs \"$1\"; " + preparation + "; shift; exec \"$@\"",
        "sh",
        directory.toString());
  }

  /** Whether this machine gives a program a file system of its own. */
  static boolean mayHaveDisk(Path directory) throws Exception {
    List<String> command = new ArrayList<>(withDisk(directory, "true"));
    command.add("true");
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      // There is no such command here.
      return false;
    }
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
