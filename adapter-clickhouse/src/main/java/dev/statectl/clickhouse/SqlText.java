package dev.statectl.clickhouse;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * A statement with its names and values put in, for what goes to the driver's client without JDBC.
 * Values stand there as the driver's own binding writes them.
 */
final class SqlText {
  private SqlText() {}

  /**
   * Puts names and values in.
   *
   * @param template the statement, in our {@link StatementSyntax}
   * @param names the quoted name for each attribute
   * @param values the value for each bound name: a text, a whole number, or null; for an attribute
   *     that is no name a list of texts
   */
  static String of(
      String template, Map<String, String> names, Map<String, ? extends @Nullable Object> values) {
    String named =
        StatementSyntax.render(
            template, name -> names.containsKey(name) ? names.get(name) : list(values.get(name)));
    Matcher matcher = StatementSyntax.VALUE_OR_QUOTED.matcher(named);
    StringBuilder sql = new StringBuilder(named.length() + 64);
    int end = 0;
    while (matcher.find()) {
      String name = matcher.group(1);
      if (name != null) {
        if (!values.containsKey(name)) {
          throw new IllegalArgumentException("no value :" + name);
        }
        sql.append(named, end, matcher.start());
        append(sql, values.get(name));
        end = matcher.end();
      }
    }
    return sql.append(named, end, named.length()).toString();
  }

  private static @Nullable String list(@Nullable Object values) {
    if (values == null) {
      return null;
    }
    StringBuilder sql = new StringBuilder();
    for (Object value : (List<?>) values) {
      sql.append(sql.length() == 0 ? "" : ",");
      append(sql, value);
    }
    return sql.toString();
  }

  // https://clickhouse.com/docs/sql-reference/syntax#string
  private static void append(StringBuilder sql, @Nullable Object value) {
    if (!(value instanceof String text)) {
      sql.append(value == null ? "NULL" : value);
      return;
    }
    sql.append('\'');
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\'' || c == '\\') {
        sql.append(text, from, i).append('\\');
        from = i;
      }
    }
    sql.append(text, from, text.length()).append('\'');
  }
}
