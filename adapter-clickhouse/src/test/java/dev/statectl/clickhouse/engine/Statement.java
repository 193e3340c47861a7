package dev.statectl.clickhouse.engine;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One SQL statement, seen as far as the HTTP front must understand it: whether it is only one,
 * which rights it needs, where the data of an INSERT begins. The engine does the real parsing.
 *
 * <p>Works on bytes (as Latin-1 text, so that offsets are offsets of bytes), since the data of an
 * INSERT may be binary.
 */
final class Statement {
  private static final String NAME = "(?>`[^`\\\\]*+`|\"[^\"\\\\]*+\"|[A-Za-z_][A-Za-z0-9_]*+)";
  private static final String TABLE = "(?<table>" + NAME + "(?:\\s*+\\.\\s*+" + NAME + ")?+)";
  private static final String NOT_EXISTS = "(?:IF\\s+NOT\\s+EXISTS\\s+)?+";
  private static final String EXISTS = "(?:IF\\s+EXISTS\\s+)?+";

  private record Rule(Pattern form, String privilege) {
    static Rule of(String form, String privilege) {
      return new Rule(Pattern.compile("(?is)" + form), privilege);
    }
  }

  // https://clickhouse.com/docs/sql-reference/statements/grant says which statement needs which.
  private static final List<Rule> ON_TABLES =
      List.of(
          Rule.of("\\s*INSERT\\s+INTO\\s+(?:TABLE\\s+)?+" + TABLE, "INSERT"),
          Rule.of("\\s*DELETE\\s+FROM\\s+" + TABLE, "ALTER DELETE"),
          Rule.of("\\s*UPDATE\\s+" + TABLE, "ALTER UPDATE"),
          Rule.of("\\s*OPTIMIZE\\s+TABLE\\s+" + TABLE, "OPTIMIZE"),
          Rule.of("\\s*TRUNCATE\\s+(?:TABLE\\s+)?+" + EXISTS + TABLE, "TRUNCATE"),
          Rule.of("\\s*DROP\\s+TABLE\\s+" + EXISTS + TABLE, "DROP TABLE"),
          Rule.of("\\s*DROP\\s+VIEW\\s+" + EXISTS + TABLE, "DROP VIEW"),
          Rule.of(
              "\\s*CREATE\\s+(?:OR\\s+REPLACE\\s+)?+TABLE\\s+" + NOT_EXISTS + TABLE,
              "CREATE TABLE"),
          Rule.of(
              "\\s*CREATE\\s+(?:OR\\s+REPLACE\\s+)?+(?:MATERIALIZED\\s+)?+VIEW\\s+"
                  + NOT_EXISTS
                  + TABLE,
              "CREATE VIEW"));
  private static final List<Rule> ON_DATABASES =
      List.of(
          Rule.of("\\s*CREATE\\s+DATABASE\\s+" + NOT_EXISTS + TABLE, "CREATE DATABASE"),
          Rule.of("\\s*DROP\\s+DATABASE\\s+" + EXISTS + TABLE, "DROP DATABASE"));
  private static final Pattern ALTER = Pattern.compile("(?is)\\s*ALTER\\s+TABLE\\s+" + TABLE);
  private static final List<Rule> ALTERATIONS =
      List.of(
          Rule.of("\\bADD\\s+COLUMN\\b", "ALTER ADD COLUMN"),
          Rule.of("\\bDROP\\s+COLUMN\\b", "ALTER DROP COLUMN"),
          Rule.of("\\bMODIFY\\s+COLUMN\\b", "ALTER MODIFY COLUMN"),
          Rule.of("\\bMODIFY\\s+ORDER\\s+BY\\b", "ALTER ORDER BY"),
          Rule.of("\\bMODIFY\\s+TTL\\b", "ALTER TTL"),
          Rule.of("\\bMODIFY\\s+SETTING\\b", "ALTER SETTINGS"),
          Rule.of("\\bUPDATE\\b", "ALTER UPDATE"),
          Rule.of("\\bDELETE\\s+WHERE\\b", "ALTER DELETE"));
  private static final Pattern READ =
      Pattern.compile("(?is)\\b(?:FROM|JOIN)\\s+" + TABLE + "(?!\\s*\\()");
  private static final Pattern HARMLESS =
      Pattern.compile("(?is)\\s*(?:SHOW|EXISTS|DESCRIBE|DESC|EXPLAIN|SET|USE|CHECK)\\b.*+");
  private static final Pattern READING = Pattern.compile("(?is)[\\s(]*+(?:SELECT|WITH)\\b.*+");
  // What every user may read of the server, of what tests read.
  // https://github.com/ClickHouse/ClickHouse/blob/master/src/Access/ContextAccess.cpp
  private static final Set<String> EVERYONES =
      Set.of("columns", "databases", "one", "settings", "tables");
  private static final Pattern FORMAT_AT_END = Pattern.compile("(?is)\\bFORMAT\\s+(\\w+)[\\s;]*$");

