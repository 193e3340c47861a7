package dev.statectl.clickhouse;

import dev.statectl.port.HistoryRules;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The statements by which an administrator makes the tables and grants the rights on them, where
 * the user of the tables may not create any. They are those that the backend itself runs, and the
 * rights are those that it names when one is missing. Nothing is run here. Immutable and
 * thread-safe.
 *
 * <p>No statement ends with a semicolon. Each may be run again.
 *
 * @see <a href="https://clickhouse.com/docs/sql-reference/statements/grant">GRANT</a>
 */
public final class ClickHouseDdl {
  private static final List<Operation.Target> TABLES =
      List.of(
          Operation.Target.STATES,
          Operation.Target.LOCKS,
          Operation.Target.CLAIMS,
          Operation.Target.HISTORY);
  private static final List<Operation.Target> EVERYTHING =
      List.of(
          Operation.Target.DATABASE,
          Operation.Target.TABLES,
          Operation.Target.STATES,
          Operation.Target.LOCKS,
          Operation.Target.CLAIMS,
          Operation.Target.HISTORY,
          Operation.Target.HISTORY_VIEW,
          Operation.Target.MUTATIONS,
          Operation.Target.CLUSTERS);

  private final TableNames names;
  private final Placement placement;
  private final boolean claims;

  private ClickHouseDdl(TableNames names, Placement placement, boolean claims) {
    this.names = names;
    this.placement = placement;
    this.claims = claims;
  }

  /**
   * Gives the statements for two tables.
   *
   * @param schema the database of both tables
   * @param table the name of the state table; the lock table's is {@code <table>_lock}
   * @return the statements
   * @throws IllegalArgumentException when a name is blank, has a backtick, a control character or
   *     half of a surrogate pair, or is longer than ClickHouse can store
   */
  public static ClickHouseDdl of(String schema, String table) {
    return new ClickHouseDdl(TableNames.of(schema, table), Placement.PLAIN, false);
  }

  /**
   * Gives the statements for two tables on several replicas. Where a cluster is named, all of them
   * get what is made there, unless {@link Replicated#OFF} says otherwise; with {@link
   * Replicated#ON} and no name the database makes it everywhere, as one with the engine {@code
   * Replicated} does; else the statements are for one server, or for ClickHouse Cloud.
   *
   * @param schema the database of both tables
   * @param table the name of the state table; the lock table's is {@code <table>_lock}
   * @param replication how the tables are used where several servers hold them
   * @return the statements
   * @throws IllegalArgumentException when a name is blank, has a backtick, a control character or
   *     half of a surrogate pair, or is longer than ClickHouse can store
   */
  public static ClickHouseDdl of(String schema, String table, ReplicationSettings replication) {
    Placement placement = Placement.of(replication);
    boolean claims =
        replication.keeperLocks() == KeeperLocks.ON
            || replication.keeperLocks() == KeeperLocks.AUTO && placement.replicated();
    return new ClickHouseDdl(TableNames.of(schema, table), placement, claims);
  }

  /**
   * Gives the statements that make the database and the two tables, unless they exist.
   *
   * @return three statements, in the order to run them in
   */
  public List<String> tables() {
    return Stream.of(SchemaSql.CREATE, StateTableSql.CREATE, LockTableSql.CREATE)
        .map(placement::in)
        .map(names::runIn)
        .toList();
  }

  /**
   * Gives the statement that makes the table of claims to locks, which is in ClickHouse Keeper. A
   * server whose configuration has no {@code keeper_map_path_prefix} refuses it.
   *
   * @return one statement where {@link KeeperLocks} asks for claims, by itself also where the
   *     tables are replicated; else none
   */
  public List<String> claims() {
    return claims ? List.of(names.runIn(placement.in(ClaimTableSql.CREATE))) : List.of();
  }

  /**
   * Gives the statements that add our columns and key to a lock table that the Meltano plugin made.
   * They change nothing about one that has them.
   *
   * @return two statements, in the order to run them in
   */
  public List<String> lockTableUpgrade() {
    return Stream.of(LockTableSql.UPGRADE, LockTableSql.UPGRADE_DEFAULT).map(names::runIn).toList();
  }

