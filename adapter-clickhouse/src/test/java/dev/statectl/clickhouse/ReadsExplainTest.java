package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.statectl.clickhouse.engine.TestClickHouse;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How much of a table each statement reads that reads one, as the server plans it: of tables of 100
 * granules, and a history of 1,172 in which three ids have 100,000 records each. Every constant of
 * the classes of statements is here, so that a new one needs a line in {@link #reads()}: at most so
 * many granules, or the whole with the reason why.
 *
 * <p>What is planned for a subquery alone is looked at as well, since the server may run it before
 * it plans the rest. Of a DELETE the same condition is looked at in a SELECT.
 */
class ReadsExplainTest {
  private static final List<Class<?>> STATEMENTS =
      List.of(StateTableSql.class, LockTableSql.class, HistorySql.class, CheckupSql.class);

  private static final int WHOLE = Integer.MAX_VALUE;

  // A key may lie on the border of two granules.
  private static final int ONE_KEY = 2;
  private static final int THREE_KEYS = 3 * ONE_KEY;
  private static final int ALL_RECORDS_OF_AN_ID = 393;
  private static final int HALF_OF_THEM = 198;

  private static final String BY_CANDIDATE =
      "asked for all locks of a candidate; the table holds only those that are held";

  private static final Pattern READ = Pattern.compile("ReadFromMergeTree \\(\\S+?\\.(\\S+)\\)");
  private static final Pattern GRANULES = Pattern.compile("Granules: (\\d+)/(\\d+)");

  private static final TestClickHouse CLICK_HOUSE = TestClickHouse.shared();
  private static final String SCHEMA = CLICK_HOUSE.freshSchema();

  private static final Map<String, String> ATTRIBUTES =
      Map.of(
          "table",
          SCHEMA + ".state",
          "lock_table",
          SCHEMA + ".state_lock",
          "history_view",
          SCHEMA + ".state_history_view",
          "keep",
          "86400",
          "history_table",
          SCHEMA + ".state_history",
          "state_ids",
          "'dev:100000', 'dev:400000', 'dev:700000'",
          "lock_ids",
          "'l', 'l', 'l'");

  // Some rows fulfil each condition: that none does, the server may know from a part's statistics.
  private static final Map<String, String> VALUES =
      Map.ofEntries(
          Map.entry("state_id", "'dev:400000'"),
          Map.entry("prefix", "'dev:4000'"),
          Map.entry("version", "50000"),
          Map.entry("newest", "50000"),
          Map.entry("oldest", "50000"),
          Map.entry("partial_state", "NULL"),
          Map.entry("completed_state", "NULL"),
          Map.entry("partial_digest", "''"),
          Map.entry("completed_digest", "''"),
          Map.entry("lock", "'dev:400000'"),
          Map.entry("lock_id", "'l'"),
          Map.entry("stale", "50"),
          Map.entry("limit", "21"),
          Map.entry("author", "''"),
          Map.entry("schema", "'" + SCHEMA + "'"),
          Map.entry("database", "'" + SCHEMA + "'"),
          Map.entry("table", "'state'"),
          Map.entry("lock_table", "'state_lock'"),
          Map.entry("history_table", "'state_history'"),
          Map.entry("history_view", "'state_history_view'"));

  /**
   * What a statement may read.
   *
   * @param statement the class and the constant
   * @param granules the most granules of each of our tables that it reads
   * @param reason why it is not by the key, where it is not
   */
  private record Read(String statement, Map<String, Integer> granules, String reason) {
    Read states(int atMost) {
      return with("state", atMost);
    }

    Read locks(int atMost) {
      return with("state_lock", atMost);
    }

    Read history(int atMost) {
      return with("state_history", atMost);
    }

    Read because(String why) {
      return new Read(statement, granules, why);
    }

    private Read with(String table, int atMost) {
      Map<String, Integer> all = new TreeMap<>(granules);
      all.put(table, atMost);
      return new Read(statement, all, reason);
    }

    @Override
    public String toString() {
      return statement;
    }
  }

  private static Read read(String statement) {
    return new Read(statement, Map.of(), "");
  }

  static Stream<Read> reads() {
    return Stream.of(
        read("StateTableSql.FIND").states(ONE_KEY),
        read("StateTableSql.STATES").states(WHOLE).because("asked for all states"),
        read("StateTableSql.STATES_BY_PREFIX").states(ONE_KEY),
        read("StateTableSql.IDS").states(WHOLE).because("asked for all ids"),
        read("StateTableSql.IDS_BY_PREFIX").states(ONE_KEY),
        read("StateTableSql.IDS_BY_ID").states(ONE_KEY),
        read("StateTableSql.COUNT_VERSIONS").states(ONE_KEY),
        read("StateTableSql.COUNT_VERSIONS_UP_TO").states(ONE_KEY),
        read("StateTableSql.COUNT_STATES").states(WHOLE).because("asked how many there are"),
        read("StateTableSql.NEWEST_VERSION").states(ONE_KEY),
        read("StateTableSql.NEWEST_VERSIONS").states(THREE_KEYS),
        read("StateTableSql.IDS_OF_THESE").states(THREE_KEYS),
        read("StateTableSql.FIND_ALL").states(THREE_KEYS),
        read("StateTableSql.CLOCK").because("reads no table"),
        read("StateTableSql.DELETE").states(ONE_KEY),
        read("StateTableSql.INSERT_IF_HELD").locks(ONE_KEY),
        read("StateTableSql.INSERT_IF_HELD_PLUGIN").locks(ONE_KEY),
        read("StateTableSql.INSERT_IF_HELD_AND_NEWER").states(ONE_KEY).locks(ONE_KEY),
        read("StateTableSql.INSERT_IF_HELD_AND_NEWER_PLUGIN").states(ONE_KEY).locks(ONE_KEY),
        read("StateTableSql.COUNT_WRITTEN").states(ONE_KEY),
        read("StateTableSql.DIGESTS").states(THREE_KEYS),
        read("StateTableSql.DELETE_IF_HELD").states(ONE_KEY).locks(ONE_KEY),
        read("StateTableSql.DELETE_IF_HELD_PLUGIN").states(ONE_KEY).locks(ONE_KEY),
        read("LockTableSql.COLUMNS").because("reads what the server says of tables"),
        read("LockTableSql.LOOK").locks(ONE_KEY),
        read("LockTableSql.LOOK_PLUGIN").locks(ONE_KEY),
        read("LockTableSql.LIST").locks(ONE_KEY),
        read("LockTableSql.LIST_PLUGIN").locks(ONE_KEY),
        read("LockTableSql.HELD").locks(ONE_KEY),
        read("LockTableSql.HELD_PLUGIN").locks(ONE_KEY),
        read("LockTableSql.RENEW").locks(ONE_KEY),
        read("LockTableSql.RENEW_PLUGIN").locks(ONE_KEY),
        read("LockTableSql.WITHDRAW").locks(ONE_KEY),
        read("LockTableSql.WITHDRAW_ALL").locks(WHOLE).because(BY_CANDIDATE),
        read("LockTableSql.WITHDRAW_THESE").locks(THREE_KEYS),
        read("LockTableSql.LOOK_ALL").locks(WHOLE).because(BY_CANDIDATE),
        read("LockTableSql.LOOK_ALL_PLUGIN").locks(WHOLE).because(BY_CANDIDATE),
        read("LockTableSql.LOCKS_OF").locks(WHOLE).because(BY_CANDIDATE),
        read("LockTableSql.LOCKS_OF_PLUGIN").locks(WHOLE).because(BY_CANDIDATE),
        read("LockTableSql.LOCKS_HELD_BY").locks(WHOLE).because(BY_CANDIDATE),
        read("LockTableSql.LOCKS_HELD_BY_PLUGIN").locks(WHOLE).because(BY_CANDIDATE),
        read("LockTableSql.RENEW_ALL").locks(THREE_KEYS),
        read("LockTableSql.RENEW_ALL_PLUGIN").locks(THREE_KEYS),
        read("LockTableSql.RELEASE_THESE").locks(THREE_KEYS),
        read("LockTableSql.RELEASE_UNSEEN").because("reads no table"),
        read("LockTableSql.REMOVE_STALE_ALL").locks(THREE_KEYS),
        read("LockTableSql.RELEASE_STALE_ALL").locks(THREE_KEYS),
        read("LockTableSql.REMOVE_STALE").locks(ONE_KEY),
        read("LockTableSql.RELEASE_STALE").locks(ONE_KEY),
        read("HistorySql.CREATE_VIEW").states(WHOLE).because("is given what is inserted"),
        read("HistorySql.VIEW_READS_STATES").because("reads what the server says of tables"),
        read("HistorySql.ENGINE").because("reads what the server says of tables"),
        read("HistorySql.COLUMNS").because("reads what the server says of tables"),
        read("HistorySql.PROBE").history(WHOLE).because("ends before the first row: LIMIT 0"),
        read("HistorySql.FILL")
            .states(WHOLE)
            .history(WHOLE)
            .because("records all states, once when history is enabled"),
        read("HistorySql.FILL_ONE").states(ONE_KEY).history(ALL_RECORDS_OF_AN_ID),
        read("HistorySql.RECORD_REMOVALS")
            .states(WHOLE)
            .history(WHOLE)
            .because("records the removal of all states"),
        read("HistorySql.RECORD_REMOVAL").states(ONE_KEY).history(ALL_RECORDS_OF_AN_ID),
        read("HistorySql.NEWEST_IS_REMOVAL").history(ALL_RECORDS_OF_AN_ID),
        read("HistorySql.ENTRIES").history(ALL_RECORDS_OF_AN_ID),
        read("HistorySql.RECORDS").history(ALL_RECORDS_OF_AN_ID),
        read("HistorySql.FIND").history(ONE_KEY),
        read("HistorySql.FIND_BEFORE").history(HALF_OF_THEM),
        read("CheckupSql.SERVER").because("reads no table"),
        read("CheckupSql.PING").because("reads no table"),
        read("CheckupSql.TABLES").because("reads what the server says of tables"),
        read("CheckupSql.COLUMNS").because("reads what the server says of tables"),
        read("CheckupSql.OTHER_STATES").because("reads what the server says of tables"),
        read("CheckupSql.MUTATIONS").because("reads what the server says of mutations"));
  }

  @BeforeAll
  static void fill() {
    TestStores.createPluginTables(SCHEMA);
    String ids = "'dev:' || leftPad(toString(number), 6, '0')";
    CLICK_HOUSE.execute(
        "DROP TABLE " + SCHEMA + ".state_lock",
        filled(LockTableSql.CREATE),
        filled(HistorySql.CREATE),
        """
        INSERT INTO %s.state (state_id, updated_at) SETTINGS async_insert = 0
        SELECT %s, fromUnixTimestamp64Milli(50000)
        FROM numbers(819200)
        """
            .formatted(SCHEMA, ids),
        """
        INSERT INTO %s.state_lock (state_id, lock_id, locked_at) SETTINGS async_insert = 0
        SELECT %s, 'l', now() + if(number %% 2 = 0, 3600, -100)
        FROM numbers(819200)
        """
            .formatted(SCHEMA, ids),
        """
        INSERT INTO %s.state_history (state_id, updated_at, recorded_at) SETTINGS async_insert = 0
        SELECT
            'dev:' || toString(399999 + intDiv(number, 100000)),
            fromUnixTimestamp64Milli(number %% 100000),
            now64(6)
        FROM numbers(300000)
        """
            .formatted(SCHEMA));
    for (String table : List.of("state", "state_lock", "state_history")) {
      CLICK_HOUSE.execute("OPTIMIZE TABLE " + SCHEMA + "." + table + " FINAL");
    }
  }

  @Test
  void everyStatementThatReadsIsHere() {
    assertThat(reads().map(Read::statement))
        .as("the statements with a line in reads()")
        .containsExactlyInAnyOrderElementsOf(readingStatements().keySet());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("reads")
  void itReadsByTheKeyOrSaysWhyNot(Read read) {
    Map<String, int[]> planned = planned(readingStatements().get(read.statement()));

    assertThat(planned.keySet()).as("the tables it reads").isEqualTo(read.granules().keySet());
    read.granules()
        .forEach(
            (table, atMost) -> {
              int[] granules = planned.get(table);
              assertThat(granules[1]).as("granules of %s", table).isGreaterThanOrEqualTo(100);
              if (atMost == WHOLE) {
                assertThat(read.reason()).as("why it reads all of %s", table).isNotEmpty();
                assertThat(granules[0])
                    .as("granules of %s that it reads", table)
                    .isEqualTo(granules[1]);
              } else {
                assertThat(granules[0])
                    .as("granules of %s that it reads", table)
                    .isBetween(1, atMost);
              }
            });
    if (read.granules().isEmpty()) {
      assertThat(read.reason()).as("why it reads none of our tables").isNotEmpty();
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {"StateTableSql.FIND", "StateTableSql.STATES_BY_PREFIX", "HistorySql.FILL_ONE"})
  void ofAGranuleItReadsTheStatesThatAreWantedOnly(String statement) {
    String select = asSelect(filled(readingStatements().get(statement)));

    assertThat(CLICK_HOUSE.query("EXPLAIN actions = 1 " + select))
        .contains("Prewhere filter column: ");
  }

  @Test
  void aConditionThatIsNotByTheKeyIsSeen() {
    assertThat(planned("SELECT 1 FROM <table> WHERE lower(state_id) = :state_id").get("state"))
        .containsExactly(100, 100);
    assertThat(
            planned(
                    "SELECT 1 WHERE (SELECT count() FROM <table> WHERE toYear(updated_at) = 1970) > 0")
                .get("state"))
        .containsExactly(100, 100);
  }

  /** The statements that read, by class and name of the constant. */
  private static Map<String, String> readingStatements() {
    Map<String, String> all = new TreeMap<>();
    for (Class<?> statements : STATEMENTS) {
      for (Field field : statements.getDeclaredFields()) {
        if (field.getType() == String.class && !Modifier.isPrivate(field.getModifiers())) {
          String sql = constant(field);
          if (Pattern.compile("\\bSELECT\\b|^DELETE\\b").matcher(sql).find()) {
            all.put(statements.getSimpleName() + "." + field.getName(), sql);
          }
        }
      }
    }
    return all;
  }

  private static String constant(Field field) {
    try {
      return (String) field.get(null);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  /** For each of our tables, how many granules are read at most at once, and how many there are. */
  private static Map<String, int[]> planned(String sql) {
    Map<String, int[]> planned = new HashMap<>();
    for (String select : selects(asSelect(filled(sql)))) {
      String table = "";
      int left = 0;
      for (String line : CLICK_HOUSE.query("EXPLAIN indexes = 1 " + select).split("\n")) {
        Matcher read = READ.matcher(line);
        Matcher granules = GRANULES.matcher(line);
        if (read.find()) {
          keepMost(planned, table, left);
          table = read.group(1);
          planned.putIfAbsent(table, new int[2]);
        } else if (granules.find()) {
          // One index after the other leaves fewer.
          left = Integer.parseInt(granules.group(1));
          int[] most = planned.get(table);
          most[1] = Math.max(most[1], Integer.parseInt(granules.group(2)));
        }
      }
      keepMost(planned, table, left);
    }
    return new TreeMap<>(planned);
  }

  private static void keepMost(Map<String, int[]> planned, String table, int granules) {
    planned.computeIfPresent(
        table, (any, most) -> new int[] {Math.max(most[0], granules), most[1]});
  }

  /** The part of a statement that can be explained. */
  private static String asSelect(String sql) {
    String text = sql.strip();
    if (text.startsWith("DELETE")) {
      int settings = text.lastIndexOf("SETTINGS");
      return "SELECT 1 " + text.substring("DELETE".length(), settings);
    }
    return text.substring(text.indexOf("SELECT"));
  }

  /** A query, and every query in parentheses in it. */
  private static List<String> selects(String sql) {
    List<String> all = new ArrayList<>(List.of(sql));
    for (MatchResult inner : Pattern.compile("\\(\\s*(?=SELECT)").matcher(sql).results().toList()) {
      int depth = 1;
      int end = inner.end();
      while (depth > 0) {
        depth += sql.charAt(end) == '(' ? 1 : sql.charAt(end) == ')' ? -1 : 0;
        end++;
      }
      all.add(sql.substring(inner.end(), end - 1));
    }
    return all;
  }

  private static String filled(String sql) {
    String named =
        Pattern.compile("<([a-z_]+)>")
            .matcher(Placement.PLAIN.in(sql))
            .replaceAll(name -> Matcher.quoteReplacement(value(ATTRIBUTES, name.group(1))));
    return Pattern.compile(":([a-z_]+)")
        .matcher(named)
        .replaceAll(name -> Matcher.quoteReplacement(value(VALUES, name.group(1))));
  }

  private static String value(Map<String, String> values, String name) {
    String value = values.get(name);
    return value == null
        ? fail(
            "say in this class what stands for %s; it knows %s",
            name, new TreeSet<>(values.keySet()))
        : value;
  }
}
