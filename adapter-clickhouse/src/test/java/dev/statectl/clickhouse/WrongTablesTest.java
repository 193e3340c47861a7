package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class WrongTablesTest {
  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();

  @Test
  void aMissingColumn() {
    create("(state_id String, updated_at DateTime64(3)) ENGINE = ReplacingMergeTree(updated_at)");
    assertWrong(() -> find("a"), "read", 47);
    assertWrong(() -> save("a"), "write to", 16);
  }

  @Test
  void noVersion() {
    create(
        "(state_id String, partial_state Nullable(String), completed_state Nullable(String))"
            + " ENGINE = ReplacingMergeTree");
    assertWrong(() -> find("a"), "read", 47);
    assertWrong(() -> save("a"), "read", 47);
  }

  @Test
  void aVersionInSeconds() {
    create(
        "(state_id String, partial_state Nullable(String), completed_state Nullable(String),"
            + " updated_at DateTime) ENGINE = ReplacingMergeTree(updated_at)");
    assertWrong(() -> find("a"), "read", 43);
    assertWrong(() -> save("a"), "read", 43);
  }

  @Test
  void anEngineThatReplacesNothing() {
    create(
        "(state_id String, partial_state Nullable(String), completed_state Nullable(String),"
            + " updated_at DateTime64(3)) ENGINE = MergeTree");
    assertWrong(() -> find("a"), "read", 181);
  }

  @Test
  void aHolderInTheLockTableThatIsNoText() {
    clickHouse.execute(
        "CREATE DATABASE " + schema,
        "CREATE TABLE "
            + schema
            + ".state_lock (state_id String, lock_id String, locked_at DateTime DEFAULT now(),"
            + " candidate String DEFAULT lock_id, holder Date, released UInt8)"
            + " ENGINE = ReplacingMergeTree(locked_at) ORDER BY (state_id, candidate)",
        "INSERT INTO " + schema + ".state_lock (state_id, lock_id) VALUES ('a', 'x')");
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      assertThatThrownBy(() -> backend.locks().look(StateId.of("a")))
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessage(
              "cannot read %s.state_lock at %s:%d: the table is not of the expected form; compare"
                  + " it with the columns state_id String, lock_id String, locked_at DateTime,"
                  + " candidate String DEFAULT lock_id, holder String, released UInt8, and the"
                  + " engine ReplacingMergeTree(locked_at) ORDER BY (state_id, candidate)",
              schema, clickHouse.endpoint().host(), clickHouse.endpoint().port());
    }
  }

  private void create(String columnsAndEngine) {
    clickHouse.execute(
        "CREATE DATABASE " + schema,
        "CREATE TABLE " + schema + ".state " + columnsAndEngine + " ORDER BY state_id");
  }

  private void find(String id) {
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      backend.states().find(StateId.of(id));
    }
  }

  private void save(String id) {
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      backend.states().save(TestStores.state(id, "{}"));
    }
  }

  private void assertWrong(ThrowingCallable call, String verb, int code) {
    assertThatThrownBy(call)
        .isInstanceOf(StateFailure.WrongSchema.class)
        .hasMessage(
            "cannot %s %s.state at %s:%d: the table is not of the expected form (ClickHouse error"
                + " %d); compare it with the columns state_id String, partial_state"
                + " Nullable(String), completed_state Nullable(String), updated_at DateTime64(3),"
                + " and the engine ReplacingMergeTree(updated_at) ORDER BY state_id",
            verb, schema, clickHouse.endpoint().host(), clickHouse.endpoint().port(), code);
  }
}
