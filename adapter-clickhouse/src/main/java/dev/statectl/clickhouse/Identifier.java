package dev.statectl.clickhouse;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name of a database, table or user. The one place that decides which names are used and how
 * they are quoted.
 *
 * @param text the name
 */
record Identifier(String text) {
  // What needs no quotes, save for the few words that ClickHouse reserves.
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** Tells why a name cannot be that of a database or table of ours. */
  static Optional<String> fault(String name) {
    if (name.isBlank()) {
      return Optional.of("must not be blank");
    }
    if (name.indexOf('`') >= 0) {
      return Optional.of(
          "must not hold a backtick: the Meltano plugin, which uses the same tables, puts names"
              + " between backticks as they are");
    }
    if (name.chars().anyMatch(Character::isISOControl)) {
      return Optional.of("must not hold a control character");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      return Optional.of("must not hold half of a surrogate pair");
    }
    return Optional.empty();
  }

  /**
   * The name as it stands in statements. Between double quotes and not backticks, since Jdbi takes
   * colons and question marks between backticks for parameters; a double quote is doubled and not
   * escaped, since Jdbi knows no escapes there.
   *
   * @see <a href="https://clickhouse.com/docs/sql-reference/syntax#identifiers">identifiers</a>
   */
  String quoted() {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\"\"") + '"';
  }

  /** The name as people read and type it: quoted only where it must be. */
  String readable() {
    return PLAIN.matcher(text).matches() ? text : quoted();
  }
}
