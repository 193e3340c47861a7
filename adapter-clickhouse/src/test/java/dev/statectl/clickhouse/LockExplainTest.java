package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.contract.RawLock;
import dev.statectl.lock.Fence;
import dev.statectl.lock.LockId;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the server makes of the statements about locks, in a table of 100 granules. */
class LockExplainTest {
  private static final StateId ID = StateId.of("dev:400000");

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final Relay relay = Relay.to(clickHouse.endpoint());
  private final ClickHouseBackend backend =
      ClickHouseBackend.open(TestStores.settings(relay.endpoint(), schema));

  @BeforeEach
  void fill() {
    TestStores.plantLock(schema, new RawLock("dev:0", "l", "", 0));
    clickHouse.execute(
        "INSERT INTO "
            + schema
            + ".state_lock (state_id, lock_id) SETTINGS async_insert = 0 SELECT 'dev:' ||"
            + " leftPad(toString(number), 6, '0'), 'l' FROM numbers(819200)",
        "OPTIMIZE TABLE " + schema + ".state_lock FINAL");
    backend.locks().look(StateId.of("dev:0"));
    relay.clear();
  }

  @AfterEach
  void close() {
    backend.close();
    relay.close();
  }

  @Test
  void lookingReadsOneGranule() {
    backend.locks().look(ID);
    assertReadsOneGranule(relay.statements().get(0));
  }

  @Test
  void renewingAndFencingReadOneGranule() {
    LockId lockId = new LockId("l");
    backend.locks().renew(ID, lockId, Duration.ofSeconds(300));
    backend
        .states()
        .save(TestStores.state("a", "{}"), new Fence(ID, lockId, Duration.ofSeconds(300)));
    List<String> inserts =
        relay.statements().stream().filter(sql -> sql.startsWith("INSERT")).toList();
    assertThat(inserts).hasSize(2);
    for (String insert : inserts) {
      assertReadsOneGranule(insert.substring(insert.indexOf("SELECT")));
    }
  }

  @Test
  void listingByPrefixReadsOnlyWhatBeginsSo() {
    backend.locks().forEach(StateIdGlob.of("dev:4000*"), candidate -> {});
    assertReadsOneGranule(relay.statements().get(0));
  }

  private void assertReadsOneGranule(String select) {
    assertThat(clickHouse.query("EXPLAIN indexes = 1 " + select))
        .contains("PrimaryKey")
        .containsPattern("Granules: [12]/1\\d\\d\n");
  }
}
