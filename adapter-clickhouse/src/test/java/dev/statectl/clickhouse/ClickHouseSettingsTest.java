package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
