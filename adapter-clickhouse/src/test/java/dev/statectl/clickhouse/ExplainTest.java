package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the server makes of the statements that it got, in a table of 100 granules. */
class ExplainTest {
  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final Relay relay = Relay.to(clickHouse.endpoint());
  private final ClickHouseBackend backend =
      ClickHouseBackend.open(TestStores.settings(relay.endpoint(), schema));
  private final StateStore store = backend.states();

  @BeforeEach
  void fill() {
    TestStores.createPluginTables(schema);
    clickHouse.execute(
        "INSERT INTO "
            + schema
            + ".state (state_id, updated_at) SETTINGS async_insert = 0 SELECT 'dev:' ||"
            + " leftPad(toString(number), 6, '0'), fromUnixTimestamp64Milli(1) FROM"
            + " numbers(819200)",
        "OPTIMIZE TABLE " + schema + ".state FINAL");
    relay.clear();
  }

  @AfterEach
  void close() {
    backend.close();
    relay.close();
  }

  @Test
  void findReadsOneGranule() {
    store.find(StateId.of("dev:400000"));
    assertThat(explained()).contains("PrimaryKey").containsPattern("Granules: 1/1\\d\\d\n");
  }

  @Test
  void savingReadsOneGranuleOfEachPart() {
    store.save(TestStores.state("dev:400000", "{}"));
    assertThat(explained()).contains("PrimaryKey").containsPattern("Granules: [12]/1\\d\\d\n");
  }

  @Test
  void listingByPrefixReadsOnlyWhatBeginsSo() {
    TestStores.ids(store, "dev:4000*");
    assertThat(explained()).contains("PrimaryKey").containsPattern("Granules: [12]/1\\d\\d\n");
  }

  @Test
  void walkingByPrefixReadsOnlyWhatBeginsSo() {
    store.forEachState(StateIdGlob.of("dev:4000*"), state -> {});
    assertThat(explained()).contains("PrimaryKey").containsPattern("Granules: [12]/1\\d\\d\n");
  }

  @Test
  void walkingAllSortsNothing() {
    store.forEachState(StateIdGlob.of("*x"), state -> {});
    assertThat(clickHouse.query("EXPLAIN PIPELINE " + relay.statements().get(0)))
        .contains("InOrder")
        .doesNotContain("PartialSortingTransform");
  }

  private String explained() {
    return clickHouse.query("EXPLAIN indexes = 1 " + relay.statements().get(0));
  }
}
