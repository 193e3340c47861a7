package dev.statectl.inmemory;

import dev.statectl.port.StateFailure;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Says what went wrong with a snapshot: the only place that words its failures. */
final class SnapshotFailures {
  private final Path file;

  /** Takes the snapshot's path as the user knows it. */
  SnapshotFailures(Path file) {
    this.file = file;
  }

  StateFailure damaged(String fault, @Nullable Throwable cause) {
    return new StateFailure.WrongSchema(
        "the snapshot file "
            + file
            + " is damaged: "
            + fault
            + "; it was left as it is: mend it, or move it away to start without states",
        "mend it, or move it away to start without states",
        cause);
  }

  StateFailure notAFile() {
    return new StateFailure.WrongSchema(
        "the snapshot file "
            + file
            + " is not a regular file: name a file in the form of 'meltano state export', or one"
            + " that does not exist yet",
        null);
  }

  StateFailure tooLargeToRead(long bytes, long limit) {
    return new StateFailure.WrongSchema(
        "the snapshot file "
            + file
            + " has "
            + bytes
            + " bytes, more than the "
            + limit
            + " that are read; it was left as it is: move it away, and keep this many states in"
            + " ClickHouse",
        null);
  }

  StateFailure tooLargeToWrite(long limit) {
    return new StateFailure.Unavailable(
        "the snapshot file "
            + file
            + " would have more than the "
            + limit
            + " bytes that are written; nothing was changed: clear states, or keep this many in"
            + " ClickHouse",
        null);
  }

  StateFailure notRead(IOException cause) {
    String message = "the snapshot file " + file + " could not be read: " + reason(cause);
    return cause instanceof AccessDeniedException
        ? new StateFailure.Denied(
            message + ": this needs the right to read the file and to enter its directory", cause)
        : new StateFailure.Unavailable(
            message + ": check the path, then try again", "check the path, then try again", cause);
  }

  StateFailure notWritten(Path directory, IOException cause) {
    String message =
        "the snapshot file "
            + file
            + " could not be written: "
            + reason(cause)
            + "; nothing was changed: ";
    return isDenied(directory, cause)
        ? new StateFailure.Denied(
            message + "this needs the right to read and write in the directory " + directory, cause)
        : new StateFailure.Unavailable(
            message + "see that the disk has room and " + directory + " is there, then try again",
            "see that the disk has room and " + directory + " is there, then try again",
            cause);
  }

  StateFailure notLocked(Path lockFile, IOException cause) {
    return new StateFailure.Unavailable(
        "the snapshot file "
            + file
            + " could not be locked: "
            + lockFile
            + ": "
            + reason(cause)
            + "; nothing was changed: see that this can be a regular file on a file system with"
            + " locks, then try again",
        cause);
  }

  StateFailure held(Path lockFile, String holder, String waited) {
    String advice =
        "wait until that program ends, or end it, then try again; do not remove "
            + lockFile
            + ", it is freed by itself";
    return new StateFailure.StoreHeld(
        "the snapshot file "
            + file
            + " is in use by "
            + holder
            + " (waited "
            + waited
            + "); nothing was changed: "
            + advice,
        advice);
  }

  StateFailure interrupted(InterruptedException cause) {
    return new StateFailure.Unavailable(
        "the wait for the snapshot file " + file + " was interrupted; nothing was changed", cause);
  }

  StateFailure lockFileReplaced(Path lockFile) {
    return new StateFailure.Unavailable(
        "the lock file "
            + lockFile
            + " was removed or replaced while this program held it; nothing was changed: see that"
            + " no other program uses the snapshot file "
            + file
            + ", then start this one again",
        null);
  }

  StateFailure changedByOthers() {
    return new StateFailure.Unavailable(
        "the snapshot file "
            + file
            + " was changed or removed by another program while this one had it open; nothing was"
            + " changed here: start this program again to go on from the file as it is now",
        null);
  }

  StateFailure notFlushed(IOException cause) {
    return new StateFailure.OutcomeUnknown(
        "the snapshot file "
            + file
            + " was written, but whether a power cut would undo that is unknown: "
            + reason(cause)
            + "; look at the file before you repeat the change",
        cause);
  }

  /** Whether the user may not write there, be it for missing rights or a read-only file system. */
  static boolean isDenied(Path directory, IOException cause) {
    Path nearest = directory;
    while (nearest.getParent() != null && Files.notExists(nearest)) {
      nearest = nearest.getParent();
    }
    return cause instanceof AccessDeniedException
        || Files.isDirectory(nearest) && !Files.isWritable(nearest);
  }

  private static String reason(IOException e) {
    if (e instanceof AccessDeniedException denied) {
      return "permission denied: " + denied.getFile();
    }
    if (e instanceof NoSuchFileException missing) {
      return "no such file or directory: " + missing.getFile();
    }
    if (e instanceof FileAlreadyExistsException existing) {
      return existing.getFile() + " is in the way";
    }
    if (e instanceof ClosedByInterruptException) {
      return "the thread was interrupted";
    }
    if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getReason();
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }
}
