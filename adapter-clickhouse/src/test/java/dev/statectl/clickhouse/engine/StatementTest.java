package dev.statectl.clickhouse.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StatementTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          SELECT 1                                                   | []
          SELECT * FROM t                                            | [SELECT ON db.t]
          SELECT * FROM s.t FINAL                                    | [SELECT ON s.t]
          select * from `s`.`t x` t                                  | [SELECT ON s.t x]
          SELECT * FROM a JOIN b.c ON 1                              | [SELECT ON db.a, SELECT ON b.c]
          SELECT * FROM (SELECT * FROM a) WHERE x = ' FROM z'        | [SELECT ON db.a]
          SELECT * FROM numbers(3)                                   | []
          SELECT * FROM system.tables                                | []
          SELECT * FROM system.mutations                             | [SELECT ON system.mutations]
          WITH c AS (SELECT 1 FROM a) SELECT * FROM c                | [SELECT ON db.a]
          /* x */ -- y ' \\n SELECT 1                                | []
          INSERT INTO t (a) VALUES ('x FROM y')                      | [INSERT ON db.t]
          INSERT INTO TABLE s.t SELECT * FROM u                      | [INSERT ON s.t, SELECT ON db.u]
          INSERT INTO `s`.`t` (`a`) SETTINGS x=1 FORMAT TSV FROM z   | [INSERT ON s.t]
          DELETE FROM s.t WHERE a IN (SELECT a FROM b)               | [ALTER DELETE ON s.t]
          CREATE TABLE IF NOT EXISTS s.t (a Int8) ENGINE = Memory    | [CREATE TABLE ON s.t]
          CREATE MATERIALIZED VIEW s.v TO s.h AS SELECT * FROM s.t   | [CREATE VIEW ON s.v]
          CREATE DATABASE IF NOT EXISTS s                            | [CREATE DATABASE ON s.*]
          DROP TABLE IF EXISTS t SYNC                                | [DROP TABLE ON db.t]
          TRUNCATE TABLE t                                           | [TRUNCATE ON db.t]
          OPTIMIZE TABLE s.t FINAL                                   | [OPTIMIZE ON s.t]
          ALTER TABLE s.t ADD COLUMN a Int8, MODIFY ORDER BY (k, a)  | [ALTER ADD COLUMN ON s.t, ALTER ORDER BY ON s.t]
          ALTER TABLE s.t DELETE WHERE a = 1                         | [ALTER DELETE ON s.t]
          ALTER TABLE s.t FREEZE                                     | [ALTER TABLE ON s.t]
          EXCHANGE TABLES a AND b                                    | [ALL ON *.*]
          SHOW CREATE TABLE s.t                                      | []
          EXISTS TABLE s.t                                           | []
          """)
  void needsTheRightsOfItsKindOnItsTables(String sql, String rights) {
    assertThat(statement(sql.replace("\\n", "\n")).needs("db")).hasToString(rights);
  }

  @ParameterizedTest
  @CsvSource({
    "ALL, SELECT, true",
    "ALTER, ALTER DELETE, true",
    "ALTER TABLE, ALTER DELETE, true",
    "ALTER COLUMN, ALTER ADD COLUMN, true",
    "CREATE, CREATE TABLE, true",
    "CREATE TABLE, CREATE DATABASE, false",
    "ALTER DELETE, ALTER, false",
    "SELECT, INSERT, false",
  })
  void aPrivilegeHoldsThoseBelowIt(String has, String needs, boolean covers) {
    Privilege need = new Privilege(needs, "s", "t");
    assertThat(new Privilege(has, "s", "t").covers(need)).isEqualTo(covers);
    assertThat(new Privilege(has, "*", "*").covers(need)).isEqualTo(covers);
    assertThat(new Privilege(has, "s", "*").covers(need)).isEqualTo(covers);
    assertThat(new Privilege(has, "s", "u").covers(need)).isFalse();
    assertThat(new Privilege(has, "r", "*").covers(need)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1;",
        "SELECT ';x'",
        "SELECT `;`, \";\"",
        "SELECT 1 /* ;x */ -- ;x",
        "SELECT 'it\\'s ;', 'it''s ;'",
        "INSERT INTO t FORMAT CSV\n1;2\n",
        "INSERT INTO t VALUES ('a;b');\n"
      })
  void aSemicolonInsideIsNoSecondStatement(String sql) {
    assertThat(statement(sql).isMany()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"SELECT 1; SELECT 2", "INSERT INTO t VALUES (''); DROP TABLE t", "SELECT 1;;x"})
  void aSecondStatementIsSeen(String sql) {
    assertThat(statement(sql).isMany()).isTrue();
  }

  @Test
  void theDataOfAnInsertAreReadFromAFile() {
    Statement insert = statement("INSERT INTO t (`ü`) SETTINGS a=1 FORMAT TSV \nx\n\ny");

    assertThat(insert.hasData()).isTrue();
    assertThat(new String(insert.data(), StandardCharsets.UTF_8)).isEqualTo("x\n\ny");
    assertThat(new String(insert.readingFrom(Path.of("/f")), StandardCharsets.UTF_8))
        .isEqualTo("INSERT INTO t (`ü`) FROM INFILE '/f' SETTINGS a=1 FORMAT TSV \n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t VALUES ('FORMAT x y')",
        "INSERT INTO t (format) VALUES (1)",
        "INSERT INTO t SELECT 1 FORMAT Null",
        "SELECT 1 FORMAT TSV"
      })
  void otherStatementsHaveNoDataToRead(String sql) {
    assertThat(statement(sql).hasData()).isFalse();
  }

  private static Statement statement(String sql) {
    return Statement.of(sql.getBytes(StandardCharsets.UTF_8));
  }
}
