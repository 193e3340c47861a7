package dev.statectl.clickhouse.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.KeeperLocks;
import dev.statectl.clickhouse.LockPeers;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.EngineConfiguration;
import dev.statectl.clickhouse.engine.LocalClickHouse;
import dev.statectl.clickhouse.engine.TestKeeper;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes and one lock that Keeper gives, while Keeper itself is disturbed. As long as {@link
 * RaceTest}, by the same properties.
 */
@Tag("race")
final class KeeperRaceTest {
  private static final int ROUNDS = Integer.getInteger("statectl.race.rounds", 12);
  private static final int ROUNDS_PER_DISTURBANCE = 6;
  private static final int STALE_SECONDS = 3;

  @TempDir Path directory;

  private TestKeeper keeper;

  @BeforeEach
  void startKeeper() {
    keeper = TestKeeper.start(directory.resolve("keeper"));
  }

  @AfterEach
  void stopKeeper() {
    keeper.close();
  }

  @Test
  void onTwoServersThatShareOnlyKeeperNoSectionOverlapsAnother() throws Exception {
    try (LocalClickHouse one = engine("one");
        LocalClickHouse two = engine("two")) {
      Race race = race(one.endpoint(), LockPeers.NONE);
      race.alsoOn(two.endpoint());
      race.prepare();
      race.addOurs(8);
      require(race);
    }
  }

  @Test
  void besideThePluginNoSectionOfOursOverlapsAnother() throws Exception {
    try (LocalClickHouse one = engine("one")) {
      Race race = race(one.endpoint(), LockPeers.PLUGIN);
      race.prepare();
      race.addOurs(4);
      race.addPeers(3);
      race.requireSectionsOfPeers(3);
      require(race);
    }
  }

  private LocalClickHouse engine(String name) {
    return LocalClickHouse.start(directory.resolve(name), EngineConfiguration.on(keeper));
  }

  private Race race(ClickHouseEndpoint endpoint, LockPeers peers) {
    long seed = Long.getLong("statectl.race.seed", System.nanoTime() % 1_000_000);
    System.out.println("statectl.race.seed=" + seed);
    Race race =
        new Race(
            new RaceSetup(
                endpoint,
                "race",
                directory.resolve("race"),
                peers,
                STALE_SECONDS,
                seed,
                KeeperLocks.ON),
            ROUNDS,
            ROUNDS_PER_DISTURBANCE);
    race.disturb(keeper);
    return race;
  }

  private static void require(Race race) throws Exception {
    RaceResult result = race.run();
    System.out.println(result);
    assertThat(result.keeper()).doesNotContain("stopped: 0").doesNotContain("ended: 0");
    result.requireExclusion();
  }
}
