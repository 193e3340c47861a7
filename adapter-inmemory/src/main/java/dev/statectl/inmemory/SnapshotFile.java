package dev.statectl.inmemory;

import dev.statectl.json.MalformedJsonException;
import dev.statectl.state.ExportFormat;
import dev.statectl.state.State;
import dev.statectl.state.StateVersion;
import dev.statectl.usecase.Pause;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file of states in {@link ExportFormat}, with its lock. Not thread-safe: the store's lock guards
 * it.
 *
 * <p>A write, step by step:
 *
 * <ol>
 *   <li>The lock file is still ours, and the file is as this program last saw it.
 *   <li>A temporary file beside it takes the new content and the old file's rights, and is flushed.
 *   <li>It is renamed over the file: readers see the old content or the new.
 *   <li>The directory is flushed, so that the new name outlives a power cut.
 * </ol>
 */
final class SnapshotFile implements AutoCloseable {
  /** The largest snapshot: what one Java text and its copies can hold. */
  static final long MAX_BYTES = 1L << 30;

  private static final Duration POLL = Duration.ofMillis(50);
  private static final int MAX_LINKS = 40;
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private final Path file;
  private final Path directory;
  private final Clock clock;
  private final Duration lockTimeout;
  private final Pause pause;
  private final SnapshotFailures failures;
  private @Nullable SnapshotLock lock;
  private @Nullable Stamp seen;

  /** How the file looked when it was last read or written; null stands for a missing file. */
  private record Stamp(@Nullable Object key, FileTime modified, long size) {
    static @Nullable Stamp of(Path file) throws IOException {
      try {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        return new Stamp(found.fileKey(), found.lastModifiedTime(), found.size());
      } catch (NoSuchFileException e) {
        requireDirectoryAbove(file);
        return null;
      }
    }

    /** Newer versions of Java tell a path below a file no longer from one that is missing. */
    private static void requireDirectoryAbove(Path file) throws IOException {
      Path above = file.getParent();
      while (above != null && Files.notExists(above)) {
        above = above.getParent();
      }
      if (above != null && Files.exists(above) && !Files.isDirectory(above)) {
        throw new FileSystemException(file.toString(), null, "Not a directory");
      }
    }
  }

  /** Takes the path of a file, absolute; nothing is touched yet. */
  SnapshotFile(Path given, Clock clock, Duration lockTimeout, Pause pause) {
    this.clock = clock;
    this.lockTimeout = lockTimeout;
    this.pause = pause;
    this.failures = new SnapshotFailures(given);
    try {
      this.file = target(given);
    } catch (IOException e) {
      throw failures.notRead(e);
    }
    Path parent = file.getParent();
    if (parent == null) {
      throw failures.notAFile();
    }
    this.directory = parent;
  }

  /** Takes the lock if the directory is there and may be written to, and reads the states. */
  List<State> open() {
    boolean opened = false;
    try {
      if (Files.isDirectory(directory)) {
        lockIfAllowed();
      }
      List<State> states = load();
      opened = true;
      return states;
    } finally {
      if (!opened) {
        close();
      }
    }
  }

  /**
   * Makes sure that the lock is held before a change.
   *
   * @param sure whether there is something to change; if not, no directory is created for it
   * @return the states, when the file is another one than was read before there was a lock
   */
  Optional<List<State>> prepareChange(boolean sure) {
    if (lock != null || !sure && Files.notExists(directory)) {
      return Optional.empty();
    }
    try {
      createDirectory();
    } catch (IOException e) {
      throw failures.notWritten(directory, e);
    }
    IOException refusal = lockIfAllowed();
    if (refusal != null) {
      throw failures.notWritten(directory, refusal);
    }
    boolean prepared = false;
    try {
      Optional<List<State>> states = isAsSeen() ? Optional.empty() : Optional.of(load());
      prepared = true;
      return states;
    } finally {
      if (!prepared) {
        // Else the next change would overwrite what could not be read.
        close();
      }
    }
  }

