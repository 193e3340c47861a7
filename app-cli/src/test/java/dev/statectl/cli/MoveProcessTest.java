package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.Relay;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A move in a process that is killed while one of its statements is on the line. */
class MoveProcessTest {
  private static final String STATE = "{\"singer_state\": {\"a\": 1.0, \"n\": NaN}}";

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "before the destination is written, INSERT INTO \"%s\".\"state\", 'dev:a'",
    "before the source is deleted, DELETE FROM \"%s\".\"state\", 'dev:a,dev:b'",
  })
  void aKilledMoveLeavesTheStateAndCanBeRepeated(String when, String statement, String left)
      throws Exception {
    run("set", "dev:a", STATE);
    CountDownLatch reached = new CountDownLatch(1);
    try (Relay relay = Relay.to(clickHouse.endpoint())) {
      relay.holdNext(
          statement.formatted(schema),
          () -> {
            reached.countDown();
            try {
              // For good: what was held never reaches the server.
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      try (StatectlProcess move =
          StatectlProcess.start(
              Main.class,
              directory,
              environment(relay.endpoint()),
              "move",
              "--yes",
              "dev:a",
              "dev:b")) {
        assertThat(reached.await(60, TimeUnit.SECONDS)).as(when).isTrue();
        move.send("KILL");
        assertThat(move.end().code()).isEqualTo(137);
      }
    }

    assertThat(run("list").out().strip().replace("\n", ",")).isEqualTo(left);
    for (String id : left.split(",")) {
      assertThat(run("get", id).out()).isEqualTo(STATE + "\n");
    }

    Outcome repeated = run("move", "--yes", "--wait=60s", "dev:a", "dev:b");

    assertThat(repeated.err()).startsWith("statectl: moved 'dev:a' to 'dev:b' in ");
    assertThat(repeated.code()).isZero();
    assertThat(run("list").out()).isEqualTo("dev:b\n");
    assertThat(run("get", "dev:b").out()).isEqualTo(STATE + "\n");
    assertThat(clickHouse.query("SELECT count() FROM " + schema + ".state_lock")).isEqualTo("0");
  }

  private Outcome run(String... args) {
    RunStatectl run = RunStatectl.in(directory);
    environment(clickHouse.endpoint()).forEach(run::variable);
    return run.run(args);
  }

  private Map<String, String> environment(ClickHouseEndpoint endpoint) {
    return Map.of(
        "MELTANO_STATE_BACKEND_URI",
        endpoint.uri(),
        "MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA",
        schema,
        "MELTANO_STATE_BACKEND_CLICKHOUSE_LOCK_STALE",
        "3");
  }
}
