package dev.statectl.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The three streams of a process, of which the JDK does not tell what is behind each. */
enum StandardStream {
  IN,
  OUT,
  ERR;

  /**
   * Tells whether a terminal is behind it; false if that is unknown.
   *
   * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_fd.5.html">proc_pid_fd(5)</a>
   */
  boolean isTerminal() {
    Path link = Path.of("/proc/self/fd/" + ordinal());
    try {
      if (Files.isSymbolicLink(link)) {
        String file = Files.readSymbolicLink(link).toString();
        return file.startsWith("/dev/pts/")
            || file.startsWith("/dev/tty")
            || file.equals("/dev/console");
      }
      return !Files.isDirectory(Path.of("/proc/self")) && asksShell();
    } catch (IOException e) {
      return false;
    }
  }

  // Where there is no /proc, a shell that has the same streams knows.
  private boolean asksShell() throws IOException {
    Process test = new ProcessBuilder("sh", "-c", "[ -t " + ordinal() + " ]").inheritIO().start();
    try {
      return test.waitFor() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
