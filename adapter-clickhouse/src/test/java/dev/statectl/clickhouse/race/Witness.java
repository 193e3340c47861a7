package dev.statectl.clickhouse.race;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Files that show, without asking the engine, whether critical sections overlapped.
 *
 * <ul>
 *   <li>The log: a line when a section begins and one when it ends, with the machine's monotonic
 *       time.
 *   <li>The counter: one line for each section that ended. It is read at the beginning of a section
 *       and written as a whole at its end, so two that overlap lose one of their lines.
 * </ul>
 */
final class Witness {
  private final Path log;
  private final Path counter;
  private final Path draft;
  private final Path guard;
  private final String name;

  Witness(Path directory, String name) {
    this.log = logIn(directory);
    this.counter = counterIn(directory);
    this.draft = directory.resolve("counter-of-" + name);
    this.guard = guardOf(directory, name);
    this.name = name;
  }

  static Path logIn(Path directory) {
    return directory.resolve("log");
  }

  static Path counterIn(Path directory) {
    return directory.resolve("counter");
  }

  static Path announcedIn(Path directory, String name) {
    return directory.resolve("announced-by-" + name);
  }

  private static Path guardOf(Path directory, String name) {
    return directory.resolve("guard-of-" + name);
  }

  /** Something done while no pause of the process can begin. */
  interface Step {
    void run() throws IOException;
  }

  /**
   * Checks a lock and touches the witnesses as one step. Files know no fences: a process that is
   * stopped between its check and its touch would write long after its lock was lost, and no lock
   * with a stale time can prevent that. So whoever stops processes waits for the end of such a
   * step, see {@link #whileUntouched}.
   */
  void touch(Step step) throws IOException {
    guarded(guard, step);
  }

  /** Does something while a process touches no witness. */
  static void whileUntouched(Path directory, String name, Step step) throws IOException {
    guarded(guardOf(directory, name), step);
  }

  private static void guarded(Path file, Step step) throws IOException {
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = channel.lock()) {
      if (held.isValid()) {
        step.run();
      }
    }
  }

  List<String> begin(String lockId) throws IOException {
    append("begin", lockId);
    return Files.exists(counter) ? Files.readAllLines(counter) : List.of();
  }

  void end(String lockId, List<String> counted) throws IOException {
    List<String> lines = new ArrayList<>(counted);
    lines.add(lockId);
    Files.write(draft, lines);
    Files.move(draft, counter, StandardCopyOption.ATOMIC_MOVE);
    append("end", lockId);
  }

  /** Writes down something that is not about a section. */
  void note(String event, String lockId) throws IOException {
    append(event, lockId);
  }

  // One write a line, so lines of several processes do not mix.
  private void append(String event, String lockId) throws IOException {
    Files.writeString(
        log,
        System.nanoTime() + " " + event + " " + lockId + " " + name + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
