package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.TestClickHouse;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows arrive whole whatever a user's profile says of their format; a request's settings do so. */
class FormatSettingsTest {
  private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678Z");

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final ClickHouseSettings settings =
      TestStores.settings(clickHouse.endpoint(), clickHouse.freshSchema());
  private final TableNames names = TableNames.of(settings);
  private final ClickHouseErrors errors = new ClickHouseErrors(settings, names);
  private final ClickHouseConnection connection =
      ClickHouseConnection.open(settings, names, errors, Backoff.ofMachine());

  @AfterEach
  void close() {
    connection.close();
  }

  @ParameterizedTest
  @CsvSource({
    "input_format_tsv_skip_first_lines, 1",
    "date_time_input_format, best_effort",
    "format_tsv_null_representation, NULL",
    "session_timezone, Asia/Tokyo"
  })
  void everyStateArrives(String setting, String value) {
    createTables();
    connection.insert(
        Operation.SAVE,
        StateTableSql.INSERT_ROWS,
        Map.of(setting, value),
        rows -> {
          rows.text("a").text(null).text("{}").time(TIME).end();
          rows.text("b").text("{}").text(null).time(TIME).end();
        });
    assertThat(
            clickHouse.query(
                "SELECT state_id, partial_state, completed_state, toUnixTimestamp64Milli(updated_at)"
                    + " FROM "
                    + names.stateSql()
                    + " ORDER BY state_id"))
        .isEqualTo("a\t\\N\t{}\t1767323045678\nb\t{}\t\\N\t1767323045678");
  }

  @Test
  void everyCandidateArrives() {
    createTables();
    connection.insert(
        Operation.ANNOUNCE,
        LockTableSql.ANNOUNCE_ROWS,
        Map.of("input_format_tsv_skip_first_lines", "1"),
        rows -> {
          rows.text("a").text("x").text("x").text("me").text("0").end();
          rows.text("b").text("x").text("x").text("me").text("0").end();
        });
    assertThat(clickHouse.query("SELECT count() FROM " + names.lockSql())).isEqualTo("2");
  }

  private void createTables() {
    TestStores.createTables(connection, settings);
  }
}
