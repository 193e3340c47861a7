package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.clickhouse.jdbc.Driver;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.jdbi.v3.core.statement.DefinedAttributeTemplateEngine;
import org.jdbi.v3.core.statement.ParsedSql;
import org.jdbi.v3.core.statement.StatementContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StatementSyntaxTest {
  private final StatementSyntax syntax = new StatementSyntax();
  private StatementContext context;

  @BeforeEach
  void define() throws SQLException {
    // Sends nothing before its first statement.
    Connection connection =
        new Driver().connect("jdbc:clickhouse:http://127.0.0.1:1/", new Properties());
    context = Jdbi.create(connection).open().createQuery("SELECT 1").getContext();
    context.define("schema", "\"a:b\"");
    context.define("table", "\"a:b\".\"it's\"");
    context.define("lock_table", "\"a:b\".\"it's_lock\"");
  }

  static List<String> statements() {
    return List.of(
        Placement.PLAIN.in(SchemaSql.CREATE),
        new Placement("eu-1.prod", true).in(StateTableSql.CREATE),
        StateTableSql.FIND,
        StateTableSql.STATES_BY_PREFIX,
        StateTableSql.IDS,
        StateTableSql.NEWEST_VERSION,
        StateTableSql.INSERT,
        StateTableSql.INSERT_IF_HELD,
        StateTableSql.DELETE_IF_HELD_PLUGIN,
        Placement.PLAIN.in(LockTableSql.CREATE),
        LockTableSql.UPGRADE);
  }

  /** Jdbi's own parsers are the oracle. */
  @ParameterizedTest
  @MethodSource("statements")
  void ourStatementsMeanWhatTheyMeanToJdbi(String sql) {
    String rendered = syntax.render(sql, context);

    assertThat(rendered).isEqualTo(new DefinedAttributeTemplateEngine().render(sql, context));
    assertThat(syntax.parse(rendered, context))
        .isEqualTo(new ColonPrefixSqlParser().parse(rendered, context));
  }

  @Test
  void whatIsQuotedNamesNoValue() {
    ParsedSql parsed = syntax.parse("SELECT ':a', `b:c`, \"d:e\" FROM x WHERE id = :id", context);

    assertThat(parsed.getSql()).isEqualTo("SELECT ':a', `b:c`, \"d:e\" FROM x WHERE id = ?");
    assertThat(parsed.getParameters().getParameterNames()).containsExactly("id");
  }

  @Test
  void anAttributeThatNobodySetIsAnError() {
    assertThatThrownBy(() -> syntax.render("SELECT <nothing>", context))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no attribute <nothing>");
  }
}
