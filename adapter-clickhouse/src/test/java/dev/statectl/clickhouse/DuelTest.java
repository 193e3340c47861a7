package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.json.JsonObject;
import dev.statectl.lock.Fence;
import dev.statectl.lock.LockId;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two writers of one state at the same moment. {@code -Dstatectl.faults.duels=1000} makes it long.
 */
@Tag("faults")
class DuelTest {
  private static final int DUELS = Integer.getInteger("statectl.faults.duels", 50);
  private static final StateId ID = StateId.of("duel");

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();

  @Test
  void whatIsReadIsOneOfTheTwoAndNeverAMix() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    int sameVersion = 0;
    try (ClickHouseBackend one = TestStores.open(schema);
        ClickHouseBackend two = TestStores.open(schema)) {
      LockId lockId = LockId.of(Instant.EPOCH, 1);
      one.locks().announce(ID, lockId, "me");
      // In the future, so that both writers choose the millisecond after it, whenever they come.
      TestStores.plant(
          schema, "'duel'", "'{}'", "NULL", Instant.now().plusSeconds(86_400).toEpochMilli());
      for (int round = 0; round < DUELS; round++) {
        CyclicBarrier start = new CyclicBarrier(2);
        List<Future<StateVersion>> versions = new ArrayList<>();
        for (ClickHouseBackend writer : List.of(one, two)) {
          State mine = state((writer == one ? "one-" : "two-") + round);
          versions.add(
              threads.submit(
                  () -> {
                    start.await();
                    return writer.states().save(mine);
                  }));
        }
        List<StateVersion> chosen = List.of(versions.get(0).get(), versions.get(1).get());
        State read = one.states().find(ID).orElseThrow();
        String winner = read.completed().members().get(0).valueText();
        assertThat(winner).isIn("\"one-" + round + "\"", "\"two-" + round + "\"");
        assertThat(read.partial().text()).isEqualTo("{\"by\":" + winner + "}");
        assertThat(two.states().find(ID)).contains(read);
        if (chosen.get(0).equals(chosen.get(1))) {
          sameVersion++;
        } else {
          int later = chosen.get(0).compareTo(chosen.get(1)) > 0 ? 0 : 1;
          assertThat(winner).isEqualTo("\"" + (later == 0 ? "one-" : "two-") + round + "\"");
        }
        ClickHouseBackend last = round % 2 == 0 ? one : two;
        Fence fence = new Fence(ID, lockId, Duration.ofSeconds(300));
        one.states().save(state("first-" + round), fence);
        last.states().save(state("last-" + round), fence);
        assertThat(one.states().find(ID).orElseThrow().completed().text())
            .isEqualTo("{\"by\":\"last-" + round + "\"}");
      }
    } finally {
      threads.shutdownNow();
    }
    System.out.println(
        "duels: " + DUELS + " rounds, in " + sameVersion + " of them both had one version");
    assertThat(sameVersion).isPositive();
  }

  private static State state(String by) {
    JsonObject half = JsonObject.parse("{\"by\":\"" + by + "\"}");
    return State.of(ID, half, half);
  }
}
