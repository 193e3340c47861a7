package dev.statectl.clickhouse.race;

import dev.statectl.clickhouse.ClickHouseBackend;
import dev.statectl.clickhouse.KeeperLocks;
import dev.statectl.clickhouse.LockPeers;
import dev.statectl.json.JsonObject;
import dev.statectl.lock.LockId;
import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import dev.statectl.usecase.SaveState;
import dev.statectl.usecase.StateLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process of ours in a race: takes the lock, counts in the witnesses and in the state, releases,
 * again and again until its stdin ends.
 */
final class Contestant {
  private static final long PERIOD_MILLIS = 6000;
  private static final Pattern NUMBER = Pattern.compile("\"n\": *([0-9]+)");

  private final ClickHouseBackend backend;
  private final AcquireLock locks;
  private final SaveState save;
  private final Witness witness;
  private final Random random;
  private final boolean leavesRoom;
  private final Duration patience;
  private final boolean keeperMayBeGone;
  // The candidates of this round.
  private final List<LockId> tried = new ArrayList<>();

  private Contestant(RaceSetup setup, String name, ScheduledExecutorService timer) {
    this.random = new Random(setup.seed());
    this.leavesRoom = setup.peers() == LockPeers.PLUGIN;
    this.patience = leavesRoom ? Duration.ofMillis(1500) : Duration.ofSeconds(10);
    this.keeperMayBeGone = setup.keeper() == KeeperLocks.ON;
    this.backend = setup.open();
    this.witness = new Witness(setup.directory(), name);
    LockMeans means =
        LockMeans.of(
            Clock.systemUTC(), random, System::nanoTime, d -> Thread.sleep(d.toMillis()), timer);
    Path announced = Witness.announcedIn(setup.directory(), name);
    LockMeans noted =
        new LockMeans(
            () -> tried(announced, means.lockIds().get()),
            means.nanoTime(),
            means.pause(),
            means.random(),
            means.timer());
    this.locks = new AcquireLock(backend.locks(), setup.terms(), noted, name);
    this.save = new SaveState(backend.states(), locks);
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    String name = arguments[RaceSetup.ARGUMENTS];
    ScheduledExecutorService timer = timer();
    Contestant contestant = new Contestant(RaceSetup.of(arguments), name, timer);
    Stdin stdin = Stdin.watched();
    while (!stdin.hasEnded()) {
      contestant.round();
    }
    contestant.backend.close();
    timer.shutdownNow();
  }

  static ScheduledExecutorService timer() {
    return Executors.newSingleThreadScheduledExecutor(
        task -> {
          Thread thread = new Thread(task, "renewal");
          thread.setDaemon(true);
          return thread;
        });
  }

  private void round() throws IOException, InterruptedException {
    String lockId = "-";
    tried.clear();
    try (StateLock lock = locks.acquire(RaceSetup.ID, patience, held -> {})) {
      lockId = lock.lockId().text();
      section(lock);
    } catch (StateFailure.LockHeld e) {
      witness.note("refused", lockId);
    } catch (StateFailure.LockLost e) {
      witness.note("lost", lockId);
    } catch (StateFailure.Unavailable | StateFailure.OutcomeUnknown e) {
      if (!keeperMayBeGone) {
        throw e;
      }
      // What it leaves behind becomes stale.
      for (LockId candidate : tried) {
        witness.note("unavailable", candidate.text());
      }
    }
    Thread.sleep(random.nextInt(100));
    if (leavesRoom) {
      leaveRoom();
    }
  }

  // Our ids win against those of peers, which must find nobody a second after they came: as long as
  // ours keep coming or wait, peers get in hardly ever. So all of ours rest for most of each
  // period.
  private static void leaveRoom() throws InterruptedException {
    long millis = System.nanoTime() / 1_000_000 % PERIOD_MILLIS;
    if (millis > PERIOD_MILLIS / 2) {
      Thread.sleep(PERIOD_MILLIS - millis);
    }
  }

  private void section(StateLock lock) throws IOException, InterruptedException {
    String lockId = lock.lockId().text();
    List<List<String>> counted = new ArrayList<>();
    witness.touch(
        () -> {
          lock.fence();
          counted.add(witness.begin(lockId));
        });
    long n = backend.states().find(RaceSetup.ID).map(Contestant::number).orElse(0L);
    Thread.sleep(10 + random.nextInt(30));
    save.save(counting(n + 1, lockId), lock);
    Thread.sleep(random.nextInt(10));
    witness.touch(
        () -> {
          lock.fence();
          witness.end(lockId, counted.get(0));
        });
  }

  static State counting(long n, String lockId) {
    return State.of(
        RaceSetup.ID,
        JsonObject.parse("{\"n\": " + n + ", \"by\": \"" + lockId + "\"}"),
        JsonObject.EMPTY);
  }

  static long number(State state) {
    return number(state.completed().text());
  }

  static long number(String document) {
    Matcher number = NUMBER.matcher(document);
    if (!number.find()) {
      throw new IllegalStateException("no number in " + document);
    }
    return Long.parseLong(number.group(1));
  }

  // Before the row is sent: so the race knows whose each row is that is left.
  private LockId tried(Path announced, LockId lockId) {
    tried.add(lockId);
    try {
      Files.writeString(
          announced, lockId + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      return lockId;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
