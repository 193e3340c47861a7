package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.port.StateHistory;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the server makes of reads of a history in which one id has 100,000 records. */
class HistoryExplainTest {
  private static final StateId ID = StateId.of("dev:b");
  private static final int RECORDS = 100_000;

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final Relay relay = Relay.to(clickHouse.endpoint());
  private final ClickHouseBackend backend =
      ClickHouseBackend.open(TestStores.settings(relay.endpoint(), schema));
  private final StateHistory history = backend.history();

  @BeforeEach
  void fill() {
    history.enable(Duration.ofDays(1));
    for (String id : List.of("dev:a", ID.text(), "dev:c")) {
      clickHouse.execute(
          "INSERT INTO "
              + schema
              + ".state_history (state_id, updated_at, recorded_at) SETTINGS async_insert = 0"
              + " SELECT '"
              + id
              + "', fromUnixTimestamp64Milli(number), now64(6) FROM numbers("
              + RECORDS
              + ")");
    }
    clickHouse.execute("OPTIMIZE TABLE " + schema + ".state_history FINAL");
    relay.clear();
  }

  @AfterEach
  void close() {
    backend.close();
    relay.close();
  }

  @Test
  void aPageIsReadByTheKeyFromItsEnd() {
    List<Object> met = new ArrayList<>();
    history.forEachRecord(ID, 21, met::add);

    assertThat(met).hasSize(21);
    assertThat(explained("PIPELINE"))
        .contains("ReverseOrder")
        .doesNotContain("PartialSortingTransform");
    assertThat(explained("indexes = 1"))
        .contains("PrimaryKey")
        .containsPattern("Granules: 39\\d/117\\d\n");
  }

  @Test
  void oneVersionIsOneGranule() {
    assertThat(history.find(ID, version(50_000))).isPresent();

    assertThat(explained("indexes = 1")).containsPattern("Granules: [12]/117\\d\n");
  }

  @Test
  void whatStandsBeforeAVersionIsReadByTheKeyFromThere() {
    assertThat(history.findBefore(ID, version(50_000)))
        .hasValueSatisfying(
            found -> assertThat(found.entry().version()).isEqualTo(version(49_999)));

    assertThat(explained("PIPELINE"))
        .contains("ReverseOrder")
        .doesNotContain("PartialSortingTransform");
    assertThat(explained("indexes = 1")).containsPattern("Granules: 19\\d/117\\d\n");
  }

  private static StateVersion version(long millis) {
    return new StateVersion(Instant.ofEpochMilli(millis));
  }

  private String explained(String kind) {
    return clickHouse.query("EXPLAIN " + kind + " " + relay.statements().get(0));
  }
}
