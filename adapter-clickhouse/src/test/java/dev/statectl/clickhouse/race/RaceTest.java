package dev.statectl.clickhouse.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.ClickHouseBackend;
import dev.statectl.clickhouse.LockPeers;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.usecase.StateLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Eight processes and one lock. {@code -Dstatectl.race.rounds=300} makes it as long as it must be
 * to be believed (so does the Maven profile {@code race}), {@code -Dstatectl.race.seed} repeats
 * what was random.
 */
@Tag("race")
final class RaceTest {
  private static final int ROUNDS = Integer.getInteger("statectl.race.rounds", 12);
  private static final int ROUNDS_PER_DISTURBANCE = 6;

  @TempDir Path directory;

  @Test
  void besideThePluginNoSectionOfOursOverlapsAnother() throws Exception {
    Race race = new Race(setup(LockPeers.PLUGIN, 4), ROUNDS, ROUNDS_PER_DISTURBANCE);
    race.prepare();
    race.addOurs(4);
    race.addPeers(4);
    race.requireSectionsOfPeers(3);
    require(race);
  }

  @Test
  void amongOurselvesNoSectionOverlapsAnother() throws Exception {
    Race race = new Race(setup(LockPeers.NONE, 3), ROUNDS, ROUNDS_PER_DISTURBANCE);
    race.prepare();
    race.addOurs(8);
    require(race);
  }

  @Test
  void aLockThatIsRenewedKeepsAllOthersOutLongerThanItsStaleTime() throws Exception {
    RaceSetup setup = setup(LockPeers.PLUGIN, 4);
    Race race = new Race(setup, 2, 0);
    race.prepare();
    race.addOurs(4);
    race.addPeers(3);
    ScheduledExecutorService timer = Contestant.timer();
    try (ClickHouseBackend backend = setup.open();
        Merging merging = Merging.start(setup)) {
      StateLock lock = race.locks(backend, timer, "ours-holding.0").acquire(RaceSetup.ID);
      Witness witness = new Witness(directory, "ours-holding.0");
      List<String> counted = witness.begin(lock.lockId().text());
      race.awaitAnnouncements();
      Thread.sleep(3000L * setup.staleSeconds());
      assertThat(lock.isValid()).as("still valid").isTrue();
      assertThat(Files.readAllLines(Witness.logIn(directory)))
          .filteredOn(line -> !line.contains(" refused "))
          .singleElement()
          .asString()
          .contains(" begin ");
      witness.end(lock.lockId().text(), counted);
      lock.close();
      assertThat(merging.merges()).isPositive();
    } finally {
      timer.shutdownNow();
    }
    RaceResult result = race.run();
    System.out.println("held for three stale times, then a " + result);
    result.requireExclusion();
  }

  private static void require(Race race) throws IOException, InterruptedException {
    RaceResult result = race.run();
    System.out.println(result);
    result.requireExclusion();
    if (ROUNDS >= 10 * ROUNDS_PER_DISTURBANCE) {
      // In a short race the holder may have let go whenever one was about to be disturbed.
      assertThat(result.killed() + result.stopped()).as("disturbances").isPositive();
    }
  }

  private RaceSetup setup(LockPeers peers, int staleSeconds) {
    TestClickHouse clickHouse = TestClickHouse.shared();
    long seed = Long.getLong("statectl.race.seed", System.nanoTime() % 1_000_000);
    System.out.println("statectl.race.seed=" + seed);
    return new RaceSetup(
        clickHouse.endpoint(), clickHouse.freshSchema(), directory, peers, staleSeconds, seed);
  }
}
