package dev.statectl.cli.settings;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the directory of the Meltano project: that of {@code MELTANO_PROJECT_ROOT}, else the first
 * with a meltano.yml from the working directory upwards.
 */
final class ProjectRoot {
  static final String VARIABLE = "MELTANO_PROJECT_ROOT";
  static final String FILE = "meltano.yml";

  private ProjectRoot() {}

  /** Gives the root, or null if there is none or the variable names a wrong one. */
  static @Nullable Path find(
      Path workingDirectory, Map<String, String> environment, Problems problems) {
    String named = environment.getOrDefault(VARIABLE, "");
    if (!named.isEmpty()) {
      return named(workingDirectory, named, problems);
    }
    for (Path each = workingDirectory; each != null; each = each.getParent()) {
      if (Files.isRegularFile(each.resolve(FILE))) {
        return each;
      }
    }
    return null;
  }

  /** Looks nowhere else: the project of another directory may have another store. */
  private static @Nullable Path named(Path workingDirectory, String named, Problems problems) {
    try {
      Path root = workingDirectory.resolve(named).normalize();
      if (Files.isRegularFile(root.resolve(FILE))) {
        return root;
      }
    } catch (InvalidPathException e) {
      // Reported below: such a path has no meltano.yml either.
    }
    problems.add(
        VARIABLE,
        "names a directory without a meltano.yml",
        "set it to the project's directory, or unset it");
    return null;
  }
}
