package dev.statectl.clickhouse.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.ClickHouseBackend;
import dev.statectl.clickhouse.LockPeers;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.json.JsonObject;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import dev.statectl.usecase.SaveState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Beside a program in Python that uses what the Meltano plugin uses: ClickHouse's driver for Python
 * and Python's own {@code json}. Only in the Maven profile {@code python-peer}, since it needs
 * Python.
 */
@Tag("python")
final class PythonPeerTest {
  private static final StateId ID = StateId.of("dev:tap-github-to-target-clickhouse");

  @TempDir Path directory;
  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final ScheduledExecutorService timer = Contestant.timer();
  private final RaceSetup setup;
  private final ClickHouseBackend backend;
  private final SaveState save;

  PythonPeerTest() {
    this.setup =
        new RaceSetup(
            clickHouse.endpoint(),
            clickHouse.freshSchema(),
            Path.of("unset"),
            LockPeers.PLUGIN,
            4,
            System.nanoTime() % 1_000_000);
    this.backend = setup.open();
    LockMeans means =
        LockMeans.of(
            Clock.systemUTC(),
            new Random(),
            System::nanoTime,
            d -> Thread.sleep(d.toMillis()),
            timer);
    this.save =
        new SaveState(
            backend.states(), new AcquireLock(backend.locks(), setup.terms(), means, "test"));
  }

  @BeforeEach
  void createThePluginsTables() {
    PluginPeer.createTables(clickHouse.endpoint(), setup.schema());
  }

  @AfterEach
  void close() {
    backend.close();
    timer.shutdownNow();
  }

  /** Tokens that Python writes and that are no JSON, and texts that are. */
  @Test
  void whatPythonWroteIsReadAsItWrote() throws Exception {
    String odd = oddTokens();
    python(odd, "write", setup.schema(), ID.text());
    State read = backend.states().find(ID).orElseThrow();
    assertThat(read.completed().text()).isEqualTo(odd);
  }

  @Test
  void pythonReadsWhatWasWritten() throws Exception {
    String odd = oddTokens();
    save.save(State.of(ID, JsonObject.parse(odd), JsonObject.EMPTY));
    assertThat(python("", "read", setup.schema(), ID.text())).isEqualTo(odd);
  }

  @Test
  void pythonReadsAgainWhatItWroteAndWeAddedTo() throws Exception {
    python(oddTokens(), "write", setup.schema(), ID.text());
    save.save(
        State.of(
            ID,
            JsonObject.EMPTY,
            JsonObject.parse(
                "{\"singer_state\": {\"bookmarks\": {\"commits\": {\"since\": 1e3}}}}")));
    State stored = backend.states().find(ID).orElseThrow();
    assertThat(stored.completed().text()).isEqualTo(oddTokens());
    assertThat(python("", "read", setup.schema(), ID.text())).isEqualTo(oddTokens());
    assertThat(stored.merged().text()).contains("NaN", "-Infinity", "-0.0", "\\ud83d\"", "1e3");
  }

  @Test
  void locksExcludeEachOther() throws Exception {
    RaceSetup shared =
        new RaceSetup(
            setup.endpoint(),
            setup.schema(),
            directory,
            setup.peers(),
            setup.staleSeconds(),
            setup.seed());
    Race race = new Race(shared, 20, 10);
    race.prepare();
    race.addOurs(3);
    for (int i = 1; i <= 3; i++) {
      String name = "peer-python-" + i;
      race.addPeer(
          Runner.start(
              command(
                  "race",
                  shared.schema(),
                  directory.toString(),
                  Integer.toString(shared.staleSeconds()),
                  Long.toString(shared.seed() + i),
                  name),
              directory,
              name));
    }
    race.requireSectionsOfPeers(3);
    RaceResult result = race.run();
    System.out.println("beside Python: " + result);
    result.requireExclusion();
  }

  private String python(String input, String... arguments) throws IOException {
    Path in = Files.writeString(directory.resolve("in"), input);
    Path errors = directory.resolve("errors");
    Process process =
        new ProcessBuilder(command(arguments))
            .redirectInput(in.toFile())
            .redirectError(errors.toFile())
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      assertThat(process.waitFor()).as(() -> "exit, " + said(errors)).isZero();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return said.strip();
  }

  private static String said(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private List<String> command(String... arguments) {
    ClickHouseEndpoint endpoint = clickHouse.endpoint();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of("..", "peer", "run").toAbsolutePath().toString(),
                endpoint.host(),
                Integer.toString(endpoint.port()),
                endpoint.user(),
                endpoint.password(),
                endpoint.database()));
    command.addAll(List.of(arguments));
    return command;
  }

  private static String oddTokens() throws IOException {
    // Surefire's working directory is the module's.
    return Files.readString(
            Path.of("..", "state-domain/src/test/resources/samples/python-odd-tokens.json"))
        .strip();
  }
}
