package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That the statements do what they are for is tested where they are printed. */
class ClickHouseDdlTest {
  @Test
  void theTablesAreThoseThatTheBackendMakes() {
    ClickHouseDdl ddl = ClickHouseDdl.of("my\"schema", "<schema>");

    assertThat(ddl.tables())
        .containsExactly(
            "CREATE DATABASE IF NOT EXISTS \"my\"\"schema\"",
            Placement.PLAIN
                .in(StateTableSql.CREATE)
                .strip()
                .replace("<table>", "\"my\"\"schema\".\"<schema>\""),
            Placement.PLAIN
                .in(LockTableSql.CREATE)
                .strip()
                .replace("<lock_table>", "\"my\"\"schema\".\"<schema>_lock\""));
    assertThat(ddl.lockTableUpgrade())
        .containsExactly(
            LockTableSql.UPGRADE
                .strip()
                .replace("<lock_table>", "\"my\"\"schema\".\"<schema>_lock\""),
            LockTableSql.UPGRADE_DEFAULT
                .strip()
                .replace("<lock_table>", "\"my\"\"schema\".\"<schema>_lock\""));
  }

  @Test
  void aReaderMayReadTheTablesAndTheHistory() {
    assertThat(ClickHouseDdl.of("meltano", "state").readerGrants("etl"))
        .containsExactly(
            "GRANT SELECT ON \"meltano\".\"state\" TO \"etl\"",
            "GRANT SELECT ON \"meltano\".\"state_lock\" TO \"etl\"",
            "GRANT SELECT ON \"meltano\".\"state_history\" TO \"etl\"");
  }

  @Test
  void aWriterMayAlsoChangeTheirRowsAndNothingElse() {
    assertThat(ClickHouseDdl.of("meltano", "state").writerGrants("e\"t\\l"))
        .containsExactly(
            "GRANT SELECT, INSERT, ALTER DELETE, TRUNCATE ON \"meltano\".\"state\" TO"
                + " \"e\"\"t\\\\l\"",
            "GRANT SELECT, INSERT, ALTER DELETE ON \"meltano\".\"state_lock\" TO"
                + " \"e\"\"t\\\\l\"",
            "GRANT SELECT, INSERT ON \"meltano\".\"state_history\" TO \"e\"\"t\\\\l\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a`b", "a\nb", "a\ud83d"})
  void namesThatCannotBeUsedAreRefused(String name) {
    ClickHouseDdl ddl = ClickHouseDdl.of("meltano", "state");
    assertThatThrownBy(() -> ClickHouseDdl.of(name, "state"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("schema must not ");
    assertThatThrownBy(() -> ClickHouseDdl.of("meltano", name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("table must not ");
    assertThatThrownBy(() -> ddl.readerGrants(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("user must not ");
    assertThatThrownBy(() -> ddl.writerGrants(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("user must not ");
  }
}
