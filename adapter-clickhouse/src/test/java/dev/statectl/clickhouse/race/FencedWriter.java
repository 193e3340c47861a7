package dev.statectl.clickhouse.race;

import dev.statectl.clickhouse.ClickHouseBackend;
import dev.statectl.json.JsonObject;
import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import dev.statectl.usecase.SaveState;
import dev.statectl.usecase.StateLock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Random;
import java.util.concurrent.ScheduledExecutorService;

/**
 * A process that is told ids on stdin: takes the lock of each, writes one state under it, and says
 * what became of the write.
 */
final class FencedWriter {
  private FencedWriter() {}

  public static void main(String[] arguments) throws IOException {
    RaceSetup setup = RaceSetup.of(arguments);
    ScheduledExecutorService timer = Contestant.timer();
    LockMeans means =
        LockMeans.of(
            Clock.systemUTC(),
            new Random(setup.seed()),
            System::nanoTime,
            d -> Thread.sleep(d.toMillis()),
            timer);
    BufferedReader ids =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (ClickHouseBackend backend = setup.open()) {
      AcquireLock locks = new AcquireLock(backend.locks(), setup.terms(), means, "holder");
      SaveState save = new SaveState(backend.states(), locks);
      String id;
      while ((id = ids.readLine()) != null) {
        System.out.println(written(locks, save, StateId.of(id)));
      }
    }
    timer.shutdownNow();
  }

  private static String written(AcquireLock locks, SaveState save, StateId id) {
    StateLock lock = locks.acquire(id);
    String outcome;
    try {
      save.save(State.of(id, JsonObject.parse("{\"by\": \"holder\"}"), JsonObject.EMPTY), lock);
      outcome = "written";
    } catch (StateFailure.LockLost e) {
      outcome = "lost: " + e.getMessage();
    }
    try {
      lock.close();
      return outcome + "; released";
    } catch (StateFailure.LockLost e) {
      return outcome + "; not released";
    }
  }
}
