package dev.statectl.clickhouse.race;

import dev.statectl.clickhouse.engine.TestKeeper;
import java.util.Random;

/**
 * What happens to the Keeper in a race: at one third of the rounds its sessions end, at two thirds
 * it is gone for longer than the stale time; in a long race either happens every now and then, and
 * short outages. The last rounds are left in peace, so that what an outage left behind is gone by
 * their end.
 */
final class KeeperFaults {
  private static final int ROUNDS_BETWEEN = 10;

  private final TestKeeper keeper;
  private final int rounds;
  private final int staleSeconds;
  private final Random random;
  private int next;
  private boolean isDown;
  private long upAgain;
  private int outages;
  private int longOutages;
  private int endsOfSessions;

  KeeperFaults(TestKeeper keeper, int rounds, int staleSeconds, Random random) {
    this.keeper = keeper;
    this.rounds = rounds;
    this.staleSeconds = staleSeconds;
    this.random = random;
    this.next = rounds / 3;
  }

  /** Does what is due after so many rounds. */
  void go(int done) {
    if (isDown) {
      if (System.nanoTime() - upAgain >= 0) {
        end();
      }
    } else if (done >= next && (!hasHappened() || done < rounds - ROUNDS_BETWEEN)) {
      boolean late = done >= rounds * 2 / 3;
      if (endsOfSessions == 0 || !late && random.nextInt(3) == 0) {
        keeper.expireSessions();
        endsOfSessions++;
      } else if (late && longOutages == 0 || random.nextInt(4) == 0) {
        stop(staleSeconds * 1000L + 500 + random.nextInt(1000));
        longOutages++;
      } else {
        stop(random.nextInt(1000));
      }
      next = late ? done + ROUNDS_BETWEEN : Math.min(done + ROUNDS_BETWEEN, rounds * 2 / 3);
    }
  }

  /** Whether all has happened that must, and is over. */
  boolean isOver() {
    return hasHappened() && !isDown;
  }

  private boolean hasHappened() {
    return endsOfSessions > 0 && longOutages > 0;
  }

  private void stop(long millis) {
    keeper.close();
    outages++;
    isDown = true;
    upAgain = System.nanoTime() + millis * 1_000_000;
  }

  /** Lets it run again. */
  void end() {
    if (isDown) {
      keeper.restart();
      isDown = false;
    }
  }

  @Override
  public String toString() {
    return "Keeper stopped: %d (%d for longer than the stale time); sessions ended: %d times"
        .formatted(outages, longOutages, endsOfSessions);
  }
}
