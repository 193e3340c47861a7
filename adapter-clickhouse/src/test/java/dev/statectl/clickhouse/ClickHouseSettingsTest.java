package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.engine.QueryFailed;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClickHouseSettingsTest {
  private static final String PASSWORD = "marker-password";

  @Test
  void textFormHoldsNoPassword() {
    assertThat(settings("ch.example.com", "state"))
        .hasToString(
            "ClickHouseSettings[ch.example.com:8123, secure=false, database=default, user=meltano,"
                + " schema=meltano, table=state]");
  }

  @Test
  void placeHasBracketsAroundAnIpv6Address() {
    assertThat(settings("ch.example.com", "state").place()).isEqualTo("ch.example.com:8123");
    assertThat(settings("::1", "state").place()).isEqualTo("[::1]:8123");
    assertThat(settings("[::1]", "state").place()).isEqualTo("[::1]:8123");
  }

  @ParameterizedTest
  @ValueSource(strings = {"click_house", "a b", "host:8123", "http://host", "host/x", "u@host"})
  void refusesWhatIsNoHost(String host) {
    assertThatThrownBy(() -> settings(host, "state"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "host must be a name of letters, digits, '-' and '.', or an address, not '"
                + host
                + "'");
  }

  @Test
  void refusesADatabaseThatNoHeaderCarries() {
    for (String database : new String[] {"база", "a\nb", "a\u007f"}) {
      assertThatThrownBy(() -> ClickHouseSettings.of("ch", 8123, false, database, "etl", ""))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "database must be of printable ASCII characters, since requests carry it in a header;"
                  + " connect to another database (the tables' own is the schema)");
    }
  }

  @Test
  void refusesNamesThatCannotBeUsed() {
    assertThatThrownBy(() -> settings("h", "a`b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("table must not hold a backtick: ");
    assertThatThrownBy(
            () ->
                new ClickHouseSettings(
                    "h",
                    8123,
                    false,
                    "default",
                    "u",
                    PASSWORD,
                    " ",
                    "state",
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("schema must not be blank");
  }

  /** The server's own limit, which counts the bytes of two names in a file's name. */
  @Test
  void refusesNamesThatTheServerCannotStore() {
    String schema = TestClickHouse.shared().freshSchema();
    int longest = 213 - schema.length() - "_lock".length();
    for (String table :
        new String[] {
          "t".repeat(longest),
          "я".repeat(longest / 6) + "t".repeat(longest % 6),
          "-".repeat(longest / 3)
        }) {
      TestClickHouse.shared().execute("CREATE DATABASE IF NOT EXISTS " + schema);
      TestClickHouse.shared()
          .execute(
              "CREATE TABLE "
                  + new Identifier(schema).quoted()
                  + "."
                  + new Identifier(table + "_lock").quoted()
                  + " (a String) ENGINE = MergeTree ORDER BY a");
      assertThat(TableNames.of(schema, table).lock().text()).isEqualTo(table + "_lock");
      String tooLong = table + "ttt";
      assertThatThrownBy(
              () ->
                  TestClickHouse.shared()
                      .execute(
                          "CREATE TABLE "
                              + new Identifier(schema).quoted()
                              + "."
                              + new Identifier(tooLong + "_lock").quoted()
                              + " (a String) ENGINE = MergeTree ORDER BY a"))
          .isInstanceOf(QueryFailed.class);
      assertThatThrownBy(() -> TableNames.of(schema, tooLong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(
              "table is too long: ClickHouse stores at most 213 bytes for schema and lock table"
                  + " together (a letter of English, a digit or _ is one, any other byte is three),"
                  + " and these would take 21");
    }
    assertThatThrownBy(() -> settings("h", "t".repeat(300)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(" and these would take 312");
  }

  private static ClickHouseSettings settings(String host, String table) {
    return new ClickHouseSettings(
        host,
        8123,
        false,
        "default",
        "meltano",
        PASSWORD,
        "meltano",
        table,
        Duration.ofSeconds(1),
        Duration.ofSeconds(1));
  }
}
