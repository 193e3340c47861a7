package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.util.List;
import org.junit.jupiter.api.Test;

class TablesTest {
  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();

  @Test
  void firstWriteCreatesBothTables() {
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      backend.states().save(TestStores.state("a", "{}"));
    }
    assertThat(shown("state"))
        .isEqualTo(
            """
            CREATE TABLE %s.state
            (
                `state_id` String,
                `partial_state` Nullable(String),
                `completed_state` Nullable(String),
                `updated_at` DateTime64(3) DEFAULT now64(3)
            )
            ENGINE = ReplacingMergeTree(updated_at)
            ORDER BY state_id
            SETTINGS index_granularity = 8192"""
                .formatted(schema));
    assertThat(shown("state_lock"))
        .isEqualTo(
            """
            CREATE TABLE %s.state_lock
            (
                `state_id` String,
                `lock_id` String,
                `locked_at` DateTime DEFAULT now(),
                `candidate` String DEFAULT lock_id,
                `holder` String,
                `released` UInt8
            )
            ENGINE = ReplacingMergeTree(locked_at)
            ORDER BY (state_id, candidate)
            TTL locked_at + toIntervalSecond(300)
            SETTINGS index_granularity = 8192"""
                .formatted(schema));
  }

  @Test
  void savingManyCreatesThemToo() {
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      backend.states().saveAll(List.of(TestStores.state("a", "{}")));
    }
    assertThat(clickHouse.query("SHOW TABLES FROM " + schema)).isEqualTo("state\nstate_lock");
  }

  @Test
  void readsAndRemovalsCreateNothing() {
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      StateStore store = backend.states();
      assertThat(store.find(StateId.of("a"))).isEmpty();
      assertThat(TestStores.ids(store, "*")).isEmpty();
      store.forEachState(StateIdGlob.ALL, state -> {});
      assertThat(store.delete(StateId.of("a"))).isFalse();
      assertThat(store.deleteAll()).isZero();
      store.saveAll(List.of());
    }
    assertThat(clickHouse.query("EXISTS DATABASE " + schema)).isEqualTo("0");
  }

  @Test
  void readsOfAnEmptyDatabaseFindNothing() {
    clickHouse.execute("CREATE DATABASE " + schema);
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      assertThat(backend.states().find(StateId.of("a"))).isEmpty();
      assertThat(TestStores.ids(backend.states(), "*")).isEmpty();
    }
    assertThat(clickHouse.query("SHOW TABLES FROM " + schema)).isEmpty();
  }

  @Test
  void tablesOfThePluginAreUsedAsTheyAre() {
    TestStores.createPluginTables(schema);
    clickHouse.execute(
        "INSERT INTO " + schema + ".state (state_id, completed_state) VALUES ('p', '{\"n\": 1}')",
        "INSERT INTO " + schema + ".state_lock (state_id, lock_id) VALUES ('p', 'l')");
    String stateBefore = shown("state");
    String lockBefore = shown("state_lock");
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      StateStore store = backend.states();
      assertThat(TestStores.completedOf(store, "p")).isEqualTo("{\"n\": 1}");
      store.save(TestStores.state("p", "{\"n\": 2}"));
      store.saveAll(List.of(TestStores.state("q", "{\"n\": 3}")));
      assertThat(TestStores.completedOf(store, "p")).isEqualTo("{\"n\": 2}");
      assertThat(TestStores.ids(store, "*")).containsExactly("p", "q");
      assertThat(store.delete(StateId.of("p"))).isTrue();
      assertThat(store.deleteAll()).isEqualTo(1);
    }
    assertThat(shown("state")).isEqualTo(stateBefore);
    assertThat(shown("state_lock")).isEqualTo(lockBefore).doesNotContain("candidate");
    assertThat(clickHouse.query("SELECT state_id, lock_id FROM " + schema + ".state_lock"))
        .isEqualTo("p\tl");
  }

  @Test
  void aStateTableWithoutALockTableStaysAlone() {
    clickHouse.execute(
        "CREATE DATABASE " + schema, TestStores.PLUGIN_STATE_TABLE.formatted(schema));
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      backend.states().save(TestStores.state("a", "{}"));
    }
    assertThat(clickHouse.query("SHOW TABLES FROM " + schema)).isEqualTo("state");
  }

  @Test
  void aUserWhoMayNotCreateWorksOnExistingTables() {
    TestStores.createPluginTables(schema);
    try (ClickHouseBackend backend =
        ClickHouseBackend.open(
            TestStores.settings(
                clickHouse.createUser("SELECT, INSERT, ALTER DELETE, TRUNCATE ON " + schema + ".*"),
                schema))) {
      StateStore store = backend.states();
      store.save(TestStores.state("a", "{\"n\":1}"));
      store.saveAll(List.of(TestStores.state("b", "{\"n\":2}")));
      assertThat(TestStores.ids(store, "*")).containsExactly("a", "b");
      assertThat(store.delete(StateId.of("a"))).isTrue();
      assertThat(store.deleteAll()).isEqualTo(1);
    }
  }

  @Test
  void aUserWhoMayNotCreateTheDatabaseIsToldWhatIsMissing() {
    ClickHouseEndpoint user = clickHouse.createUser("SELECT, INSERT ON " + schema + ".*");
    try (ClickHouseBackend backend = ClickHouseBackend.open(TestStores.settings(user, schema))) {
      assertThatThrownBy(() -> backend.states().save(TestStores.state("a", "{}")))
          .isInstanceOf(StateFailure.Denied.class)
          .hasMessage(
              "cannot create the database %1$s at %2$s: the user %3$s lacks a right; an"
                  + " administrator can create it, or grant it: GRANT CREATE DATABASE ON %1$s.* TO"
                  + " %3$s",
              schema, place(), user.user());
    }
    assertThat(clickHouse.query("EXISTS DATABASE " + schema)).isEqualTo("0");
  }

  @Test
  void aUserWhoMayNotCreateTablesIsToldWhatIsMissing() {
    clickHouse.execute("CREATE DATABASE " + schema);
    ClickHouseEndpoint user = clickHouse.createUser("SELECT, INSERT ON " + schema + ".*");
    try (ClickHouseBackend backend = ClickHouseBackend.open(TestStores.settings(user, schema))) {
      assertThatThrownBy(() -> backend.states().save(TestStores.state("a", "{}")))
          .isInstanceOf(StateFailure.Denied.class)
          .hasMessage(
              "cannot create the tables %1$s.state and %1$s.state_lock at %2$s: the user %3$s"
                  + " lacks a right; an administrator can create them, or grant it: GRANT CREATE"
                  + " TABLE ON %1$s.* TO %3$s",
              schema, place(), user.user());
    }
    assertThat(clickHouse.query("SHOW TABLES FROM " + schema)).isEmpty();
  }

  @Test
  void aUserWhoMayCreateTablesNeedNotBeAllowedToCreateTheDatabase() {
    clickHouse.execute("CREATE DATABASE " + schema);
    try (ClickHouseBackend backend =
        ClickHouseBackend.open(
            TestStores.settings(
                clickHouse.createUser("SELECT, INSERT, CREATE TABLE ON " + schema + ".*"),
                schema))) {
      backend.states().save(TestStores.state("a", "{}"));
    }
    assertThat(clickHouse.query("SHOW TABLES FROM " + schema)).isEqualTo("state\nstate_lock");
  }

  @Test
  void aRefusedCreationIsMadeUpForByTheNextWrite() {
    clickHouse.execute("CREATE DATABASE " + schema);
    ClickHouseEndpoint user =
        clickHouse.createUser(
            "SELECT, INSERT ON " + schema + ".*", "CREATE TABLE ON " + schema + ".state_lock");
    try (ClickHouseBackend backend = ClickHouseBackend.open(TestStores.settings(user, schema))) {
      assertThatThrownBy(() -> backend.states().save(TestStores.state("a", "{}")))
          .isInstanceOf(StateFailure.Denied.class);
      assertThat(clickHouse.query("SHOW TABLES FROM " + schema)).isEqualTo("state_lock");
      clickHouse.execute("GRANT CREATE TABLE ON " + schema + ".* TO " + user.user());
      backend.states().save(TestStores.state("a", "{}"));
    }
    assertThat(clickHouse.query("SHOW TABLES FROM " + schema)).isEqualTo("state\nstate_lock");
  }

  @Test
  void theStatementsForAnAdministratorMakeWhatTheFirstWriteMakes() {
    ClickHouseEndpoint user = clickHouse.createUser();
    ClickHouseSettings settings = TestStores.settings(user, schema);
    clickHouse.execute(ClickHouseBackend.ddl(settings).split(";\n"));
    String other = clickHouse.freshSchema();
    try (ClickHouseBackend backend = TestStores.open(other)) {
      backend.states().save(TestStores.state("a", "{}"));
    }
    for (String table : List.of("state", "state_lock")) {
      assertThat(shown(table))
          .isEqualTo(
              clickHouse
                  .query("SHOW CREATE TABLE " + other + "." + table + " FORMAT TSVRaw")
                  .replace(other, schema));
    }
    try (ClickHouseBackend backend = ClickHouseBackend.open(settings)) {
      StateStore store = backend.states();
      store.saveAll(List.of(TestStores.state("a", "{}"), TestStores.state("b", "{}")));
      assertThat(store.delete(StateId.of("a"))).isTrue();
      assertThat(store.deleteAll()).isEqualTo(1);
    }
  }

  @Test
  void theStatementsForAnAdministratorQuoteWhatMustBe() {
    assertThat(
            ClickHouseBackend.ddl(TestStores.settings(clickHouse.endpoint(), "my-schema", "a\"b")))
        .startsWith(
            """
            CREATE DATABASE IF NOT EXISTS "my-schema";
            CREATE TABLE IF NOT EXISTS "my-schema"."a""b"
            (
            """)
        .endsWith(
            """
            ORDER BY (state_id, candidate)
            TTL locked_at + INTERVAL 300 SECOND;
            ALTER TABLE "my-schema"."a""b_lock"
                ADD COLUMN IF NOT EXISTS candidate String,
                ADD COLUMN IF NOT EXISTS holder String,
                ADD COLUMN IF NOT EXISTS released UInt8,
                MODIFY ORDER BY (state_id, candidate);
            ALTER TABLE "my-schema"."a""b_lock"
                MODIFY COLUMN candidate String DEFAULT lock_id;
            GRANT SELECT, INSERT, ALTER DELETE, TRUNCATE ON "my-schema"."a""b" TO %1$s;
            GRANT SELECT, INSERT, ALTER DELETE, TRUNCATE ON "my-schema"."a""b_lock" TO %1$s;
            """
                .formatted(clickHouse.endpoint().user()));
  }

  private String shown(String table) {
    return clickHouse.query("SHOW CREATE TABLE " + schema + "." + table + " FORMAT TSVRaw");
  }

  private String place() {
    return clickHouse.endpoint().host() + ":" + clickHouse.endpoint().port();
  }
}
