package dev.statectl.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The processes that a terminal sends Ctrl-C to.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html">proc_pid_stat(5)</a>
 */
final class ForegroundGroup {
  private ForegroundGroup() {}

  /** Tells whether this process, and so its children, is among them; false if that is unknown. */
  static boolean holdsThisProcess() {
    try {
      List<String> groups = groups();
      return groups.size() == 2 && groups.get(0).equals(groups.get(1));
    } catch (IOException e) {
      return false;
    }
  }

  // The process's group, and the foreground group of its terminal.
  private static List<String> groups() throws IOException {
    Path stat = Path.of("/proc/self/stat");
    if (Files.exists(stat)) {
      String text = Files.readString(stat, StandardCharsets.ISO_8859_1);
      // The name before the last bracket may hold anything.
      List<String> fields = words(text.substring(text.lastIndexOf(')') + 1));
      return List.of(fields.get(2), fields.get(5));
    }
    String pid = String.valueOf(ProcessHandle.current().pid());
    Process ps = new ProcessBuilder("ps", "-o", "pgid=,tpgid=", "-p", pid).start();
    return words(new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
  }

  private static List<String> words(String text) {
    return Arrays.asList(text.strip().split("\\s+"));
  }
}
