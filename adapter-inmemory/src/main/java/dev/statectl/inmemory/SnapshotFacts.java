package dev.statectl.inmemory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;

/**
 * What the file system says of a snapshot.
 *
 * @param file the snapshot
 * @param size its size; empty when it is missing
 * @param othersMayWrite whether every user of the machine may write it
 * @param mayWriteBeside whether a file can be made beside it, as each change does
 * @param hasLockFile whether the file that is locked is there
 * @param hasTemporary whether a change was not brought to its end
 */
record SnapshotFacts(
    Path file,
    Optional<Long> size,
    boolean othersMayWrite,
    boolean mayWriteBeside,
    boolean hasLockFile,
    boolean hasTemporary) {

  /** Looks at the files; changes nothing. */
  static SnapshotFacts of(Path file) {
    Path directory = file.resolveSibling("");
    Path nearest = directory;
    while (nearest.getParent() != null && Files.notExists(nearest)) {
      nearest = nearest.getParent();
    }
    return new SnapshotFacts(
        file,
        sizeOf(file),
        mayOthersWrite(file),
        Files.isWritable(nearest),
        Files.exists(file.resolveSibling(file.getFileName() + ".lock")),
        Files.exists(file.resolveSibling(file.getFileName() + ".tmp"), LinkOption.NOFOLLOW_LINKS));
  }

  private static Optional<Long> sizeOf(Path file) {
    try {
      return Optional.of(Files.size(file));
    } catch (IOException e) {
      // It was read when the backend was opened; so it is not there.
      return Optional.empty();
    }
  }

  private static boolean mayOthersWrite(Path file) {
    try {
      return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_WRITE);
    } catch (IOException e) {
      return false;
    }
  }
}
