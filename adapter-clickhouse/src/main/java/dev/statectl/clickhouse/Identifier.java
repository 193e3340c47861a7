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
  // ClickHouse writes "<schema>.<table>.<uuid>.sql" for a dropped table, and so refuses to create
  // one
  // for which a file system's 255 bytes would not do.
  private static final int LONGEST_FILE_NAMES = 255 - "..".length() - 36 - ".sql".length();

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
   * Tells why ClickHouse cannot store a table, if only for the length of its name and of its
   * database's.
   *
   * @see <a
   *     href="https://github.com/ClickHouse/ClickHouse/blob/master/src/Databases/DatabaseOnDisk.cpp">
   *     the server's own check</a>
   */
  static Optional<String> tooLong(String schema, String table) {
    int length = bytesInFileName(schema) + bytesInFileName(table);
    return length <= LONGEST_FILE_NAMES
        ? Optional.empty()
        : Optional.of(
            "is too long: ClickHouse stores at most %d bytes for schema and lock table together (a"
                    .formatted(LONGEST_FILE_NAMES)
                + " letter of English, a digit or _ is one, any other byte is three), and these"
                + " would take "
                + length);
  }

  // Any other byte is percent-encoded there.
  private static int bytesInFileName(String name) {
    int length = 0;
    for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
      boolean plain =
          each >= 'a' && each <= 'z'
              || each >= 'A' && each <= 'Z'
              || each >= '0' && each <= '9'
              || each == '_';
      length += plain ? 1 : 3;
    }
    return length;
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
