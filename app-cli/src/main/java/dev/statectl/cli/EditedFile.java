package dev.statectl.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The file that an editor is given, in a directory of its own that only its owner may enter:
 * editors leave copies beside a file. All is deleted when it is closed, unless it is to be kept.
 */
final class EditedFile implements AutoCloseable {
  private final Path directory;
  private final Path file;
  private final byte[] before;
  private boolean kept;

  private EditedFile(Path directory, byte[] before) {
    this.directory = directory;
    this.before = before;
    this.file = directory.resolve("state.json");
  }

  /**
   * Makes the file.
   *
   * @param parent where temporary files are
   * @throws CommandFailure when it cannot be made there
   */
  static EditedFile create(Path parent, String text) {
    try {
      Path directory = Files.createTempDirectory(parent, "statectl-edit-", owner("rwx------"));
      EditedFile edited = new EditedFile(directory, text.getBytes(StandardCharsets.UTF_8));
      Files.createFile(edited.file, owner("rw-------"));
      Files.write(edited.file, edited.before);
      return edited;
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.FAILURE,
          "cannot make a file to edit in "
              + parent
              + " ("
              + e.getClass().getSimpleName()
              + "); set TMPDIR to another directory; nothing was changed",
          "set TMPDIR to another directory");
    }
  }

  private static FileAttribute<Set<PosixFilePermission>> owner(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }

  Path path() {
    return file;
  }

  /** Tells whether somebody has written something else into it; one that is gone holds nothing. */
  boolean isChanged() throws IOException {
    return Files.exists(file) && !Arrays.equals(Files.readAllBytes(file), before);
  }

  boolean isGone() {
    return Files.notExists(file);
  }

  /** Keeps the file for the person, who is told where it is. */
  Path keep() {
    kept = true;
    return file;
  }

  @Override
  public void close() throws IOException {
    if (kept) {
      return;
    }
    List<Path> all;
    try (Stream<Path> walk = Files.walk(directory)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.deleteIfExists(path);
    }
  }
}
