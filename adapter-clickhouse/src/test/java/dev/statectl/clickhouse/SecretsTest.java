package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.statectl.clickhouse.Relay.Cut;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.QueryFailed;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** No failure, with all that is below it, shows what was stored or bound, or a password. */
class SecretsTest {
  private static final String MARKER = "marker-secret";

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final State secret = TestStores.state("a", "{\"token\":\"" + MARKER + "\"}");

  @Test
  void aWrongPassword() {
    ClickHouseEndpoint endpoint = clickHouse.endpoint();
    try (ClickHouseBackend backend =
        ClickHouseBackend.open(TestStores.settings(endpoint.as(endpoint.user(), MARKER), schema))) {
      assertKeepsSecret(() -> backend.states().save(secret));
    }
  }

  @Test
  void aColumnOfAnotherType() {
    clickHouse.execute(
        "CREATE DATABASE " + schema,
        "CREATE TABLE "
            + schema
            + ".state (state_id String, partial_state Nullable(Int32), completed_state Int32,"
            + " updated_at DateTime64(3)) ENGINE = ReplacingMergeTree(updated_at) ORDER BY"
            + " state_id");
    assertThat(
            catchThrowable(
                () ->
                    clickHouse.execute(
                        "INSERT INTO "
                            + schema
                            + ".state (state_id, completed_state) VALUES ('a', '"
                            + MARKER
                            + "')")))
        .as("what the server says")
        .isInstanceOf(QueryFailed.class)
        .hasMessageContaining(MARKER);
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      assertKeepsSecret(() -> backend.states().save(secret));
      assertKeepsSecret(() -> backend.states().saveAll(List.of(secret)));
    }
  }

  @Test
  void aMaterializedViewThatFails() {
    TestStores.createPluginTables(schema);
    clickHouse.execute(
        "CREATE TABLE " + schema + ".seen (n UInt8) ENGINE = MergeTree ORDER BY n",
        "CREATE MATERIALIZED VIEW "
            + schema
            + ".view TO "
            + schema
            + ".seen AS SELECT throwIf(state_id = 'a', 'refused "
            + MARKER
            + "') AS n FROM "
            + schema
            + ".state");
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      Throwable failure = assertKeepsSecret(() -> backend.states().save(secret));
      assertThat(failure)
          .isInstanceOf(StateFailure.OutcomeUnknown.class)
          .hasMessage(
              "whether writing to %s.state at %s happened is unknown: the server answered with an"
                  + " error that is not known here (ClickHouse error 395); look at what is stored"
                  + " before you repeat it",
              schema, place());
    }
  }

  @Test
  void aStatementThatIsTooLong() {
    TestStores.createPluginTables(schema);
    StateId id = StateId.ofStored(MARKER.repeat(30_000));
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      Throwable failure = assertKeepsSecret(() -> backend.states().find(id));
      assertThat(failure)
          .isInstanceOf(StateFailure.Unavailable.class)
          .hasMessage(
              "cannot read %s.state at %s: the server did not take the whole statement (ClickHouse"
                  + " error 62); use a shorter id, or ask its administrator to raise"
                  + " max_query_size",
              schema, place());
    }
  }

  @Test
  void aLostConnection() {
    TestStores.createPluginTables(schema);
    try (Relay relay = Relay.to(clickHouse.endpoint());
        ClickHouseBackend backend =
            ClickHouseBackend.open(TestStores.settings(relay.endpoint(), schema))) {
      StateStore store = backend.states();
      store.save(secret);
      for (Cut cut : Cut.values()) {
        relay.cut("", cut);
        assertKeepsSecret(() -> store.find(secret.id()));
        assertKeepsSecret(() -> store.forEachState(StateIdGlob.ALL, state -> {}));
      }
      relay.cut("INSERT", Cut.BEFORE_THE_REQUEST);
      assertKeepsSecret(() -> store.save(secret));
      assertKeepsSecret(() -> store.saveAll(List.of(secret)));
    }
  }

  @Test
  void anUnreadableState() {
    TestStores.createPluginTables(schema);
    TestStores.plant(schema, "'a'", "'[\"" + MARKER + "\"]'", "NULL", 1);
    TestStores.plant(schema, "'b'", "'{\"" + MARKER + "\"'", "NULL", 1);
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      assertKeepsSecret(() -> backend.states().find(StateId.of("a")));
      assertKeepsSecret(() -> backend.states().find(StateId.of("b")));
    }
  }

  private String place() {
    return clickHouse.endpoint().host() + ":" + clickHouse.endpoint().port();
  }

  private static Throwable assertKeepsSecret(ThrowingCallable call) {
    Throwable failure = catchThrowable(call);
    assertThat(failure).isInstanceOf(StateFailure.class);
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    assertThat(text.toString())
        .doesNotContain("marker")
        .doesNotContainIgnoringCase("insert into")
        .doesNotContainIgnoringCase("select ");
    return failure;
  }
}
