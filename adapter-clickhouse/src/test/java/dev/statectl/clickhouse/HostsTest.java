package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestAuthority;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.clickhouse.engine.TlsFront;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two ways to one server stand for two servers. */
class HostsTest {
  private static final StateId ID = StateId.of("a");

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final Relay one = Relay.to(clickHouse.endpoint());
  private final Relay two = Relay.to(clickHouse.endpoint());

  @AfterEach
  void close() {
    one.close();
    two.close();
  }

  @Test
  void theFirstIsAskedAsLongAsItCanBeReached() {
    try (ClickHouseBackend backend = backend(address(one), address(two))) {
      backend.states().save(TestStores.state("a", "{\"n\":1}"));
      backend.states().find(ID);
    }
    assertThat(one.statements()).isNotEmpty();
    assertThat(two.connections()).isZero();
  }

  @Test
  void theNextIsAskedWhenNobodyListens() {
    try (ClickHouseBackend backend = backend(dead(), address(two))) {
      backend.states().save(TestStores.state("a", "{\"n\":1}"));
      assertThat(TestStores.completedOf(backend.states(), "a")).isEqualTo("{\"n\":1}");
    }
    assertThat(two.exchanges().get(0).head()).contains("\r\nHost: " + address(two) + "\r\n");
  }

  /** A certificate is for a server, so the next one's is verified by its own name. */
  @Test
  void theNextIsTrustedAsItself() {
    TestAuthority authority = TestAuthority.create("Authority");
    for (String name : List.of("ip:127.0.0.1", "ip:127.0.0.2")) {
      try (TlsFront front =
              TlsFront.of(clickHouse.endpoint(), authority.issue("localhost", name), null);
          ClickHouseBackend backend =
              ClickHouseBackend.open(
                  settings(true, dead(), address(front.endpoint()))
                      .withTls(TlsSettings.DEFAULT.withAuthorities(authority.pem())))) {
        if (name.equals("ip:127.0.0.1")) {
          assertThat(backend.states().find(ID)).isEmpty();
        } else {
          assertThatThrownBy(() -> backend.states().find(ID))
              .isInstanceOf(StateFailure.Unavailable.class)
              .hasMessageContaining(
                  " at "
                      + address(front.endpoint())
                      + " (and before at 127.0.0.1:1): TLS failed, the server's certificate is for"
                      + " another host; ");
        }
      }
    }
  }

  @Test
  void theNextIsAskedWhenTheHostIsNotKnown() {
    try (ClickHouseBackend backend =
        backend(new ServerAddress("no-such-host.invalid", 8123), dead(), address(two))) {
      assertThat(backend.states().find(ID)).isEmpty();
    }
  }

  @Test
  void aServerThatIsNamedTwiceIsLeftOnce() {
    try (ClickHouseBackend backend = backend(dead(), dead(), address(two))) {
      assertThat(backend.states().find(ID)).isEmpty();
    }
  }

  @Test
  void allStatementsGoWhereOneCouldBeReached() {
    try (ClickHouseBackend backend = backend(address(one), address(two))) {
      backend.states().save(TestStores.state("a", "{\"n\":1}"));
      one.hangUp();
      int before = one.connections();
      assertThat(TestStores.completedOf(backend.states(), "a")).isEqualTo("{\"n\":1}");
      backend.states().save(TestStores.state("a", "{\"n\":2}"));
      assertThat(TestStores.completedOf(backend.states(), "a")).isEqualTo("{\"n\":2}");
      assertThat(one.connections()).isEqualTo(before);
      assertThat(two.statements()).hasSize(4);
      assertThat(two.connections()).isEqualTo(1);
    }
  }

  @Test
  void theFirstIsAskedAgainWhenTheLastCannotBeReached() {
    try (ClickHouseBackend backend = backend(dead(), address(one), address(two))) {
      backend.states().find(ID);
      one.hangUp();
      backend.states().find(ID);
      two.hangUp();
      assertThatThrownBy(() -> backend.states().find(ID))
          .isInstanceOf(StateFailure.Unavailable.class);
    }
    assertThat(one.statements()).isNotEmpty();
    assertThat(two.statements()).isNotEmpty();
  }

  @Test
  void aFailureNamesTheServerThatWasAsked() {
    try (ClickHouseBackend backend = backend(dead(), address(two))) {
      backend.states().find(ID);
      two.substitute("SELECT", 497, "Code: 497. DB::Exception: Not enough privileges", 1);
      assertThatThrownBy(() -> backend.states().find(ID))
          .isInstanceOf(StateFailure.Denied.class)
          .hasMessageStartingWith("cannot read " + schema + ".state at " + address(two) + ": ");
    }
  }

  @Test
  void whereNoneCanBeReachedAllAreNamed() {
    ServerAddress unknown = new ServerAddress("no-such-host.invalid", 8123);
    try (ClickHouseBackend backend = backend(unknown, dead())) {
      assertThatThrownBy(() -> backend.states().find(ID))
          .isInstanceOf(StateFailure.Unavailable.class)
          .hasMessage(
              "cannot read %s.state at 127.0.0.1:1 (and before at no-such-host.invalid:8123): no"
                  + " connection, nobody listens there; check host and port, and that the server"
                  + " runs",
              schema);
      assertThat(backend.target())
          .isEqualTo("no-such-host.invalid:8123,127.0.0.1:1 " + schema + ".state");
    }
  }

