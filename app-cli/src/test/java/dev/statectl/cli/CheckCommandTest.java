package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hawkular.agent.prometheus.text.TextPrometheusMetricsProcessor;
import org.hawkular.agent.prometheus.types.Gauge;
import org.hawkular.agent.prometheus.walkers.CollectorPrometheusMetricsWalker;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckCommandTest {
  private static final TestClickHouse CLICK_HOUSE = TestClickHouse.shared();

  @TempDir private Path directory;
  private final String schema = CLICK_HOUSE.freshSchema();

  @BeforeEach
  void storeStates() {
    assertThat(check("-o", "text").out()).isEmpty();
    assertThat(onClickHouse("set", "dev:new", "{\"singer_state\": {}}").code()).isZero();
    plant("dev:old", "{\"singer_state\": {}}", "INTERVAL 172810 SECOND");
    plant("prod:older", "{\"singer_state\": {}}", "INTERVAL 604810 SECOND");
  }

  @Test
  void statesThatDidNotMoveAreListedAndTheCommandFails() {
    Outcome outcome = check();

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.out().replaceAll("20[-0-9T:.]+Z", "TIME").replaceAll(" +", " "))
        .isEqualTo(
            """
            ID UPDATED AGE
            dev:old TIME 2 d
            prod:older TIME 7 d
            """);
    assertThat(outcome.err())
        .isEqualTo("statectl: 2 of 3 states in " + target() + " older than 24 h or unreadable\n");
  }

  @Test
  void whereAllMovedNothingIsListed() {
    assertThat(check("--max-age", "8d"))
        .isEqualTo(
            new Outcome(0, "", "statectl: 3 states in " + target() + ", none older than 8 d\n"));
    assertThat(check("--pattern", "*:old", "--max-age", "49h").code()).isZero();
    assertThat(check("--pattern", "*:old", "--max-age", "2880m").code()).isEqualTo(1);
    assertThat(check("--pattern", "*:old", "--max-age", "172800s").code()).isEqualTo(1);
  }

  @Test
  void aPatternThatMatchesNothingFails() {
    assertThat(check("--pattern", "DEV:*"))
        .isEqualTo(new Outcome(1, "", "statectl: no state matches in " + target() + "\n"));
  }

  @Test
  void theListComesInOtherFormsToo() {
    assertThat(check("-o", "text").out()).isEqualTo("dev:old\nprod:older\n");
    assertThat(check("-o", "ndjson").out())
        .matches(
            "\\{\"id\":\"dev:old\",\"updated_at\":\"20[-0-9T:.]+Z\",\"age_seconds\":1728[0-9]{2}}\n"
                + "\\{\"id\":\"prod:older\",\"updated_at\":\"20[-0-9T:.]+Z\","
                + "\"age_seconds\":6048[0-9]{2}}\n");
    assertThat(check("--max-age", "8d", "-o", "json").out()).isEqualTo("[]\n");
  }

  @Test
  void aSummaryIsTheOneLineOfANagiosPlugin() {
    assertThat(masked(check("--summary")))
        .isEqualTo(
            new Outcome(
                1,
                "STATES WARNING - 3 states, 2 older than 24 h or unreadable, the oldest 7 d"
                    + " | states=3 old=2;0 oldest=6048##s;86400\n",
                ""));
    assertThat(masked(check("--summary", "--max-age", "8d")))
        .isEqualTo(
            new Outcome(
                0,
                "STATES OK - 3 states, 0 older than 8 d or unreadable, the oldest 7 d"
                    + " | states=3 old=0;0 oldest=6048##s;691200\n",
                ""));
    assertThat(check("--summary", "--pattern", "x").out())
        .isEqualTo("STATES WARNING - no state matches | states=0 old=0;0 oldest=0s;86400\n");
    assertThat(check("--summary", "--pattern", "dev:new").out())
        .as("the age in the text is that of the values")
        .matches("STATES OK - .*, the oldest ([0-9]+) s \\| states=1 old=0;0 oldest=\\1s;86400\n");
  }

  @Test
  void metricsAreReadByAParserOfPrometheusFormat() throws IOException {
    plant("dev:bad", "[1]", "INTERVAL 0 SECOND");
    CLICK_HOUSE.execute(
        "INSERT INTO "
            + schema
            + ".state_lock (state_id, lock_id, locked_at) VALUES ('dev:old', 'ff\"\\\\', now() - 10)");

    Outcome outcome = check("--prometheus", "--pattern", "dev:*");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.err()).isEmpty();
    Map<String, Double> metrics = parsed(outcome.out());
    assertThat(metrics.keySet())
        .containsExactlyInAnyOrder(
            "statectl_locks_held{}",
            "statectl_lock_age_seconds{id=dev:old, lock_id=ff\"\\}",
            "statectl_states{}",
            "statectl_states_unreadable{}",
            "statectl_state_age_seconds{id=dev:new}",
            "statectl_state_age_seconds{id=dev:old}",
            "statectl_state_size_bytes{id=dev:new}",
            "statectl_state_size_bytes{id=dev:old}");
    assertThat(metrics).containsEntry("statectl_locks_held{}", 1.0);
    assertThat(metrics).containsEntry("statectl_states{}", 3.0);
    assertThat(metrics).containsEntry("statectl_states_unreadable{}", 1.0);
    assertThat(metrics).containsEntry("statectl_state_size_bytes{id=dev:old}", 20.0);
    assertThat(metrics.get("statectl_state_age_seconds{id=dev:old}")).isBetween(172810.0, 172900.0);
    assertThat(metrics.get("statectl_lock_age_seconds{id=dev:old, lock_id=ff\"\\}"))
        .isBetween(10.0, 100.0);
  }

  @Test
  void whatCannotBeReadCountsAsOld() {
    plant("dev:bad", "[1]", "INTERVAL 0 SECOND");

    assertThat(check("--max-age", "8d").out())
        .isEqualTo("ID       UPDATED  AGE\ndev:bad  -        unreadable\n");
    assertThat(check("--max-age", "8d", "-o", "ndjson").out())
        .isEqualTo("{\"id\":\"dev:bad\",\"updated_at\":null,\"age_seconds\":null}\n");
  }

  @Test
  void allStatesOfAnEmbeddedStoreAreAsOldAsItsFile() throws IOException {
    Path store = directory.resolve("state.json");
    Files.writeString(store, "{\"a\": {\"completed\": {}}, \"b\": {\"completed\": {}}}");
    Files.setLastModifiedTime(store, FileTime.from(Instant.parse("2026-11-27T12:00:00Z")));

    // The run's time is 2026-11-29T12:00:00Z.
    assertThat(RunStatectl.in(directory).run("check", "--uri=memory:" + store))
        .isEqualTo(
            new Outcome(
                1,
                """
                ID  UPDATED               AGE
                a   2026-11-27T12:00:00Z  2 d
                b   2026-11-27T12:00:00Z  2 d
                """,
                "statectl: 2 of 2 states in memory:" + store + " older than 24 h or unreadable\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "24", "h", "-1h", "1w", "1.5h", "10000000d"})
  void anAgeIsANumberAndAUnit(String age) {
    Outcome outcome = check("--max-age=" + age);

    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err()).contains("write an age such as 90s, 30m, 24h or 7d");
  }

  @Test
  void oneFormAtATime() {
    Outcome outcome = check("--summary", "--prometheus");

    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err())
        .startsWith("statectl: give one of --summary and --prometheus, not both\n");
  }

  private static Map<String, Double> parsed(String text) {
    CollectorPrometheusMetricsWalker walker = new CollectorPrometheusMetricsWalker();
    new TextPrometheusMetricsProcessor(
            new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), walker)
        .walk();
    Map<String, Double> values = new TreeMap<>();
    walker
        .getAllMetricFamilies()
        .forEach(
            family ->
                family
                    .getMetrics()
                    .forEach(
                        metric ->
                            values.put(
                                family.getName() + new TreeMap<>(metric.getLabels()),
                                ((Gauge) metric).getValue())));
    return values;
  }

  private static Outcome masked(Outcome outcome) {
    return new Outcome(
        outcome.code(),
        outcome.out().replaceAll("oldest=6048[0-9]{2}s", "oldest=6048##s"),
        outcome.err());
  }

  private String target() {
    return CLICK_HOUSE.endpoint().host()
        + ":"
        + CLICK_HOUSE.endpoint().port()
        + " "
        + schema
        + ".state";
  }

  private void plant(String id, String document, String age) {
    CLICK_HOUSE.execute(
        "INSERT INTO "
            + schema
            + ".state (state_id, completed_state, updated_at) VALUES ('"
            + id
            + "', '"
            + document
            + "', now64(3) - "
            + age
            + ")");
  }

  private Outcome check(String... args) {
    List<String> whole = new ArrayList<>(List.of("check"));
    whole.addAll(List.of(args));
    return onClickHouse(whole.toArray(String[]::new));
  }

  private Outcome onClickHouse(String... args) {
    return RunStatectl.in(directory)
        .variable("MELTANO_STATE_BACKEND_URI", CLICK_HOUSE.uri())
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema)
        .run(args);
  }
}
