package dev.statectl.inmemory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The operating system's lock on a snapshot's side file. It ends with the process, however that
 * ends. The side file stays, since removing it would let two programs lock two files of one name;
 * only where no snapshot came to be its maker removes it, and whoever locks it then sees that it is
 * gone.
 *
 * <p>POSIX locks belong to the process, and closing any channel on the file drops them all. So a
 * process may have no second channel on a lock file: whoever wants to open one claims its path in
 * {@link #CLAIMED} first, and gives the claim back after its channel is closed.
 *
 * @see java.nio.channels.FileLock
 */
final class SnapshotLock implements AutoCloseable {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final int MAX_HOLDER_BYTES = 400;
  private static final int TRIES = 5;

  // Lock files by real path, each with who holds it. Static because the locks are the process's.
  private static final ConcurrentMap<Path, String> CLAIMED = new ConcurrentHashMap<>();

  private final Path file;
  private final Opened opened;

  private SnapshotLock(Path file, Opened opened) {
    this.file = file;
    this.opened = opened;
  }

  /**
   * An open side file.
   *
   * @param fileKey what it is, seen when it was opened
   * @param made whether it was made by opening it
   */
  private record Opened(FileChannel channel, @Nullable Object fileKey, boolean made) {}

  /** What a try comes to: the lock, or who holds it. */
  record Attempt(@Nullable SnapshotLock lock, String holder) {}

  /**
   * Tries once to take the lock.
   *
   * @param file the side file by its real path; it is created when it is missing
   * @param now since when it will be held
   * @param permissions of a new side file
   */
  static Attempt attempt(Path file, Instant now, Set<PosixFilePermission> permissions)
      throws IOException {
    String self = describeSelf(now);
    String claimant = CLAIMED.putIfAbsent(file, self);
    if (claimant != null) {
      return new Attempt(null, claimant);
    }
    boolean taken = false;
    Opened opened = null;
    try {
      for (int i = 0; i < TRIES; i++) {
        opened = openFile(file, permissions);
        if (opened == null) {
          continue;
        }
        if (opened.channel().tryLock() == null) {
          return new Attempt(null, readHolder(opened.channel()));
        }
        SnapshotLock lock = new SnapshotLock(file, opened);
        if (lock.isInPlace()) {
          writeHolder(opened.channel(), self);
          taken = true;
          return new Attempt(lock, self);
        }
        // Its maker removed it between the opening and the lock.
        opened.channel().close();
      }
      return new Attempt(null, "another program");
    } finally {
      if (!taken) {
        release(file, opened == null ? null : opened.channel());
      }
    }
  }

  /** Whether the side file is still the one that was locked, so that others still meet the lock. */
  boolean isInPlace() throws IOException {
    try {
      return Objects.equals(opened.fileKey(), fileKey(file));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Where the lock is. */
  Path file() {
    return file;
  }

  /**
   * Lets go of the lock, of a snapshot that is not there: a side file that was made for it goes.
   */
  void closeWithoutSnapshot() throws IOException {
    try {
      if (opened.made() && isInPlace()) {
        Files.delete(file);
      }
    } finally {
      close();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      // So that nobody reads in it who held the lock once.
      opened.channel().truncate(0);
    } finally {
      release(file, opened.channel());
    }
  }

  private static void release(Path file, @Nullable FileChannel channel) throws IOException {
    try {
      if (channel != null) {
        channel.close();
      }
    } finally {
      CLAIMED.remove(file);
    }
  }

  // Links are not followed: the file is truncated, and in a directory open to all anybody could
  // have made it a link to a file of ours.
  // Null where another program's file went away while it was opened.
  private static @Nullable Opened openFile(Path file, Set<PosixFilePermission> permissions)
      throws IOException {
    try {
      FileChannel created =
          FileChannel.open(
              file,
              Set.of(
                  StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
              PosixFilePermissions.asFileAttribute(OWNER_ONLY));
      try {
        // Set once more because the process's umask takes away from what is asked for at creation.
        Files.setPosixFilePermissions(file, permissions);
        return new Opened(created, fileKey(file), true);
      } catch (IOException | RuntimeException e) {
        created.close();
        throw e;
      }
    } catch (FileAlreadyExistsException e) {
      return openExisting(file);
    }
  }

  // What it is, is asked before: a file that takes its place later is not taken for it.
  private static @Nullable Opened openExisting(Path file) throws IOException {
    try {
      Object key = fileKey(file);
      return new Opened(
          FileChannel.open(
              file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
          key,
          false);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static @Nullable Object fileKey(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }

  private static void writeHolder(FileChannel channel, String self) throws IOException {
    try {
      channel.truncate(0);
      channel.write(ByteBuffer.wrap((self + "\n").getBytes(StandardCharsets.UTF_8)), 0);
    } catch (IOException e) {
      // A full disk must not keep anybody from reading; an interrupt has closed the channel.
      if (!channel.isOpen()) {
        throw e;
      }
    }
  }

  private static String readHolder(FileChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(MAX_HOLDER_BYTES);
    channel.read(buffer, 0);
    String text = StandardCharsets.UTF_8.decode(buffer.flip()).toString();
    String line = text.lines().findFirst().orElse("").replaceAll("\\p{Cntrl}", "?").strip();
    return line.isEmpty() ? "another program" : line;
  }

  private static String describeSelf(Instant now) {
    ProcessHandle process = ProcessHandle.current();
    return "pid "
        + process.pid()
        + ", "
        + System.getProperty("user.name")
        + "@"
        + hostName()
        + ", since "
        + now.truncatedTo(ChronoUnit.SECONDS)
        + process
            .info()
            .startInstant()
            .map(start -> ", program started " + start.truncatedTo(ChronoUnit.SECONDS))
            .orElse("");
  }

  // Linux tells the name itself; elsewhere the name service has to, which may take a while.
  private static String hostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException unknown) {
        return "localhost";
      }
    }
  }
}
