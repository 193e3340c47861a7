package dev.statectl.readme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.ClickHouseBackend;
import dev.statectl.clickhouse.ClickHouseSettings;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.json.JsonObject;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.Backend;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.GetState;
import dev.statectl.usecase.LockMeans;
import dev.statectl.usecase.SaveState;
import dev.statectl.usecase.StateLock;
import dev.statectl.usecase.StateSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LibraryExampleTest {

  @Test
  void theExampleOfTheReadmeWorksAndIsTheOneBelow() throws IOException {
    ClickHouseSettings settings = freshSettings();
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      assertThat(example(settings, timer).text())
          .isEqualTo("{\"singer_state\": {\"since\": \"2026-11-03\"}}");
    } finally {
      timer.shutdown();
    }
    assertThat(readme()).containsSequence(ownExample("BEGIN", "END"));
  }

  @Test
  void theExampleOfManyCheckpointsEmitsThemInOrderAndIsTheOneBelow() throws IOException {
    List<JsonObject> checkpoints =
        IntStream.rangeClosed(1, 1_000)
            .mapToObj(n -> JsonObject.parse("{\"n\":" + n + "}"))
            .toList();
    List<JsonObject> emitted = new ArrayList<>();
    StateId id = StateId.of("dev:tap-github-to-target-clickhouse");
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
    try (ClickHouseBackend backend = ClickHouseBackend.open(freshSettings())) {
      LockMeans means =
          LockMeans.of(
              Clock.systemUTC(),
              new SecureRandom(),
              System::nanoTime,
              duration -> Thread.sleep(duration.toMillis()),
              timer);
      AcquireLock acquireLock =
          new AcquireLock(backend.locks(), LockTerms.DEFAULT, means, "github-sync");

      manyCheckpoints(id, backend, acquireLock, means, checkpoints, emitted::add);

      assertThat(emitted).isEqualTo(checkpoints);
      assertThat(new GetState(backend.states()).get(id).partial().text()).isEqualTo("{\"n\":1000}");
    } finally {
      timer.shutdown();
    }
    assertThat(readme()).containsSequence(ownExample("BEGIN MANY", "END MANY"));
  }

  private static void manyCheckpoints(
      StateId id,
      Backend backend,
      AcquireLock acquireLock,
      LockMeans means,
      List<JsonObject> checkpoints,
      Consumer<JsonObject> emit) {
    // BEGIN MANY
    try (StateSession session =
        StateSession.open(id, backend.states(), acquireLock, Duration.ofMillis(100), means)) {
      for (JsonObject checkpoint : checkpoints) {
        session
            .save(State.of(id, JsonObject.EMPTY, checkpoint))
            .thenAccept(version -> emit.accept(checkpoint));
      }
    }
    // END MANY
  }

  private static JsonObject example(ClickHouseSettings settings, ScheduledExecutorService timer) {
    // BEGIN
    StateId id = StateId.of("dev:tap-github-to-target-clickhouse");
    try (Backend backend = ClickHouseBackend.open(settings)) {
      LockMeans means =
          LockMeans.of(
              Clock.systemUTC(),
              new SecureRandom(),
              System::nanoTime,
              duration -> Thread.sleep(duration.toMillis()),
              timer);
      AcquireLock acquireLock =
          new AcquireLock(backend.locks(), LockTerms.DEFAULT, means, "github-sync");
      SaveState saveState = new SaveState(backend.states(), acquireLock);

      JsonObject bookmark = JsonObject.parse("{\"singer_state\": {\"since\": \"2026-11-03\"}}");
      try (StateLock lock = acquireLock.acquire(id)) {
        saveState.save(State.of(id, JsonObject.EMPTY, bookmark), lock);
      }
      JsonObject next = new GetState(backend.states()).get(id).merged();
      // END
      return next;
    }
  }

  private static ClickHouseSettings freshSettings() {
    TestClickHouse clickHouse = TestClickHouse.shared();
    ClickHouseEndpoint server = clickHouse.endpoint();
    return new ClickHouseSettings(
        server.host(),
        server.port(),
        server.secure(),
        server.database(),
        server.user(),
        server.password(),
        clickHouse.freshSchema(),
        ClickHouseSettings.DEFAULT_TABLE,
        ClickHouseSettings.DEFAULT_CONNECT_TIMEOUT,
        ClickHouseSettings.DEFAULT_REQUEST_TIMEOUT);
  }

  private static List<String> readme() throws IOException {
    return lines(Path.of("..", "README.md"));
  }

  private static List<String> ownExample(String begin, String end) throws IOException {
    List<String> lines =
        lines(Path.of("src/test/java/dev/statectl/readme/LibraryExampleTest.java"));
    return lines.subList(lines.indexOf("// " + begin) + 1, lines.indexOf("// " + end));
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .collect(Collectors.toList());
  }
}