  /** What was sent may have been done, so nobody else is asked for it. */
  @Test
  void aLostAnswerIsNoReasonToAskAnother() {
    try (ClickHouseBackend backend = backend(address(one), address(two))) {
      backend.states().save(TestStores.state("a", "{\"n\":1}"));
      one.cut("SELECT", Relay.Cut.BEFORE_THE_ANSWER);
      assertThatThrownBy(() -> backend.states().find(ID))
          .isInstanceOf(StateFailure.Unavailable.class)
          .hasMessageStartingWith(
              "cannot read " + schema + ".state at " + address(one) + ": the connection ");
      one.cut("INSERT", Relay.Cut.BEFORE_THE_REQUEST);
      assertThatThrownBy(() -> backend.states().save(TestStores.state("a", "{\"n\":2}")))
          .isInstanceOf(StateFailure.OutcomeUnknown.class);
    }
    assertThat(two.connections()).isZero();
  }

  @Test
  void aServerThatKeepsSilentIsNoReasonToAskAnother() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      ClickHouseSettings settings =
          settings(new ServerAddress("127.0.0.1", silent.getLocalPort()), address(two))
              .within(Duration.ofSeconds(1), Duration.ofMillis(300));
      try (ClickHouseBackend backend = ClickHouseBackend.open(settings)) {
        assertThatThrownBy(() -> backend.states().find(ID))
            .isInstanceOf(StateFailure.Unavailable.class)
            .hasMessageContaining("no answer within 300 ms");
      }
    }
    assertThat(two.connections()).isZero();
  }

  /** Else what the second has not yet would be missing from the answer. */
  @Test
  void theNextServerCatchesUpBeforeItIsRead() {
    try (ClickHouseBackend backend = backend(address(one))) {
      backend.states().save(TestStores.state("a", "{\"n\":1}"));
    }
    one.clear();
    try (TestReplicas replicas =
        new TestReplicas(settings(address(one), address(two)), TableKind.REPLICATED)) {
      one.substitute("SYSTEM SYNC REPLICA", 0, "", 1);
      two.substitute("SYSTEM SYNC REPLICA", 0, "", 1);
      one.afterSubstitute(one::hangUp);
      assertThat(replicas.states().find(ID)).isPresent();
      assertThat(one.statements()).hasSize(1);
      assertThat(two.statements()).hasSize(2);
      assertThat(two.statements().get(0)).startsWith("SYSTEM SYNC REPLICA");
    }
  }

  @Test
  void aServerThatAnotherThreadMovedOnToCatchesUpBeforeItIsRead() {
    try (ClickHouseBackend backend = backend(address(one))) {
      backend.states().save(TestStores.state("a", "{\"n\":1}"));
    }
    one.clear();
    try (TestReplicas replicas =
        new TestReplicas(settings(address(one), address(two)), TableKind.REPLICATED)) {
      one.substitute("SYSTEM SYNC REPLICA", 0, "", 1);
      two.substitute("SYSTEM SYNC REPLICA", 0, "", 3);
      one.holdNext(
          "SYSTEM SYNC REPLICA",
          () -> {
            one.close();
            replicas.states().find(ID);
          });
      assertThat(replicas.states().find(ID)).isPresent();
      assertThat(one.statements()).hasSize(1);
      assertThat(two.statements())
          .extracting(sql -> sql.strip().substring(0, 6))
          .endsWith("SELECT", "SYSTEM", "SELECT");
    }
  }

  /** Else the second would be taken for the first, and know nothing of its states and locks. */
  @Test
  void nothingIsWrittenWhereEachServerHasRowsOfItsOwn() {
    try (ClickHouseBackend backend =
        ClickHouseBackend.open(
            settings(address(one), address(two)).withReplication(ReplicationSettings.DEFAULT))) {
      assertThat(backend.states().find(ID)).isEmpty();
      assertThatThrownBy(() -> backend.states().save(TestStores.state("a", "{}")))
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessage(
              "cannot write to %s.state at %s,%s: several hosts are set, but nothing here is"
                  + " replicated, so that each server would keep states and locks of its own; name"
                  + " one host, or the cluster of all in state_backend.clickhouse.cluster, or, if"
                  + " all hosts lead to one server, set state_backend.clickhouse.replicated to off",
              schema, address(one), address(two));
    }
    assertThat(
            clickHouse.query("SELECT count() FROM system.databases WHERE name = '" + schema + "'"))
        .isEqualTo("0");
  }

  @Test
  void manyWhoSeeOneFailMoveOnOnce() throws Exception {
    int threads = 16;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (ClickHouseBackend backend = backend(dead(), address(one), address(two))) {
      List<Future<?>> reads = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        reads.add(pool.submit(() -> backend.states().find(ID)));
      }
      for (Future<?> read : reads) {
        read.get(30, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(two.connections()).isZero();
  }

  private ClickHouseBackend backend(ServerAddress first, ServerAddress... others) {
    return ClickHouseBackend.open(settings(first, others));
  }

  private ClickHouseSettings settings(ServerAddress first, ServerAddress... others) {
    return settings(false, first, others);
  }

  private ClickHouseSettings settings(
      boolean secure, ServerAddress first, ServerAddress... others) {
    ClickHouseEndpoint server = clickHouse.endpoint();
    return TestStores.settings(
            new ClickHouseEndpoint(
                first.host(),
                first.port(),
                secure,
                server.user(),
                server.password(),
                server.database()),
            schema)
        .withReplication(
            new ReplicationSettings("", Replicated.OFF, Consistency.AUTO, KeeperLocks.AUTO))
        .withFallbacks(List.of(others));
  }

  private static ServerAddress address(Relay relay) {
    return address(relay.endpoint());
  }

  private static ServerAddress address(ClickHouseEndpoint endpoint) {
    return new ServerAddress(endpoint.host(), endpoint.port());
  }

  private static ServerAddress dead() {
    return new ServerAddress("127.0.0.1", 1);
  }
}
