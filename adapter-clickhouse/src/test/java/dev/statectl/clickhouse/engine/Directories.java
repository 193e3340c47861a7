package dev.statectl.clickhouse.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What the JDK lacks: deleting a directory with all that is in it. */
public final class Directories {
  private Directories() {}

  /**
   * Does nothing if there is no such directory.
   *
   * @param directory what to delete
   * @throws IOException if something in it cannot be deleted
   */
  public static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    List<Path> children;
    try (Stream<Path> all = Files.walk(directory)) {
      children = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path child : children) {
      Files.deleteIfExists(child);
    }
  }
}
