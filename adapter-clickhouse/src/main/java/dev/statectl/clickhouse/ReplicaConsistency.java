package dev.statectl.clickhouse;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What goes with a statement so that all replicas together are as one server: a read sees every
 * write that was acknowledged to anybody, and an acknowledged write outlives the loss of a server.
 * On replicated tables the replica that is asked catches up before it reads, and an insert is
 * acknowledged when more than half of the replicas have it. Tables in one storage only need their
 * list of parts read anew. On other tables nothing is to be done. Thread-safe.
 *
 * <p>Not {@code select_sequential_consistency} on replicated tables: with it a read leaves out what
 * was inserted without a quorum, as the Meltano plugin does.
 *
 * @see <a
 *     href="https://clickhouse.com/docs/operations/settings/settings#select_sequential_consistency">select_sequential_consistency</a>
 * @see <a
 *     href="https://clickhouse.com/docs/operations/settings/settings#insert_quorum">insert_quorum</a>
 */
final class ReplicaConsistency {
  /** For statements that ask the server about itself, and where nothing is to be done. */
  static final ReplicaConsistency NONE =
      new ReplicaConsistency(Consistency.EVENTUAL, Duration.ofSeconds(1), table -> TableKind.PLAIN);

  // Of the time that a statement has, so that the server says what failed while we still listen.
  private static final int SHARE_OF_TIME = 10;
  // The server tries for 100, 200, 400, 800 and 1600 ms; its default would be minutes.
  private static final String KEEPER_RETRIES = "5";

  // A view's definition reads nothing, and a DELETE what stands behind its WHERE.
  private static final Pattern STATEMENT = Pattern.compile("\\s*(?:SELECT|INSERT|DELETE|WITH)\\b");
  private static final String SYNC = "SYSTEM SYNC REPLICA ";
  private static final String TABLE = "<(table|lock_table|history_table)>";
  private static final Pattern READ = Pattern.compile("(?<!DELETE )FROM\\s+" + TABLE);
  private static final Pattern INSERTED = Pattern.compile("\\s*INSERT INTO\\s+" + TABLE);

  private final Consistency wanted;
  private final Duration requestTimeout;
  private final Function<String, TableKind> kinds;

  /**
   * Sees to statements.
   *
   * @param wanted what reads are to see
   * @param requestTimeout how long one statement may take
   * @param kinds the kind of a table by its placeholder in statements
   */
  ReplicaConsistency(
      Consistency wanted, Duration requestTimeout, Function<String, TableKind> kinds) {
    this.wanted = wanted;
    this.requestTimeout = requestTimeout;
    this.kinds = kinds;
  }

  /** A statement that goes before another. */
  record Sync(Operation operation, String sql) {}

  /** What a replica has to do before it may run a statement. */
  List<Sync> before(String template) {
    return read(template)
        .filter(table -> isOf(table, TableKind.REPLICATED))
        .map(ReplicaConsistency::sync)
        .toList();
  }

  /** The settings of a request for the statement itself. */
  Map<String, String> besides(String template) {
    if (template.startsWith(SYNC)) {
      return Map.of("receive_timeout", Long.toString(Math.max(1, patience().toSeconds())));
    }
    Map<String, String> settings = new LinkedHashMap<>();
    if (wanted != Consistency.EVENTUAL) {
      Matcher inserted = INSERTED.matcher(template);
      if (inserted.lookingAt() && isOf(inserted.group(1), TableKind.REPLICATED)) {
        settings.put("insert_quorum", "auto");
        settings.put("insert_quorum_parallel", "1");
        settings.put("insert_quorum_timeout", Long.toString(patience().toMillis()));
        settings.put("insert_keeper_max_retries", KEEPER_RETRIES);
      }
      if (read(template).anyMatch(table -> isOf(table, TableKind.SHARED))) {
        settings.put("select_sequential_consistency", "1");
      }
    }
    return settings;
  }

  private Stream<String> read(String template) {
    return wanted == Consistency.EVENTUAL || !STATEMENT.matcher(template).lookingAt()
        ? Stream.empty()
        : READ.matcher(template).results().map(match -> match.group(1)).distinct();
  }

  private boolean isOf(String table, TableKind kind) {
    return kinds.apply(table) == kind;
  }

  /**
   * Waits for what was inserted, and not for merges.
   *
   * @see <a href="https://clickhouse.com/docs/sql-reference/statements/system#sync-replica">SYNC
   *     REPLICA</a>
   */
  private static Sync sync(String table) {
    Operation operation =
        switch (table) {
          case "lock_table" -> Operation.SYNC_LOCKS;
          case "history_table" -> Operation.SYNC_HISTORY;
          default -> Operation.SYNC_STATES;
        };
    return new Sync(operation, SYNC + "<" + table + "> LIGHTWEIGHT");
  }

  private Duration patience() {
    return requestTimeout.minus(requestTimeout.dividedBy(SHARE_OF_TIME));
  }
}
