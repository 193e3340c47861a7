package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.port.Finding;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerFindingsTest {
  @ParameterizedTest
  @CsvSource({
    "24.3.18.7, ERROR", "23.12.1.1, ERROR", "unknown, ERROR", "24.4.1.1, INFO", "24.10.1, INFO",
    "25.7.9.1, INFO", "25.8.33.6, OK", "25.10.1.1, OK", "26.5.1.1, OK", "27, OK"
  })
  void theServersVersionIsJudged(String version, Finding.Level level) {
    Finding finding = of("server-version", "localhost", false, version, 0, true, true, 5);

    assertThat(finding.level()).isEqualTo(level);
    assertThat(finding.what()).isEqualTo("ClickHouse " + version);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost", "LOCALHOST", "a.localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"})
  void plainHttpWithinTheMachineIsOk(String host) {
    assertThat(connection(host, false).level()).isEqualTo(Finding.Level.OK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ch.example.com", "10.0.0.1", "127.example.com", "localhost.example.com", "1"})
  void plainHttpOverTheNetworkIsADanger(String host) {
    Finding finding = connection(host, false);

    assertThat(finding.level()).isEqualTo(Finding.Level.WARNING);
    assertThat(finding.what()).isEqualTo("plain HTTP over the network as etl");
    assertThat(finding.toString()).doesNotContain("s3cret");
    assertThat(connection(host, true).level()).isEqualTo(Finding.Level.OK);
  }

  @ParameterizedTest
  @CsvSource({"FULL, OK", "CA, INFO", "OFF, WARNING"})
  void whatIsNotVerifiedOfTlsIsTold(TlsSettings.Verification verification, Finding.Level level) {
    ClickHouseSettings settings =
        ClickHouseSettings.of("ch.example.com", 8443, true, "analytics", "etl", "s3cret")
            .withTls(TlsSettings.DEFAULT.withVerification(verification));
    Finding finding =
        new ServerFindings(
                settings,
                TableNames.of("meltano", "state"),
                new ServerFacts("26.5.1.1", 0, true, true, Duration.ofMillis(5)))
            .all()
            .get(0);

    assertThat(finding.check()).isEqualTo("connection");
    assertThat(finding.level()).isEqualTo(level);
    assertThat(finding.what()).startsWith("TLS, with ").endsWith(", as etl");
  }

  @ParameterizedTest
  @CsvSource({"99, OK", "100, INFO", "999, INFO", "1000, WARNING"})
  void theLatencyIsJudged(long millis, Finding.Level level) {
    Finding finding = of("latency", "localhost", false, "26.5.1.1", 0, true, true, millis);

    assertThat(finding.level()).isEqualTo(level);
    assertThat(finding.what()).isEqualTo("an answer takes " + millis + " ms (median)");
  }

  @ParameterizedTest
  @CsvSource({"false, false, OK", "false, true, OK", "true, true, OK", "true, false, WARNING"})
  void insertsThatAreAnsweredBeforeTheyAreStoredAreADanger(
      boolean async, boolean waits, Finding.Level level) {
    assertThat(of("async-insert", "localhost", false, "26.5.1.1", 0, async, waits, 5).level())
        .isEqualTo(level);
  }

  @Test
  void theSettingThatMendsThemIsNamed() {
    Finding finding = of("async-insert", "localhost", false, "26.5.1.1", 0, true, false, 5);

    assertThat(finding.mend().orElseThrow().steps())
        .containsExactly("ALTER USER etl SETTINGS wait_for_async_insert = 1");
    assertThat(finding.isSafelyMendable()).isFalse();
  }

  @Test
  void anotherStateTableInTheDatabaseOfTheConnectionIsADanger() {
    ServerFindings findings = findings("localhost", false, "26.5.1.1", 0, true, true, 5);

    assertThat(findings.place(false).level()).isEqualTo(Finding.Level.OK);
    assertThat(findings.place(false).what())
        .isEqualTo(
            "states live in meltano, by the setting schema; the connection goes to analytics, which"
                + " keeps none");
    Finding other = findings.place(true);
    assertThat(other.level()).isEqualTo(Finding.Level.WARNING);
    assertThat(other.what())
        .isEqualTo(
            "states live in meltano.state, by the setting schema, but the database of the"
                + " connection has a state table as well, analytics.state");
    assertThat(other.mend().orElseThrow().steps())
        .containsExactly("statectl list --schema 'analytics' -o table");
  }

  private static Finding connection(String host, boolean secure) {
    return of("connection", host, secure, "26.5.1.1", 0, true, true, 5);
  }

  private static Finding of(
      String check,
      String host,
      boolean secure,
      String version,
      int readonly,
      boolean async,
      boolean waits,
      long millis) {
    return findings(host, secure, version, readonly, async, waits, millis).all().stream()
        .filter(finding -> finding.check().equals(check))
        .findFirst()
        .orElseThrow();
  }

  private static ServerFindings findings(
      String host,
      boolean secure,
      String version,
      int readonly,
      boolean async,
      boolean waits,
      long millis) {
    return new ServerFindings(
        ClickHouseSettings.of(host, 8123, secure, "analytics", "etl", "s3cret"),
        TableNames.of("meltano", "state"),
        new ServerFacts(version, readonly, async, waits, Duration.ofMillis(millis)));
  }
}
