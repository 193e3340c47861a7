package dev.statectl.readme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.ClickHouseBackend;
import dev.statectl.clickhouse.ClickHouseSettings;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.json.JsonObject;
import dev.statectl.port.Backend;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.usecase.GetState;
import dev.statectl.usecase.SaveState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LibraryExampleTest {

  @Test
  void theExampleOfTheReadmeWorksAndIsTheOneBelow() throws IOException {
    TestClickHouse clickHouse = TestClickHouse.shared();
    ClickHouseEndpoint server = clickHouse.endpoint();
    ClickHouseSettings settings =
        new ClickHouseSettings(
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

    assertThat(example(settings).text())
        .isEqualTo("{\"singer_state\": {\"since\": \"2026-11-03\"}}");
    assertThat(readme()).containsSubsequence(ownExample());
  }

  private static JsonObject example(ClickHouseSettings settings) {
    // BEGIN
    try (Backend backend = ClickHouseBackend.open(settings)) {
      StateId id = StateId.of("dev:tap-github-to-target-clickhouse");
      JsonObject bookmark = JsonObject.parse("{\"singer_state\": {\"since\": \"2026-11-03\"}}");

      new SaveState(backend.states()).save(State.of(id, JsonObject.EMPTY, bookmark));
      JsonObject next = new GetState(backend.states()).get(id).merged();
      // END
      return next;
    }
  }

  private static List<String> readme() throws IOException {
    return lines(Path.of("..", "README.md"));
  }

  private static List<String> ownExample() throws IOException {
    List<String> lines =
        lines(Path.of("src/test/java/dev/statectl/readme/LibraryExampleTest.java"));
    return lines.subList(lines.indexOf("// BEGIN") + 1, lines.indexOf("// END"));
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .collect(Collectors.toList());
  }
}
