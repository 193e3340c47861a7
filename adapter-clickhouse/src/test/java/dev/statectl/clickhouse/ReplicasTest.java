package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.lock.Fence;
import dev.statectl.lock.LockId;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is sent where the tables are replicated, and what becomes of the failures of replicas. The
 * engine for tests has no replicated tables, so the relay gives the answers that only they give;
 * all others are the engine's.
 */
class ReplicasTest {
  private static final StateId ID = StateId.of("a");
  private static final LockId LOCK_ID = new LockId("00000000-0000-7000-8000-000000000001");
  private static final Fence FENCE = new Fence(ID, LOCK_ID, Duration.ofSeconds(300));
  private static final String SYNC = "SYSTEM SYNC REPLICA";

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final Relay relay = Relay.to(clickHouse.endpoint());
  private final ClickHouseEndpoint server = relay.endpoint();
  private final String syncStates = SYNC + " \"" + schema + "\".\"state\" LIGHTWEIGHT";
  private final String syncLocks = SYNC + " \"" + schema + "\".\"state_lock\" LIGHTWEIGHT";
  private final ClickHouseSettings settings = TestStores.settings(server, schema);
  private final TestReplicas replicas = new TestReplicas(settings, TableKind.REPLICATED);

  @BeforeEach
  void storeAState() {
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      backend.states().save(TestStores.state("a", "{\"n\":1}"));
      backend.locks().announce(ID, LOCK_ID, "me");
    }
    relay.clear();
  }

  @AfterEach
  void close() {
    replicas.close();
    relay.close();
  }

  @Test
  void aReadWaitsUntilTheReplicaHasWhatWasWritten() {
    relay.substitute(SYNC, 0, "", 3);
    replicas.states().find(ID);
    replicas.states().forEachId(StateIdGlob.ALL, id -> {});
    replicas.locks().look(ID);
    assertThat(beginnings())
        .containsExactly(
            syncStates,
            "SELECT",
            syncStates,
            "SELECT DISTINCT state_id",
            "SELECT",
            syncLocks,
            "SELECT");
    assertThat(relay.exchanges().get(0).requestLine()).contains("&receive_timeout=54 ");
    assertThat(relay.exchanges().get(1).requestLine())
        .endsWith("?compress=1&wait_end_of_query=1 HTTP/1.1");
  }

  /** The server is taken at its word, which the relay puts into its mouth. */
  @Test
  void aBackendDoesSoWhereTheServerSaysThatTablesAreReplicated() {
    relay.replace(
        "SELECT 'table', name, engine", "SELECT 'table', name, concat('Replicated', engine)");
    relay.substitute(SYNC, 0, "", Integer.MAX_VALUE);
    try (ClickHouseBackend plain = TestStores.open(schema)) {
      plain.history().enable(Duration.ofDays(1));
    }
    try (ClickHouseBackend backend = ClickHouseBackend.open(settings)) {
      assertThat(backend.states().find(ID)).isPresent();
      assertThat(beginnings()).containsExactly(syncStates, "SELECT");
      relay.clear();
      backend.locks().announce(StateId.of("b"), LOCK_ID, "me");
      backend.locks().look(StateId.of("b"));
      backend.states().save(TestStores.state("a", "{\"n\":2}"), FENCE);
      backend.states().save(TestStores.state("b", "{\"n\":2}"));
      backend.states().delete(ID);
      backend.locks().renew(StateId.of("b"), LOCK_ID, Duration.ofSeconds(300));
    }
    assertThat(relay.exchanges())
        .filteredOn(exchange -> exchange.sql().startsWith("INSERT"))
        .hasSizeGreaterThan(5)
        .allSatisfy(insert -> assertThat(insert.requestLine()).contains("&insert_quorum=auto&"));
    for (String table : List.of("state", "state_lock", "state_history")) {
      assertThat(relay.statements()).anyMatch(sql -> sql.startsWith(sync(table)));
    }
    List<String> statements = relay.statements();
    for (int i = 0; i < statements.size(); i++) {
      if (statements.get(i).contains("FROM \"" + schema + "\".\"state_lock\"")
          && !statements.get(i).startsWith("DELETE")) {
        assertThat(statements.subList(Math.max(0, i - 2), i)).contains(sync("state_lock"));
      }
    }
  }

  private String sync(String table) {
    return SYNC + " \"" + schema + "\".\"" + table + "\" LIGHTWEIGHT";
  }

  @Test
  void aWriteIsLookedForAndMadeOnAQuorum() {
    relay.substitute(SYNC, 0, "", 1);
    replicas.states().save(TestStores.state("a", "{\"n\":2}"));
    assertThat(beginnings())
        .containsExactly(syncStates, "SELECT", "INSERT INTO \"" + schema + "\".\"state\"");
    assertThat(relay.exchanges().get(2).requestLine())
        .endsWith(
            "&insert_quorum=auto&insert_quorum_parallel=1&insert_quorum_timeout=54000"
                + "&insert_keeper_max_retries=5 HTTP/1.1");
    assertThat(stored()).isEqualTo("{\"n\":2}");
  }

  @Test
  void aFencedWriteWaitsForTheLocksRowsToo() {
    relay.substitute(SYNC, 0, "", 2);
    replicas.states().save(TestStores.state("a", "{\"n\":2}"), FENCE);
    relay.clear();
    relay.substitute(SYNC, 0, "", 2);
    replicas.states().save(TestStores.state("a", "{\"n\":3}"), FENCE);
    assertThat(beginnings())
        .containsExactly(syncLocks, syncStates, "INSERT INTO \"" + schema + "\".\"state\"");
    assertThat(stored()).isEqualTo("{\"n\":3}");
  }

  @Test
  void theLookBehindAWriteWaitsToo() {
    relay.substitute(SYNC, 0, "", 2);
    relay.cut("INSERT", Relay.Cut.BEFORE_THE_ANSWER);
    replicas.states().save(TestStores.state("a", "{\"n\":2}"));
    assertThat(beginnings())
        .containsExactly(
            syncStates, "SELECT", "INSERT INTO \"" + schema + "\".\"state\"", syncStates, "SELECT");
  }

  @Test
  void aTableThatIsNotThereIsNoState() {
    clickHouse.execute("DROP TABLE " + schema + ".state");
    relay.substitute(SYNC, 60, "Code: 60. DB::Exception: Table does not exist", 1);
    assertThat(replicas.states().find(ID)).isEmpty();
  }

  @Test
  void oneStorageIsReadAtItsNewest() {
    try (TestReplicas shared = new TestReplicas(settings, TableKind.SHARED)) {
      shared.states().save(TestStores.state("a", "{\"n\":2}"));
      assertThat(beginnings())
          .containsExactly("SELECT", "INSERT INTO \"" + schema + "\".\"state\"");
      assertThat(relay.exchanges().get(0).requestLine())
          .endsWith("&select_sequential_consistency=1 HTTP/1.1");
      assertThat(relay.exchanges().get(1).requestLine())
          .endsWith("?compress=1&wait_end_of_query=1 HTTP/1.1");
      shared.states().save(TestStores.state("a", "{\"n\":3}"), FENCE);
      assertThat(relay.exchanges().get(relay.exchanges().size() - 1).requestLine())
          .endsWith("&select_sequential_consistency=1 HTTP/1.1");
    }
    assertThat(stored()).isEqualTo("{\"n\":3}");
  }

  @Test
  void aReplicaThatIsBehindIsAFailureThatChangedNothing() {
    relay.substitute(SYNC, 159, "Code: 159. DB::Exception: SYNC REPLICA: command timed out", 2);
    assertUnavailable(
        () -> replicas.states().find(ID),
        "synchronize",
        "state",
        "the replica did not catch up with the others in time (ClickHouse error 159); try again,"
            + " or use another host; with consistency=eventual reads show what has arrived");
    assertThatThrownBy(() -> replicas.states().save(TestStores.state("a", "{\"n\":2}")))
        .isInstanceOf(StateFailure.Unavailable.class);
    assertThat(relay.statements()).containsExactly(syncStates, syncStates);
    assertThat(stored()).isEqualTo("{\"n\":1}");
  }

  @Test
  void aReplicaThatCatchesUpAfterAFaultIsRead() {
    relay.substitute(SYNC, 999, "Code: 999. Coordination::Exception: Session expired", 2);
    relay.substitute(SYNC, 0, "", 1);
    assertThat(replicas.states().find(ID)).isPresent();
    assertThat(beginnings()).containsExactly(syncStates, syncStates, syncStates, "SELECT");
  }

  @Test
  void whoMayNotHaveAReplicaCatchUpIsToldWhatToGrant() {
    relay.substitute(SYNC, 497, "Code: 497. DB::Exception: Not enough privileges", 1);
    assertThatThrownBy(() -> replicas.locks().look(ID))
        .isInstanceOf(StateFailure.Denied.class)
        .hasMessage(
            "cannot synchronize %1$s.state_lock at %2$s: the user admin lacks a right; an"
                + " administrator can grant it: GRANT SYSTEM SYNC REPLICA ON %1$s.state_lock TO"
                + " admin; or set consistency to eventual",
            schema, settings.place());
  }

  @Test
  void whoMayOnlyReadIsToldWhatToSet() {
    ClickHouseEndpoint reader = clickHouse.createReadOnlyUser("SELECT ON " + schema + ".*");
    ClickHouseSettings reading =
        TestStores.settings(server.as(reader.user(), reader.password()), schema);
    relay.substitute(
        SYNC, 164, "Code: 164. DB::Exception: Cannot execute query in readonly mode", 1);
    try (TestReplicas replicated = new TestReplicas(reading, TableKind.REPLICATED);
        TestReplicas shared = new TestReplicas(reading, TableKind.SHARED)) {
      assertThatThrownBy(() -> replicated.states().find(ID))
          .isInstanceOf(StateFailure.Denied.class)
          .hasMessage(
              "cannot synchronize %s.state at %s: the user %s may only read (its profile says"
                  + " readonly), and so may not have a replica catch up with the others (ClickHouse"
                  + " error 164); use another user, or set consistency to eventual",
              schema, settings.place(), reader.user());
      assertThatThrownBy(() -> shared.states().find(ID))
          .isInstanceOf(StateFailure.Denied.class)
          .hasMessage(
              "cannot read %s.state at %s: the user %s may not change one of these settings, by"
                  + " which replicas answer as one server: select_sequential_consistency (ClickHouse"
                  + " error 164); set consistency to eventual, or ask the administrator to allow it"
                  + " to change them",
              schema, settings.place(), reader.user());
    }
  }

  @Test
  void whoMayNotChangeTheQuorumIsToldSo() {
    relay.substitute(SYNC, 0, "", 1);
    relay.substitute("INSERT", 452, "Code: 452. DB::Exception: Setting shouldn't be changed", 1);
    assertThatThrownBy(() -> replicas.states().save(TestStores.state("a", "{\"n\":2}")))
        .isInstanceOf(StateFailure.Denied.class)
        .hasMessage(
            "cannot write to %s.state at %s: the user admin may not change one of these settings,"
                + " by which replicas answer as one server: insert_quorum, insert_quorum_parallel,"
                + " insert_quorum_timeout, insert_keeper_max_retries (ClickHouse error 452); set"
                + " consistency to eventual, or ask the administrator to allow it to change them",
            schema, settings.place());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "242 | Table is in readonly mode | the replica is read-only at the moment: it has lost its"
            + " Keeper (ClickHouse error 242); try again later, use another host, or ask the"
            + " administrator",
        "164 | Replica is not active right now | the replica is read-only at the moment: it has"
            + " lost its Keeper (ClickHouse error 164); try again later, use another host, or ask"
            + " the administrator",
        "285 | Number of alive replicas (1) is less than requested quorum (2/2). | too few replicas"
            + " are alive: more than half of them must take a write (ClickHouse error 285); try"
            + " again when they are back; with consistency=eventual one is enough",
        "286 | Quorum for previous write has not been satisfied yet. | an earlier write of this"
            + " table still waits for more than half of the replicas (ClickHouse error 286); try"
            + " again",
      })
  void aWriteThatReplicasRefuseChangedNothing(int code, String text, String reason) {
    relay.substitute(SYNC, 0, "", 1);
    relay.substitute("INSERT", code, "Code: " + code + ". DB::Exception: " + text, 4);
    assertUnavailable(
        () -> replicas.states().save(TestStores.state("a", "{\"n\":2}")),
        "write to",
        "state",
        reason);
    assertThat(relay.statements()).filteredOn(sql -> sql.startsWith("INSERT")).hasSize(4);
    assertThat(stored()).isEqualTo("{\"n\":1}");
  }

  @ParameterizedTest
  @CsvSource({"242", "285", "286"})
  void aWriteThatReplicasRefusedForAMomentIsMade(int code) {
    relay.substitute(SYNC, 0, "", 1);
    relay.substitute("INSERT", code, "Code: " + code + ". DB::Exception: refused", 2);
    replicas.states().save(TestStores.state("a", "{\"n\":2}"));
    assertThat(stored()).isEqualTo("{\"n\":2}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "289 | the replica does not have the last write yet that the others have (ClickHouse error"
            + " 289); try again, or use another host",
        "225 | the server does not reach its Keeper, or its session there has ended (ClickHouse"
            + " error 225); try again later, or ask its administrator",
        "999 | the server does not reach its Keeper, or its session there has ended (ClickHouse"
            + " error 999); try again later, or ask its administrator",
      })
  void aReadThatAReplicaRefusesIsTriedAgain(int code, String reason) {
    relay.substitute(SYNC, 0, "", 2);
    relay.substitute("SELECT", code, "Code: " + code + ". DB::Exception: refused", 6);
    assertUnavailable(() -> replicas.states().find(ID), "read", "state", reason);
    assertThat(replicas.states().find(ID)).isPresent();
    assertThat(beginnings())
        .containsExactly(
            syncStates,
            "SELECT",
            "SELECT",
            "SELECT",
            "SELECT",
            syncStates,
            "SELECT",
            "SELECT",
            "SELECT");
  }

  /** The replica that was asked has the row, and would have acknowledged it with its quorum. */
  @Test
  void aWriteWhoseQuorumIsNotKnownIsMadeAgain() {
    relay.substitute(SYNC, 0, "", 2);
    relay.substitute("INSERT", 319, "Code: 319. DB::Exception: Unknown quorum status.", 1);
    replicas.states().save(TestStores.state("a", "{\"n\":2}"));
    assertThat(beginnings())
        .containsExactly(
            syncStates,
            "SELECT",
            "INSERT INTO \"" + schema + "\".\"state\"",
            syncStates,
            "SELECT",
            "INSERT INTO \"" + schema + "\".\"state\"");
    assertThat(stored()).isEqualTo("{\"n\":2}");
  }

  @Test
  void aWriteWhoseQuorumIsNeverKnownIsInDoubt() {
    relay.substitute(SYNC, 0, "", 10);
    relay.substitute("INSERT", 319, "Code: 319. DB::Exception: Unknown quorum status.", 10);
    assertThatThrownBy(() -> replicas.states().save(TestStores.state("a", "{\"n\":2}")))
        .isInstanceOf(StateFailure.OutcomeUnknown.class)
        .hasMessage(
            "whether writing to %s.state at %s happened is unknown: more than half of the replicas"
                + " did not say in time that they took it, or the server lost its Keeper"
                + " (ClickHouse error 319); look at what is stored before you repeat it",
            schema, settings.place());
  }

  @Test
  void aDeleteThatAReplicaWhichIsDownWillDoLaterIsDone() {
    relay.substitute(SYNC, 0, "", 10);
    relay.answerInstead("DELETE", 341, "Code: 341. DB::Exception: Mutation is not finished");
    assertThat(replicas.states().delete(ID)).isTrue();
    assertThat(replicas.locks().withdraw(ID, LOCK_ID)).isTrue();
    assertThat(relay.statements()).filteredOn(sql -> sql.startsWith("DELETE")).hasSize(2);
    assertThat(stored()).isEmpty();
    assertThat(clickHouse.query("SELECT count() FROM " + schema + ".state_lock")).isEqualTo("0");
  }

  @Test
  void aReleaseThatWasStoppedInTheMiddleIsInDoubt() {
    relay.substitute(SYNC, 0, "", 10);
    relay.substitute("DELETE", 341, "Code: 341. DB::Exception: Mutation was killed", 10);
    assertThatThrownBy(() -> replicas.locks().withdraw(ID, LOCK_ID))
        .isInstanceOf(StateFailure.OutcomeUnknown.class)
        .hasMessage(
            "whether deleting from %s.state_lock at %s happened is unknown: the server did not"
                + " finish it, for a shutdown, another change of the table, or a replica that is"
                + " down (ClickHouse error 341); look at what is stored before you repeat it",
            schema, settings.place());
    assertThat(relay.statements()).filteredOn(sql -> sql.startsWith("DELETE")).hasSize(1);
  }

  @Test
  void staleRowsThatAReplicaWhichIsDownWillRemoveLaterAreNoFailure() {
    clickHouse.execute(
        "INSERT INTO "
            + schema
            + ".state_lock (state_id, lock_id, locked_at, candidate) VALUES ('a', 'old', now() - 290,"
            + " 'old')");
    relay.substitute(SYNC, 0, "", 10);
    relay.substitute("DELETE", 341, "Code: 341. DB::Exception: Mutation is not finished", 10);
    replicas.locks().removeStale(ID, Duration.ofSeconds(200));
    assertThat(relay.statements()).filteredOn(sql -> sql.startsWith("DELETE")).hasSize(1);
  }

  private List<String> beginnings() {
    return relay.statements().stream()
        .map(sql -> sql.strip().split("\n")[0].replaceFirst("(INSERT INTO \\S+) .*", "$1"))
        .toList();
  }

  private String stored() {
    return clickHouse.query("SELECT completed_state FROM " + schema + ".state FINAL FORMAT TSVRaw");
  }

  private void assertUnavailable(ThrowingCallable call, String verb, String table, String reason) {
    assertThatThrownBy(call)
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessage("cannot %s %s.%s at %s: %s", verb, schema, table, settings.place(), reason);
  }
}