  private final byte[] bytes;
  // The text without comments and without what stands in string literals, byte for byte as long;
  // of an INSERT … FORMAT it ends where the data begins.
  private final String skeleton;
  private final boolean many;
  private final boolean hasData;

  private Statement(byte[] bytes, String skeleton, boolean many, boolean hasData) {
    this.bytes = bytes;
    this.skeleton = skeleton;
    this.many = many;
    this.hasData = hasData;
  }

  static Statement of(byte[] sql) {
    String text = new String(sql, StandardCharsets.ISO_8859_1);
    StringBuilder skeleton = new StringBuilder(text.length());
    String firstWord = "";
    boolean ended = false;
    boolean many = false;
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      boolean comment = isComment(text, at);
      int end = endOfToken(text, at);
      String token = text.substring(at, end);
      skeleton.append(comment || c == '\'' ? " ".repeat(token.length()) : token);
      many |= ended && !comment && c != ';' && !Character.isWhitespace(c);
      ended |= c == ';';
      if (firstWord.isEmpty() && isWord(c)) {
        firstWord = token;
      }
      if (token.equalsIgnoreCase("FORMAT") && firstWord.equalsIgnoreCase("INSERT")) {
        int data = startOfData(text, end);
        if (data > 0) {
          skeleton.append(text, end, data);
          return new Statement(sql, skeleton.toString(), many, true);
        }
      }
      at = end;
    }
    return new Statement(sql, skeleton.toString(), many, false);
  }

  private static int endOfToken(String text, int start) {
    char c = text.charAt(start);
    if (c == '\'' || c == '`' || c == '"') {
      return endOfQuoted(text, start);
    }
    if (isComment(text, start)) {
      String close = c == '/' ? "*/" : "\n";
      int end = text.indexOf(close, start);
      return end < 0 ? text.length() : end + close.length();
    }
    return isWord(c) ? endOfWord(text, start) : start + 1;
  }

  private static boolean isComment(String text, int at) {
    return text.startsWith("--", at) || text.startsWith("# ", at) || text.startsWith("/*", at);
  }

  private static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  private static int endOfQuoted(String text, int start) {
    char quote = text.charAt(start);
    for (int at = start + 1; at < text.length(); at++) {
      if (text.charAt(at) == '\\') {
        at++;
      } else if (text.charAt(at) == quote) {
        return at + 1;
      }
    }
    return text.length();
  }

  private static int endOfWord(String text, int start) {
    int at = start;
    while (at < text.length() && isWord(text.charAt(at))) {
      at++;
    }
    return at;
  }

  /** After FORMAT: the offset behind the format's name and one line end; 0 if nothing follows. */
  private static int startOfData(String text, int afterFormat) {
    Matcher name = Pattern.compile("\\s+\\w+[ \\t\\r]*\\n?").matcher(text);
    name.region(afterFormat, text.length());
    return name.lookingAt() && !text.substring(name.end()).isBlank() ? name.end() : 0;
  }

  boolean isEmpty() {
    return skeleton.isBlank();
  }

  /** A server takes one statement only; the engine in a process would run them all. */
  boolean isMany() {
    return many;
  }

  /** The format that the statement itself asks for, else the given one. */
  String format(String otherwise) {
    Matcher format =
        FORMAT_AT_END.matcher(skeleton.substring(Math.max(0, skeleton.length() - 100)));
    return !hasData && format.find() ? format.group(1) : otherwise;
  }

  byte[] bytes() {
    return bytes;
  }

  String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * Whether this is an INSERT … FORMAT with data behind it. The engine in a process reads such data
   * only up to the first empty line, so it must be given as a file.
   */
  boolean hasData() {
    return hasData;
  }

  byte[] data() {
    byte[] data = new byte[bytes.length - skeleton.length()];
    System.arraycopy(bytes, skeleton.length(), data, 0, data.length);
    return data;
  }

  /** This INSERT, reading its data from the file. */
  byte[] readingFrom(Path file) {
    Matcher tail = Pattern.compile("(?is)\\b(?:SETTINGS|FORMAT)\\s").matcher(skeleton);
    int at = tail.find() ? tail.start() : skeleton.length();
    String head = new String(bytes, 0, skeleton.length(), StandardCharsets.ISO_8859_1);
    String sql = head.substring(0, at) + "FROM INFILE '" + file + "' " + head.substring(at);
    return sql.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The rights that a user must have to run this. */
  List<Privilege> needs(String currentDatabase) {
    List<Privilege> needs = new ArrayList<>();
    for (Rule rule : ON_TABLES) {
      Matcher form = rule.form().matcher(skeleton);
      if (form.lookingAt()) {
        needs.add(onTable(rule.privilege(), form.group("table"), currentDatabase));
      }
    }
    for (Rule rule : ON_DATABASES) {
      Matcher form = rule.form().matcher(skeleton);
      if (form.lookingAt()) {
        needs.add(new Privilege(rule.privilege(), plain(form.group("table")), "*"));
      }
    }
    Matcher alter = ALTER.matcher(skeleton);
    if (alter.lookingAt()) {
      for (Rule rule : ALTERATIONS) {
        if (rule.form().matcher(skeleton).find()) {
          needs.add(onTable(rule.privilege(), alter.group("table"), currentDatabase));
        }
      }
      if (needs.isEmpty()) {
        needs.add(onTable("ALTER TABLE", alter.group("table"), currentDatabase));
      }
    }
    if (needs.isEmpty()
        && !HARMLESS.matcher(skeleton).matches()
        && !READING.matcher(skeleton).matches()) {
      return List.of(new Privilege("ALL", "*", "*"));
    }
    if (READING.matcher(skeleton).matches()
        || skeleton.stripLeading().regionMatches(true, 0, "INSERT", 0, 6)) {
      needs.addAll(reads(currentDatabase));
    }
    return needs;
  }

  private List<Privilege> reads(String currentDatabase) {
    List<Privilege> reads = new ArrayList<>();
    Matcher read = READ.matcher(skeleton);
    while (read.find()) {
      Privilege select = onTable("SELECT", read.group("table"), currentDatabase);
      String database = select.database().toLowerCase(Locale.ROOT);
      boolean everyones =
          database.equals("information_schema")
              || database.equals("system") && EVERYONES.contains(select.table());
      boolean named =
          Pattern.compile("(?is)\\b" + Pattern.quote(select.table()) + "\\s+AS\\s*\\(")
              .matcher(skeleton)
              .find();
      if (!everyones && !named) {
        reads.add(select);
      }
    }
    return reads;
  }

  /** The right on a table whose name may be qualified and quoted. */
  static Privilege onTable(String privilege, String table, String currentDatabase) {
    Matcher parts = Pattern.compile(NAME + "|\\*").matcher(table);
    List<String> names = new ArrayList<>();
    while (parts.find()) {
      names.add(plain(parts.group()));
    }
    return names.size() == 1
        ? new Privilege(privilege, currentDatabase, names.get(0))
        : new Privilege(privilege, names.get(0), names.get(1));
  }

  private static String plain(String name) {
    String bare =
        name.startsWith("`") || name.startsWith("\"") ? name.substring(1, name.length() - 1) : name;
    return new String(bare.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }
}
