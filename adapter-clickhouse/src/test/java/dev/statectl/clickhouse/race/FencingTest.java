package dev.statectl.clickhouse.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.ClickHouseBackend;
import dev.statectl.clickhouse.LockPeers;
import dev.statectl.clickhouse.Relay;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.json.JsonObject;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import dev.statectl.usecase.SaveState;
import dev.statectl.usecase.StateLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A holder that is stopped in the middle of its own write until its lock is stale and its successor
 * has written: that write does not land, and it is told. It is stopped, by turns, after it has
 * checked its lock and before it asks which version to write, so that its version would be the
 * newest; and when the write itself is on the line, which is then passed on though nobody waits for
 * an answer.
 */
final class FencingTest {
  private static final int HOLDERS = 5;
  private static final int ROUNDS_OF_EACH = 5;

  private static final String CHOOSING_THE_VERSION = "SELECT\n    count() AS versions";

  @TempDir Path directory;
  private final TestClickHouse clickHouse = TestClickHouse.shared();

  @Test
  void besideThePluginNoWriteOfAStoppedHolderLands() throws Exception {
    require(LockPeers.PLUGIN);
  }

  @Test
  void amongOurselvesNoWriteOfAStoppedHolderLands() throws Exception {
    require(LockPeers.NONE);
  }

  private void require(LockPeers peers) throws Exception {
    RaceSetup setup =
        new RaceSetup(clickHouse.endpoint(), clickHouse.freshSchema(), directory, peers, 2, 1);
    ScheduledExecutorService timer = Contestant.timer();
    ExecutorService pool = Executors.newFixedThreadPool(HOLDERS);
    try (ClickHouseBackend backend = setup.open()) {
      LockMeans means =
          LockMeans.of(
              Clock.systemUTC(),
              new Random(),
              System::nanoTime,
              d -> Thread.sleep(d.toMillis()),
              timer);
      AcquireLock locks = new AcquireLock(backend.locks(), setup.terms(), means, "successor");
      SaveState save = new SaveState(backend.states(), locks);
      // The tables, so that they can be recorded.
      save.save(state(StateId.of("first"), "first"));
      RecordedWrites writes = new RecordedWrites(setup.endpoint(), setup.schema());
      writes.begin();
      List<Future<?>> holders = new ArrayList<>();
      for (int holder = 0; holder < HOLDERS; holder++) {
        String name = "holder-" + holder;
        holders.add(
            pool.submit(
                () -> {
                  run(setup, name, locks, save, writes);
                  return null;
                }));
      }
      for (Future<?> holder : holders) {
        holder.get(5, TimeUnit.MINUTES);
      }
    } finally {
      pool.shutdownNow();
      timer.shutdownNow();
    }
    System.out.println(
        "fencing lock_peers="
            + peers
            + ": "
            + HOLDERS * ROUNDS_OF_EACH
            + " holders stopped in their write, none of the writes landed, all were told");
  }

  private static void run(
      RaceSetup setup, String name, AcquireLock locks, SaveState save, RecordedWrites writes)
      throws IOException, InterruptedException {
    try (Relay relay = Relay.to(setup.endpoint())) {
      RaceSetup relayed =
          new RaceSetup(
              relay.endpoint(),
              setup.schema(),
              setup.directory(),
              setup.peers(),
              setup.staleSeconds(),
              name.hashCode());
      Runner holder = Runner.java(FencedWriter.class, relayed, name);
      try {
        int lines = writeUndisturbed(holder, name, writes);
        for (int round = 0; round < ROUNDS_OF_EACH; round++) {
          String writing = "INSERT INTO \"" + setup.schema() + "\".\"state\"";
          String held = round % 2 == 0 ? CHOOSING_THE_VERSION : writing;
          lines =
              stopAndSucceed(relay, holder, name + "-" + round, held, lines, locks, save, writes);
        }
        holder.finish();
        assertThat(holder.exit(60)).isZero();
      } finally {
        holder.kill();
      }
    }
  }

  /**
   * So that it is known that the fence lets a holder write. On a busy machine a process that has
   * just started may be too slow for the stale time.
   *
   * @return how many lines the holder has said
   */
  private static int writeUndisturbed(Runner holder, String name, RecordedWrites writes)
      throws IOException, InterruptedException {
    for (int tries = 1; ; tries++) {
      String id = name + "-undisturbed-" + tries;
      holder.tell(id);
      if (holder.line(tries, 120).equals("written; released")) {
        assertThat(writes.of(id)).containsExactly("{\"by\": \"holder\"}");
        return tries;
      }
      assertThat(tries).as("tries to write undisturbed").isLessThan(20);
    }
  }

  private static int stopAndSucceed(
      Relay relay,
      Runner holder,
      String name,
      String held,
      int saidBefore,
      AcquireLock locks,
      SaveState save,
      RecordedWrites writes)
      throws IOException, InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    CountDownLatch succeeded = new CountDownLatch(1);
    relay.holdNext(held, () -> stop(holder, stopped, succeeded));
    int said = saidBefore;
    StateId id = StateId.of(name);
    holder.tell(id.text());
    // Too slow for the stale time by itself, it never comes to its write.
    for (int polls = 1; !stopped.await(10, TimeUnit.MILLISECONDS); polls++) {
      assertThat(polls).as("%s comes to its write", id).isLessThan(12_000);
      if (holder.lines() > said) {
        said++;
        id = StateId.of(name + "-again-" + said);
        holder.tell(id.text());
      }
    }
    StateLock successor = locks.acquire(id);
    save.save(state(id, "successor"), successor);
    holder.resume();
    succeeded.countDown();
    assertThat(holder.line(said + 1, 120))
        .startsWith("lost: the lock of '" + id + "' was lost")
        .endsWith("; not released");
    assertThat(writes.of(id.text())).containsExactly("{\"by\": \"successor\"}");
    successor.close();
    return said + 1;
  }

  private static void stop(Runner holder, CountDownLatch stopped, CountDownLatch succeeded) {
    try {
      holder.stop();
      stopped.countDown();
      succeeded.await();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static State state(StateId id, String by) {
    return State.of(id, JsonObject.parse("{\"by\": \"" + by + "\"}"), JsonObject.EMPTY);
  }
}
