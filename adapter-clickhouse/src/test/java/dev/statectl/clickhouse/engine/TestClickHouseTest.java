package dev.statectl.clickhouse.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;

final class TestClickHouseTest {
  private final TestClickHouse clickHouse = TestClickHouse.shared();

  @Test
  void isTheSameForAllTestsOfTheProcess() {
    assertThat(TestClickHouse.shared()).isSameAs(clickHouse);
    assertThat(clickHouse.version()).isEqualTo(clickHouse.query("SELECT version()"));
  }

  @Test
  void aFreshSchemaIsNobodyElses() {
    String schema = clickHouse.freshSchema();

    assertThat(schema).matches("schema_[0-9a-f]{12}").isNotEqualTo(clickHouse.freshSchema());
    clickHouse.execute(
        "CREATE DATABASE " + schema,
        "CREATE TABLE " + schema + ".t (a Int8) ENGINE = MergeTree ORDER BY a");
    assertThat(clickHouse.endpoint().in(schema).query("SELECT currentDatabase(), count() FROM t"))
        .isEqualTo(schema + "\t0");
  }

  @Test
  void aUserHasTheGivenRightsOnly() {
    String schema = clickHouse.freshSchema();
    clickHouse.execute(
        "CREATE DATABASE " + schema,
        "CREATE TABLE " + schema + ".t (a Int8) ENGINE = MergeTree ORDER BY a");
    ClickHouseEndpoint user = clickHouse.createUser("SELECT, INSERT ON " + schema + ".*");

    user.execute("INSERT INTO " + schema + ".t VALUES (1)");
    assertThat(user.query("SELECT a FROM " + schema + ".t")).isEqualTo("1");
    QueryFailed failure =
        catchThrowableOfType(
            QueryFailed.class,
            () -> user.execute("CREATE TABLE " + schema + ".u (a Int8) ENGINE = Memory"));
    assertThat(failure.code()).isEqualTo(497);
    assertThat(failure)
        .hasMessageContaining(
            user.user()
                + ": Not enough privileges. To execute this query, it's necessary to have the"
                + " grant CREATE TABLE ON "
                + schema
                + ".u");
  }

  @Test
  void aUserCanAskForItsRightsAlsoOnTablesThatAreNotThere() {
    String schema = clickHouse.freshSchema();
    ClickHouseEndpoint user =
        clickHouse.createUser("SELECT, INSERT ON " + schema + ".*", "TRUNCATE ON " + schema + ".t");

    assertThat(user.query("CHECK GRANT SELECT, INSERT ON " + schema + ".t")).isEqualTo("1");
    assertThat(user.query("CHECK GRANT TRUNCATE ON \"" + schema + "\".\"t\"")).isEqualTo("1");
    assertThat(user.query("CHECK GRANT TRUNCATE ON " + schema + ".u")).isEqualTo("0");
    assertThat(user.query("CHECK GRANT SELECT, ALTER DELETE ON " + schema + ".t")).isEqualTo("0");
    assertThat(clickHouse.query("CHECK GRANT ALTER DELETE ON " + schema + ".t")).isEqualTo("1");
  }

  @Test
  void aUserReadsOfTheServerWhatEverybodyMay() {
    ClickHouseEndpoint user = clickHouse.createUser();

    for (String table : new String[] {"databases", "tables", "columns", "settings"}) {
      user.query("SELECT count() FROM system." + table);
    }
    for (String table : new String[] {"mutations", "clusters", "parts"}) {
      QueryFailed failure =
          catchThrowableOfType(
              QueryFailed.class, () -> user.query("SELECT count() FROM system." + table));
      assertThat(failure.code()).as(table).isEqualTo(497);
    }
  }

  @Test
  void aReadOnlyUserCannotWrite() {
    String schema = clickHouse.freshSchema();
    clickHouse.execute(
        "CREATE DATABASE " + schema,
        "CREATE TABLE " + schema + ".t (a Int8) ENGINE = MergeTree ORDER BY a");
    ClickHouseEndpoint user = clickHouse.createReadOnlyUser("SELECT, INSERT ON " + schema + ".*");

    assertThat(user.query("SELECT count() FROM " + schema + ".t")).isEqualTo("0");
    QueryFailed failure =
        catchThrowableOfType(
            QueryFailed.class, () -> user.execute("INSERT INTO " + schema + ".t VALUES (1)"));
    assertThat(failure.code()).isEqualTo(164);
  }

  @Test
  void aWrongPasswordIsRefused() {
    QueryFailed failure =
        catchThrowableOfType(
            QueryFailed.class, () -> clickHouse.endpoint().as("nobody", "wrong").query("SELECT 1"));
    assertThat(failure.code()).isEqualTo(516);
    assertThat(failure.httpStatus()).isEqualTo(403);
  }

  @Test
  void theUriIsPercentEncodedAndThePasswordNeverShown() {
    ClickHouseEndpoint odd = new ClickHouseEndpoint("h", 8443, true, "u@x", "p:/ ?ü", "d/b");

    assertThat(odd.uri())
        .isEqualTo("clickhouse://u%40x:p%3A%2F%20%3F%C3%BC@h:8443/d%2Fb?secure=true");
    assertThat(odd).hasToString("https://u@x@h:8443/d/b");
    assertThat(TestClickHouse.endpointOf("https://u%40x:p%3A%2F%20%3F%C3%BC@h/d%2Fb"))
        .isEqualTo(odd);
    assertThat(TestClickHouse.endpointOf("http://h"))
        .isEqualTo(new ClickHouseEndpoint("h", 8123, false, "default", "", "default"));
  }
}