  /**
   * Gives the statements that record the history of states: the history table, the view that fills
   * it, and the recording of what is stored already. On tables that exist. Whoever runs them is the
   * user as whom the view writes.
   *
   * @param keep how long a record is kept after it was made, at least a second; what is finer is
   *     dropped. A history table that exists keeps its own time
   * @return three statements, in the order to run them in
   * @throws IllegalArgumentException when {@code keep} is less than a second
   */
  public List<String> history(Duration keep) {
    String seconds = String.valueOf(HistoryRules.checkedKeep(keep).toSeconds());
    return Stream.of(
            HistorySql.CREATE.replace("<keep>", seconds), HistorySql.CREATE_VIEW, HistorySql.FILL)
        .map(placement::in)
        .map(names::runIn)
        .toList();
  }

  /**
   * Gives the statements that let a user read states, locks and history. The history table need not
   * exist for them.
   *
   * @param user the user's name
   * @return one statement a table
   * @throws IllegalArgumentException when the name is blank or has a backtick, a control character
   *     or half of a surrogate pair
   */
  public List<String> readerGrants(String user) {
    return grants(user, Operation::reads, TABLES);
  }

  /**
   * Gives the statements that let a user read and write states and take locks, on tables that
   * exist. Where history is enabled, only who may write it may remove a state: the server does not
   * record removals by itself. The history table need not exist for its statement. Where tables are
   * to be replicated, the user may also see clusters: else nobody notices when they are not.
   *
   * @param user the user's name
   * @return one statement a table
   * @throws IllegalArgumentException when the name is blank or has a backtick, a control character
   *     or half of a surrogate pair
   */
  public List<String> writerGrants(String user) {
    return grants(
        user,
        operation ->
            operation.reads() || operation.changesRows() || operation == Operation.EXAMINE_CLUSTERS,
        placement.replicated()
            ? Stream.concat(TABLES.stream(), Stream.of(Operation.Target.CLUSTERS)).toList()
            : TABLES);
  }

  /**
   * Gives the statements that let a user do all that there is: what a writer may, and make the
   * database and the tables, upgrade and mend them, and switch history on and off. Nothing of it
   * need exist.
   *
   * @param user the user's name
   * @return one statement for the database and one for each table and view, the server's own
   *     included; in a cluster one more, for statements that go to all of its servers
   * @throws IllegalArgumentException when the name is blank or has a backtick, a control character
   *     or half of a surrogate pair
   */
  public List<String> administratorGrants(String user) {
    // Who may create tables in the whole database may create this one.
    List<String> grants =
        grants(
            user,
            operation ->
                operation != Operation.CREATE_HISTORY
                    && operation != Operation.CREATE_CLAIMS
                    && (placement.replicated() || !operation.migrates()),
            EVERYTHING);
    return placement.cluster().isEmpty()
        ? grants
        : Stream.concat(
                grants.stream(),
                Stream.of(
                    "GRANT CLUSTER, REMOTE, CREATE TEMPORARY TABLE ON *.* TO "
                        + new Identifier(user).quoted()))
            .toList();
  }

  private List<String> grants(
      String user, Predicate<Operation> wanted, List<Operation.Target> targets) {
    Identifier.fault(user)
        .ifPresent(
            fault -> {
              throw new IllegalArgumentException("user " + fault);
            });
    String grantee = new Identifier(user).quoted();
    return targets.stream()
        .filter(target -> claims || target != Operation.Target.CLAIMS)
        .map(target -> grant(target, wanted, place(target), grantee))
        .toList();
  }

  private String place(Operation.Target target) {
    return switch (target) {
      case DATABASE, TABLES -> names.schemaSql() + ".*";
      case STATES -> names.stateSql();
      case LOCKS -> names.lockSql();
      case CLAIMS -> names.claimSql();
      case HISTORY -> names.historySql();
      case HISTORY_VIEW -> names.historyViewSql();
      case MUTATIONS -> "system.mutations";
      case CLUSTERS -> "system.clusters";
      case SERVER -> throw new IllegalArgumentException("everybody may read it");
    };
  }

  private String grant(
      Operation.Target target, Predicate<Operation> wanted, String table, String grantee) {
    String privileges =
        Arrays.stream(Operation.values())
            .filter(operation -> operation.target() == target)
            // Who reads a replica has it catch up first.
            .filter(
                operation ->
                    operation.synchronizes() ? placement.replicated() : wanted.test(operation))
            .flatMap(operation -> Stream.of(operation.privilege().split(", ")))
            .distinct()
            .collect(Collectors.joining(", "));
    return "GRANT %s ON %s TO %s".formatted(privileges, table, grantee);
  }
}
