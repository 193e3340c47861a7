package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.json.JsonObject;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WalksTest {
  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final ClickHouseBackend backend = TestStores.open(schema);
  private final StateStore store = backend.states();

  @BeforeEach
  void createTables() {
    TestStores.createPluginTables(schema);
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  void whatIsNotUtf8IsReportedAndHidesNothing() {
    TestStores.plant(schema, "'a'", "'{\"n\":1}'", "NULL", 1);
    TestStores.plant(schema, "'b'", "unhex('7B22FF223A317D')", "NULL", 1);
    TestStores.plant(schema, "'c'", "NULL", "unhex('7B22C328223A317D')", 1);
    TestStores.plant(schema, "'d'", "'{\"n\":4}'", "NULL", 1);
    assertThatThrownBy(() -> store.find(StateId.of("b")))
        .isInstanceOf(StateFailure.UnreadableState.class)
        .hasMessage(
            "the state of 'b' cannot be read: column completed_state: not UTF-8 (nothing was"
                + " changed; set the state anew or clear it)");
    assertThat(TestStores.ids(store, "*")).containsExactly("a", "b", "c", "d");
    List<String> walked = new ArrayList<>();
    store.forEachState(
        StateIdGlob.ALL,
        stored ->
            walked.add(
                stored instanceof StoredState.Unreadable unreadable
                    ? stored.id() + " " + unreadable.failure().column()
                    : stored.id().text()));
    assertThat(walked).containsExactly("a", "b completed_state", "c partial_state", "d");
    store.save(TestStores.state("b", "{\"n\":2}"));
    assertThat(TestStores.completedOf(store, "b")).isEqualTo("{\"n\":2}");
    assertThat(store.delete(StateId.of("c"))).isTrue();
  }

  @Test
  void anIdThatIsNotUtf8IsListedAndReported() {
    TestStores.plant(schema, "unhex('61FF62')", "'{\"n\":1}'", "NULL", 1);
    TestStores.plant(schema, "'b'", "'{\"n\":1}'", "NULL", 1);
    assertThat(TestStores.ids(store, "*")).containsExactly("a\ufffdb", "b");
    List<StoredState> walked = new ArrayList<>();
    store.forEachState(StateIdGlob.ALL, walked::add);
    assertThat(walked).hasSize(2);
    assertThat(((StoredState.Unreadable) walked.get(0)).failure())
        .hasMessageStartingWith(
            "the state of 'a\ufffdb' cannot be read: column state_id: not UTF-8");
    assertThat(walked.get(1)).isInstanceOf(StoredState.Readable.class);
  }

  @Test
  void listingDoesNotTransferStates() {
    String big = "{\"x\":\"" + "0123456789".repeat(2_000_000) + "\"}";
    store.save(State.of(StateId.of("big"), JsonObject.parse(big), JsonObject.EMPTY));
    store.save(TestStores.state("small", "{}"));
    try (Relay relay = Relay.to(clickHouse.endpoint());
        ClickHouseBackend relayed =
            ClickHouseBackend.open(TestStores.settings(relay.endpoint(), schema))) {
      assertThat(TestStores.ids(relayed.states(), "*")).containsExactly("big", "small");
      assertThat(relay.exchanges()).hasSize(1);
      assertThat(relay.exchanges().get(0).answerBytes()).isLessThan(2_000);
    }
    assertThat(TestStores.completedOf(store, "big")).isEqualTo(big);
  }

  @Test
  void theActionMayUseTheStore() {
    for (String id : List.of("a", "b", "c")) {
      store.save(TestStores.state(id, "{\"n\":1}"));
    }
    store.forEachId(
        StateIdGlob.ALL,
        id -> {
          store.save(TestStores.state(id.text(), "{\"n\":2}"));
          store.forEachState(
              StateIdGlob.of(id.text()), stored -> assertThat(store.find(stored.id())).isPresent());
        });
    assertThat(TestStores.completedOf(store, "c")).isEqualTo("{\"n\":2}");
  }

  @Test
  void whatTheActionThrowsReachesTheCaller() {
    store.saveAll(
        List.of(
            TestStores.state("a", "{}"), TestStores.state("b", "{}"), TestStores.state("c", "{}")));
    List<String> seen = new ArrayList<>();
    IllegalArgumentException thrown = new IllegalArgumentException("enough");
    assertThatThrownBy(
            () ->
                store.forEachId(
                    StateIdGlob.ALL,
                    id -> {
                      seen.add(id.text());
                      throw thrown;
                    }))
        .isSameAs(thrown);
    assertThat(seen).containsExactly("a");
  }

  @Test
  void manyStatesAreWalkedInASmallHeap() throws Exception {
    clickHouse.execute(
        "INSERT INTO "
            + schema
            + ".state (state_id, completed_state, updated_at) SETTINGS async_insert = 0 SELECT"
            + " 'id-' || leftPad(toString(number), 7, '0'), '{\"n\":\"' || repeat('x', 500) ||"
            + " '\"}', fromUnixTimestamp64Milli(1) FROM numbers(200000)");
    ClickHouseEndpoint endpoint = clickHouse.endpoint();
    Process walk =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx48m",
                "-cp",
                System.getProperty("java.class.path"),
                SmallHeap.class.getName(),
                endpoint.host(),
                Integer.toString(endpoint.port()),
                endpoint.user(),
                endpoint.password(),
                endpoint.database(),
                schema)
            .redirectErrorStream(true)
            .start();
    String said = new String(walk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    System.out.println(said.strip());
    assertThat(walk.waitFor()).as(said).isZero();
    assertThat(said).contains("200000 ids, 200000 states");
  }

  /** Walks over the 100 MB of that table in a JVM whose heap cannot hold them. */
  static final class SmallHeap {
    public static void main(String[] args) throws IOException {
      ClickHouseEndpoint endpoint =
          new ClickHouseEndpoint(
              args[0], Integer.parseInt(args[1]), false, args[2], args[3], args[4]);
      long[] counts = new long[2];
      try (ClickHouseBackend backend =
          ClickHouseBackend.open(TestStores.settings(endpoint, args[5]))) {
        backend.states().forEachId(StateIdGlob.ALL, id -> counts[0]++);
        backend.states().forEachState(StateIdGlob.ALL, state -> counts[1]++);
      }
      long peak =
          ManagementFactory.getMemoryPoolMXBeans().stream()
              .filter(pool -> pool.getType() == java.lang.management.MemoryType.HEAP)
              .map(MemoryPoolMXBean::getPeakUsage)
              .mapToLong(usage -> usage.getUsed())
              .sum();
      System.out.println(
          counts[0]
              + " ids, "
              + counts[1]
              + " states; peak of the heap at most "
              + peak / 1_000_000
              + " MB");
    }
  }
}