  /** Writes the states in place of all that the file holds. The lock must be held. */
  void write(List<State> states) {
    SnapshotLock held = Objects.requireNonNull(lock);
    byte[] content = encode(states);
    if (!isInPlace(held)) {
      throw failures.lockFileReplaced(held.file());
    }
    if (!isAsSeen()) {
      throw failures.changedByOthers();
    }
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    boolean replaced = false;
    // The directory is opened first: where that is not allowed, nothing must change.
    try (FileChannel openDirectory = FileChannel.open(directory, StandardOpenOption.READ)) {
      Stamp written = writeTemporary(temporary, content);
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      replaced = true;
      seen = written;
      openDirectory.force(true);
    } catch (IOException e) {
      throw replaced ? failures.notFlushed(e) : failures.notWritten(directory, e);
    } finally {
      if (!replaced) {
        removeTemporary(temporary);
      }
    }
  }

  /** Frees the file for other programs. */
  @Override
  public void close() {
    if (lock != null) {
      try {
        if (seen == null) {
          lock.closeWithoutSnapshot();
        } else {
          lock.close();
        }
      } catch (IOException e) {
        // The channel is closed and the lock with it; only the holder's name may be left behind.
      }
      lock = null;
    }
  }

  private boolean isInPlace(SnapshotLock held) {
    try {
      return held.isInPlace();
    } catch (IOException e) {
      throw failures.notWritten(directory, e);
    }
  }

  private boolean isAsSeen() {
    try {
      return Objects.equals(seen, Stamp.of(file));
    } catch (IOException e) {
      throw failures.notRead(e);
    }
  }

  // Follows links, so that a write replaces the file that is meant and not the link to it.
  private static Path target(Path given) throws IOException {
    Path path = given;
    for (int links = 0; Files.isSymbolicLink(path); links++) {
      if (links == MAX_LINKS) {
        throw new FileSystemLoopException(given.toString());
      }
      path = path.resolveSibling(Files.readSymbolicLink(path));
    }
    return path;
  }

  // Gives the refusal when the user may not lock, and null when the lock is held.
  private @Nullable IOException lockIfAllowed() {
    Path lockFile = directory.resolve(file.getFileName() + ".lock");
    try {
      lockFile = directory.toRealPath().resolve(lockFile.getFileName());
      lock = takeLock(lockFile);
      return null;
    } catch (IOException e) {
      if (SnapshotFailures.isDenied(directory, e)) {
        return e;
      }
      throw failures.notLocked(lockFile, e);
    }
  }

  private SnapshotLock takeLock(Path lockFile) throws IOException {
    Duration waited = Duration.ZERO;
    while (true) {
      SnapshotLock.Attempt attempt =
          SnapshotLock.attempt(lockFile, clock.instant(), permissionsOrOwnerOnly());
      if (attempt.lock() != null) {
        return attempt.lock();
      }
      Duration left = lockTimeout.minus(waited);
      if (left.isZero()) {
        throw failures.held(lockFile, attempt.holder(), seconds(lockTimeout));
      }
      Duration step = left.compareTo(POLL) < 0 ? left : POLL;
      try {
        pause.pause(step);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw failures.interrupted(e);
      }
      waited = waited.plus(step);
    }
  }

  // Who may write the snapshot may lock it, too.
  private Set<PosixFilePermission> permissionsOrOwnerOnly() throws IOException {
    try {
      return Files.getPosixFilePermissions(file);
    } catch (NoSuchFileException e) {
      return OWNER_ONLY;
    }
  }

  private static String seconds(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString() + " s";
  }

