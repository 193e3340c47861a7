package dev.statectl.inmemory;

import dev.statectl.port.Backend;
import dev.statectl.port.Checkup;
import dev.statectl.port.LockTable;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateHistory;
import dev.statectl.port.StateStore;
import dev.statectl.usecase.Pause;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * States in memory, alone or with a snapshot file behind them. It obeys the same contract as a
 * database: nothing is shared with callers, ids are checked, versions grow, walks see one
 * consistent moment.
 *
 * <p>A <b>snapshot</b> is one JSON file in the form of {@code meltano state export}, so it can be
 * read, edited and imported. It is read once, when it is opened; a file that is missing means that
 * there is no state. Every change writes the whole file anew: a temporary file beside it, flushed
 * to the disk, takes its place in one step, so a reader or a crash meets the old file or the new
 * one and nothing between. A file that cannot be written leaves the states as they were. A new file
 * may be read and written by its owner only; one that exists keeps its rights, owner and group. The
 * file holds no versions: states that were read from it have the file's modification time as their
 * version.
 *
 * <p>All states are held in memory, and each change takes time in proportion to all of them: a
 * snapshot is for development, tests and small sets of pipelines. It may have 1 GiB.
 *
 * <p>History is kept in memory, at most {@value #MAX_RECORDS} records an id, and no longer than the
 * backend is open: a snapshot holds none, so that it stays an export of Meltano's.
 *
 * <p>An operating system lock on a side file, named as the snapshot with {@code .lock} behind it,
 * keeps other programs out from opening to closing; who holds it stands in that file. When the
 * snapshot's directory does not exist yet, it is created, locked and looked into before the first
 * state is written; reads create no directory and no snapshot. Where the user may read but not
 * write, the snapshot is read without a lock, and a write fails with {@link StateFailure.Denied}. A
 * snapshot that somebody changed past the lock while it was open is not overwritten: the write
 * fails with {@link StateFailure.Unavailable}. The snapshot needs a POSIX file system.
 *
 * <p>Thread-safe.
 *
 * @see <a href="https://docs.meltano.com/reference/command-line-interface/#state">meltano state</a>
 */
public final class InMemoryBackend implements Backend {
  /** How long {@link #open(Path, Clock)} waits for another program: 10 seconds. */
  public static final Duration DEFAULT_LOCK_TIMEOUT = Duration.ofSeconds(10);

  /** How many records of one id the history keeps: the newest 100. */
  public static final int MAX_RECORDS = 100;

  private final InMemoryStore states;
  private final Checkup checkup;
  private final String target;

  private InMemoryBackend(InMemoryStore states, @Nullable Path file) {
    this.states = states;
    this.checkup = new InMemoryCheckup(states, file);
    this.target = target(file);
  }

  private static String target(@Nullable Path file) {
    return file == null ? "memory" : "memory:" + file;
  }

  /**
   * Makes a backend that keeps states in memory only, at first none.
   *
   * @param clock the store's clock, from which versions are taken
   * @return the backend
   */
  public static InMemoryBackend create(Clock clock) {
    return create(clock, "");
  }

  /**
   * Makes a backend that keeps states in memory only, at first none, for somebody whose name is
   * recorded with each write, where history is recorded.
   *
   * @param clock the store's clock, from which versions are taken
   * @param author who writes, for people; empty to say nothing
   * @return the backend
   */
  public static InMemoryBackend create(Clock clock, String author) {
    return new InMemoryBackend(new InMemoryStore(clock, author, target(null)), null);
  }

  /**
   * Opens a snapshot, waiting up to {@link #DEFAULT_LOCK_TIMEOUT} for another program that holds
   * it.
   *
   * @param file the snapshot; it and its directory need not exist; a symbolic link is followed
   * @param clock the store's clock, from which versions are taken
   * @return the backend, which holds the snapshot's lock until it is closed
   * @throws StateFailure as {@link #open(Path, Clock, Duration)} does
   */
  public static InMemoryBackend open(Path file, Clock clock) {
    return open(file, clock, DEFAULT_LOCK_TIMEOUT);
  }

  /**
   * Opens a snapshot.
   *
   * @param file the snapshot; it and its directory need not exist; a symbolic link is followed
   * @param clock the store's clock, from which versions are taken
   * @param lockTimeout how long to wait, here and before the first write to a new directory, while
   *     another program holds the snapshot; with zero it is tried once
   * @return the backend, which holds the snapshot's lock until it is closed
   * @throws StateFailure.WrongSchema when the file is damaged: not UTF-8, not JSON, not of the
   *     export's form, without content, larger than 1 GiB, or no regular file; it stays as it is
   * @throws StateFailure.Denied when the file may not be read
   * @throws StateFailure.StoreHeld when another program holds the snapshot and did so until the
   *     time was over
   * @throws StateFailure.Unavailable when the thread was interrupted, or when the file cannot be
   *     read for another reason
   * @throws IllegalArgumentException when {@code lockTimeout} is negative
   */
  public static InMemoryBackend open(Path file, Clock clock, Duration lockTimeout) {
    return open(file, clock, lockTimeout, "");
  }

  /**
   * Opens a snapshot for somebody whose name is recorded with each write, where history is
   * recorded.
   *
   * @param file the snapshot; it and its directory need not exist; a symbolic link is followed
   * @param clock the store's clock, from which versions are taken
   * @param lockTimeout how long to wait, here and before the first write to a new directory, while
   *     another program holds the snapshot; with zero it is tried once
   * @param author who writes, for people; empty to say nothing
   * @return the backend, which holds the snapshot's lock until it is closed
   * @throws StateFailure as {@link #open(Path, Clock, Duration)} does
   * @throws IllegalArgumentException when {@code lockTimeout} is negative
   */
  public static InMemoryBackend open(Path file, Clock clock, Duration lockTimeout, String author) {
    return open(file, clock, lockTimeout, duration -> Thread.sleep(duration.toMillis()), author);
  }

  /** Opens a snapshot with another way to wait. */
  static InMemoryBackend open(Path file, Clock clock, Duration lockTimeout, Pause pause) {
    return open(file, clock, lockTimeout, pause, "");
  }

  private static InMemoryBackend open(
      Path file, Clock clock, Duration lockTimeout, Pause pause, String author) {
    if (lockTimeout.isNegative()) {
      throw new IllegalArgumentException("lockTimeout is negative: " + lockTimeout);
    }
    Path absolute = file.toAbsolutePath();
    SnapshotFile snapshot = new SnapshotFile(absolute, clock, lockTimeout, pause);
    return new InMemoryBackend(
        new InMemoryStore(clock, snapshot, author, target(absolute)), absolute);
  }

  @Override
  public StateStore states() {
    return states;
  }

  @Override
  public LockTable locks() {
    return states.locks();
  }

  @Override
  public StateHistory history() {
    return states.history();
  }

  @Override
  public Checkup checkup() {
    return checkup;
  }

  /**
   * Names the place for people.
   *
   * @return {@code memory}, or {@code memory:} and the snapshot's absolute path
   */
  @Override
  public String target() {
    return target;
  }

  @Override
  public Instant now() {
    return states.now();
  }

  /**
   * Frees the snapshot for other programs. What was acknowledged is on the disk already. Closing
   * twice does nothing.
   */
  @Override
  public void close() {
    states.close();
  }

  /** The store with its door for rows that other programs might have written. */
  InMemoryStore store() {
    return states;
  }
}
