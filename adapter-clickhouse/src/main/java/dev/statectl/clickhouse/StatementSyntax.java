package dev.statectl.clickhouse;

import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jdbi.v3.core.statement.ParsedSql;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.TemplateEngine;
import org.jspecify.annotations.Nullable;

/**
 * What has a meaning in our statements: {@code <name>} is an attribute, {@code :name} a bound
 * value. Jdbi's own syntax is the same and more, by grammars whose start takes longer than a query;
 * here comments and escapes mean nothing, since our statements have none.
 */
final class StatementSyntax implements SqlParser, TemplateEngine {
  private static final Pattern ATTRIBUTE = Pattern.compile("<([a-z_]+)>");
  // What is quoted is taken as a whole: a database may be named a:b.
  static final Pattern VALUE_OR_QUOTED =
      Pattern.compile(
          ":([A-Za-z_][A-Za-z0-9_]*)"
              + "|'(?:[^'\\\\]|\\\\.)*+'|\"(?:[^\"\\\\]|\\\\.)*+\"|`(?:[^`\\\\]|\\\\.)*+`",
          Pattern.DOTALL);

  @Override
  public String render(String template, StatementContext context) {
    return render(template, context::getAttribute);
  }

  /** Puts the value of each attribute into a statement. */
  static String render(String template, Function<String, @Nullable Object> attributes) {
    Matcher matcher = ATTRIBUTE.matcher(template);
    StringBuilder sql = new StringBuilder(template.length() + 64);
    while (matcher.find()) {
      Object value = attributes.apply(matcher.group(1));
      if (value == null) {
        throw new IllegalArgumentException("no attribute " + matcher.group());
      }
      matcher.appendReplacement(sql, Matcher.quoteReplacement(value.toString()));
    }
    return matcher.appendTail(sql).toString();
  }

  @Override
  public ParsedSql parse(String sql, StatementContext context) {
    ParsedSql.Builder parsed = ParsedSql.builder();
    Matcher matcher = VALUE_OR_QUOTED.matcher(sql);
    int end = 0;
    while (matcher.find()) {
      if (matcher.group(1) != null) {
        parsed.append(sql.substring(end, matcher.start())).appendNamedParameter(matcher.group(1));
        end = matcher.end();
      }
    }
    return parsed.append(sql.substring(end)).build();
  }

  @Override
  public String nameParameter(String rawName, StatementContext context) {
    return ":" + rawName;
  }
}
