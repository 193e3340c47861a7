package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.lock.LockId;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * What is left behind by operations with faults. {@code -Dstatectl.faults.leak-operations=10000}
 * makes it long, {@code -Dstatectl.faults.seed} repeats what was random.
 */
@Tag("faults")
@EnabledOnOs(OS.LINUX)
class LeaksTest {
  private static final int OPERATIONS = Integer.getInteger("statectl.faults.leak-operations", 400);
  private static final long SEED =
      Long.getLong("statectl.faults.seed", new Random().nextLong(1_000_000));
  private static final Duration PATIENCE = Duration.ofMillis(1_000);
  // Those that take all the patience would make this a test of waiting.
  private static final List<Fault> SLOW =
      List.of(Fault.STALL_BEFORE_THE_ANSWER, Fault.STALL_BEFORE_THE_REQUEST, Fault.TRICKLE);

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();

  /** What the process holds. */
  private record Held(long threads, long sockets) {
    static Held now() throws IOException {
      long threads =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> !thread.getName().equals("fault-proxy"))
              .count();
      try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
        return new Held(threads, files.filter(Held::isSocket).count());
      }
    }

    private static boolean isSocket(Path file) {
      try {
        return Files.readSymbolicLink(file).toString().startsWith("socket:");
      } catch (IOException e) {
        // It was closed meanwhile.
        return false;
      }
    }
  }

  @Test
  void nothingIsLeftBehind() throws Exception {
    System.out.println("leaks: seed " + SEED + ", " + OPERATIONS + " operations");
    Random random = new Random(SEED);
    // The engine's own connections, and the JDK's thread for timers, are there before.
    run(random, 20);
    Held before = settled(Held.now());
    int[] counts = run(random, OPERATIONS);
    Held after = settled(before);
    System.out.println(
        "leaks: "
            + counts[0]
            + " done, "
            + counts[1]
            + " failed; before "
            + before
            + ", after "
            + after);
    assertThat(after.threads()).isLessThanOrEqualTo(before.threads());
    assertThat(after.sockets()).isLessThanOrEqualTo(before.sockets());
    assertThat(counts[1]).isGreaterThan(OPERATIONS / 20);
  }

  private int[] run(Random random, int operations) throws Exception {
    int[] counts = new int[2];
    try (FaultProxy proxy = FaultProxy.to(clickHouse.endpoint(), PATIENCE, random.nextLong());
        ClickHouseBackend backend =
            ClickHouseBackend.open(
                TestStores.settings(proxy.endpoint(), schema).within(PATIENCE, PATIENCE),
                LockPeers.NONE,
                "",
                new Backoff(random::nextDouble, pause -> {}, System::nanoTime))) {
      backend.states().save(TestStores.state("a", "{}"));
      backend.locks().announce(StateId.of("a"), LockId.of(Instant.EPOCH, 1), "me");
      List<Fault> quick =
          Arrays.stream(Fault.values()).filter(fault -> !SLOW.contains(fault)).toList();
      for (int number = 0; number < operations; number++) {
        List<Fault> faults = number % 200 == 0 ? SLOW : quick;
        proxy.order(
            faults.get(random.nextInt(faults.size())), random.nextInt(3), 1 + random.nextInt(5));
        Throwable failure = catchThrowable(() -> operate(backend, random));
        proxy.relent();
        if (failure == null) {
          counts[0]++;
        } else {
          assertThat(failure).isInstanceOfAny(StateFailure.class, Stopped.class);
          counts[1]++;
        }
        assertThat(backend.openHandles()).isZero();
      }
      // One thread has one connection, and none that a fault broke.
      assertThat(Held.now().sockets()).isLessThan(60);
    }
    return counts;
  }

  /** Thrown by a walk's action. */
  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static void operate(ClickHouseBackend backend, Random random) {
    StateId id = StateId.of("a");
    LockId lockId = LockId.of(Instant.EPOCH, 1);
    switch (random.nextInt(8)) {
      case 0 -> backend.states().find(id);
      case 1 -> backend.states().save(TestStores.state("a", "{\"n\":" + random.nextInt() + "}"));
      case 2 -> backend.states().saveAll(List.of(TestStores.state("a", "{}")));
      case 3 -> backend.states().forEachId(StateIdGlob.ALL, any -> {});
      case 4 ->
          backend
              .states()
              .forEachState(
                  StateIdGlob.ALL,
                  any -> {
                    throw new Stopped();
                  });
      case 5 -> backend.locks().renew(id, lockId, Duration.ofSeconds(300));
      case 6 -> backend.locks().look(id);
      default -> backend.history().status();
    }
  }

  /** What is held once those that are ending have ended. */
  private static Held settled(Held wanted) throws Exception {
    Held held = Held.now();
    for (int i = 0;
        i < 100 && (held.threads() > wanted.threads() || held.sockets() > wanted.sockets());
        i++) {
      Thread.sleep(50);
      held = Held.now();
    }
    return held;
  }
}
