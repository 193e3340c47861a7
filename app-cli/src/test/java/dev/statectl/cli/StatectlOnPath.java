package dev.statectl.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes {@code statectl}, and what examples need beside it, commands of a shell. */
final class StatectlOnPath {
  private StatectlOnPath() {}

  /**
   * Puts the command into a directory below another.
   *
   * @return the variables of the shell, with the given ones
   */
  static Map<String, String> in(Path directory, Map<String, String> environment)
      throws IOException {
    Path bin = Files.createDirectories(directory.resolve(".bin"));
    install(
        bin.resolve("statectl"),
        TerminalSession.java().stream()
            .map(ShellQuoting::quoted)
            .collect(Collectors.joining(" ", "exec ", " \"$@\"")));
    Map<String, String> variables = new HashMap<>(environment);
    variables.put("PATH", bin + ":" + System.getenv("PATH"));
    return variables;
  }

  /** Makes an executable script. */
  static void install(Path file, String script) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