  private List<State> load() {
    Stamp stamp;
    byte[] content;
    try {
      stamp = Stamp.of(file);
      if (stamp == null) {
        seen = null;
        return List.of();
      }
      if (!Files.isRegularFile(file)) {
        throw failures.notAFile();
      }
      if (stamp.size() > MAX_BYTES) {
        throw failures.tooLargeToRead(stamp.size(), MAX_BYTES);
      }
      content = Files.readAllBytes(file);
    } catch (IOException e) {
      throw failures.notRead(e);
    }
    StateVersion version = StateVersion.next(Optional.empty(), stamp.modified().toInstant());
    try {
      List<State> states = ExportFormat.read(decode(content));
      seen = stamp;
      return states.stream().map(state -> state.withVersion(version)).toList();
    } catch (MalformedJsonException | IllegalArgumentException e) {
      throw failures.damaged(e.getMessage(), e);
    }
  }

  private String decode(byte[] content) {
    ByteBuffer in = ByteBuffer.wrap(content);
    CharBuffer out = CharBuffer.allocate(content.length);
    CoderResult result =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT)
            .decode(in, out, true);
    String text = out.flip().toString();
    if (result.isError()) {
      int lineStart = text.lastIndexOf('\n') + 1;
      long line = text.chars().filter(c -> c == '\n').count() + 1;
      int column = text.codePointCount(lineStart, text.length()) + 1;
      throw failures.damaged("line " + line + ", column " + column + ": not UTF-8", null);
    }
    return text;
  }

  private byte[] encode(List<State> states) {
    long atLeast = 0;
    for (State state : states) {
      atLeast += state.utf8Length();
    }
    if (atLeast > MAX_BYTES) {
      throw failures.tooLargeToWrite(MAX_BYTES);
    }
    byte[] content = ExportFormat.write(states).getBytes(StandardCharsets.UTF_8);
    if (content.length > MAX_BYTES) {
      throw failures.tooLargeToWrite(MAX_BYTES);
    }
    return content;
  }

  private void createDirectory() throws IOException {
    Deque<Path> missing = new ArrayDeque<>();
    for (Path p = directory; p != null && Files.notExists(p); p = p.getParent()) {
      missing.push(p);
    }
    Files.createDirectories(directory);
    // Each new name is flushed, else a power cut could take the directory with the states in it.
    for (Path created : missing) {
      try (FileChannel parent =
          FileChannel.open(created.resolveSibling(""), StandardOpenOption.READ)) {
        parent.force(true);
      }
    }
  }

  private Stamp writeTemporary(Path temporary, byte[] content) throws IOException {
    // One that a crash left behind. It is replaced and never written into: it may be a link.
    removeTemporary(temporary);
    try (FileChannel channel =
        FileChannel.open(
            temporary,
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
            PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
      ByteBuffer buffer = ByteBuffer.wrap(content);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      if (seen != null) {
        keepRights(temporary);
      }
      channel.force(true);
    }
    return Objects.requireNonNull(Stamp.of(temporary));
  }

  private void keepRights(Path temporary) throws IOException {
    PosixFileAttributes old = Files.readAttributes(file, PosixFileAttributes.class);
    PosixFileAttributeView view =
        Files.getFileAttributeView(temporary, PosixFileAttributeView.class);
    PosixFileAttributes fresh = view.readAttributes();
    Set<PosixFilePermission> permissions = new HashSet<>(old.permissions());
    if (!fresh.group().equals(old.group())) {
      try {
        view.setGroup(old.group());
      } catch (IOException e) {
        // What one group may do must not become what another group may do.
        permissions.removeIf(permission -> permission.name().startsWith("GROUP_"));
      }
    }
    if (!fresh.owner().equals(old.owner())) {
      try {
        view.setOwner(old.owner());
      } catch (IOException e) {
        // Only the superuser can; for anybody else the file is theirs now.
      }
    }
    view.setPermissions(permissions);
  }

  private static void removeTemporary(Path temporary) {
    try {
      if (!Files.isDirectory(temporary, LinkOption.NOFOLLOW_LINKS)) {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      // Then creating it anew fails and says why; and what is left behind does no harm.
    }
  }
}
