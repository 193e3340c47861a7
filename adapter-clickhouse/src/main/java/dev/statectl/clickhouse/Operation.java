package dev.statectl.clickhouse;

/** What a statement does, as far as its failures depend on it. */
enum Operation {
  READ("read", "reading", "SELECT", Target.STATES, false, true),
  // The row has a version of its own, but a second copy shows in the history: one looks first.
  SAVE("write to", "writing to", "INSERT", Target.STATES, true, false),
  // A copy that is late would remove what was written meanwhile.
  // https://clickhouse.com/docs/sql-reference/statements/delete
  DELETE("delete from", "deleting from", "ALTER DELETE", Target.STATES, true, false),
  CLEAR("clear", "clearing", "TRUNCATE", Target.STATES, true, false),
  READ_LOCKS("read", "reading", "SELECT", Target.LOCKS, false, true),
  // A copy that is late would be a row that nobody withdraws.
  ANNOUNCE("write to", "writing to", "INSERT", Target.LOCKS, true, false),
  // Renewals insert only beside a row that is still there, and marks of a release stay the same.
  LOCK("write to", "writing to", "INSERT", Target.LOCKS, true, true),
  // A lock id is used once, so what is deleted twice was never anybody else's.
  UNLOCK("delete from", "deleting from", "ALTER DELETE", Target.LOCKS, true, true),
  // https://clickhouse.com/docs/sql-reference/statements/grant#alter
  UPGRADE_LOCKS(
      "upgrade",
      "upgrading",
      "ALTER ADD COLUMN, ALTER MODIFY COLUMN, ALTER ORDER BY",
      Target.LOCKS,
      false,
      true),
  READ_CLAIMS("read", "reading", "SELECT", Target.CLAIMS, false, true),
  // Each compares with what it finds. What went wrong is found by a look, sooner than by a
  // repetition.
  // https://clickhouse.com/docs/engines/table-engines/special/keeper-map
  CLAIM("write to", "writing to", "INSERT, ALTER UPDATE", Target.CLAIMS, true, false),
  CREATE_CLAIMS("create", "creating", "CREATE TABLE", Target.CLAIMS, false, true),
  READ_HISTORY("read", "reading", "SELECT", Target.HISTORY, false, true),
  // It selects what is not recorded yet; two at a time would both find it.
  RECORD("write to", "writing to", "SELECT, INSERT", Target.HISTORY, true, false),
  CREATE_HISTORY("create", "creating", "CREATE TABLE", Target.HISTORY, false, true),
  CHANGE_HISTORY("change", "changing", "ALTER TTL", Target.HISTORY, false, true),
  // https://clickhouse.com/docs/sql-reference/statements/create/view#sql_security
  CREATE_VIEW("create", "creating", "CREATE VIEW", Target.HISTORY_VIEW, false, true),
  DROP_VIEW("drop", "dropping", "DROP VIEW", Target.HISTORY_VIEW, false, true),
  CREATE_DATABASE("create", "creating", "CREATE DATABASE", Target.DATABASE, false, true),
  CREATE_TABLE("create", "creating", "CREATE TABLE", Target.TABLES, false, true),
  // https://clickhouse.com/docs/sql-reference/statements/system#sync-replica
  SYNC_STATES("synchronize", "synchronizing", "SYSTEM SYNC REPLICA", Target.STATES, false, true),
  SYNC_LOCKS("synchronize", "synchronizing", "SYSTEM SYNC REPLICA", Target.LOCKS, false, true),
  SYNC_HISTORY("synchronize", "synchronizing", "SYSTEM SYNC REPLICA", Target.HISTORY, false, true),
  // Each of these may be sent twice.
  MIGRATE(
      "replicate",
      "replicating",
      "SELECT, INSERT, CREATE TABLE, DROP TABLE",
      Target.TABLES,
      false,
      true),
  // It selects what is not copied yet; two at a time would both find it.
  COPY(
      "replicate",
      "replicating",
      "SELECT, INSERT, CREATE TABLE, DROP TABLE",
      Target.TABLES,
      true,
      false),
  // A second one would undo the first; so it is with renaming, which then fails.
  EXCHANGE(
      "replicate",
      "replicating",
      "SELECT, INSERT, CREATE TABLE, DROP TABLE",
      Target.TABLES,
      true,
      false),
  CHANGE_LOCKS("change", "changing", "ALTER TTL", Target.LOCKS, false, true),
  // https://clickhouse.com/docs/sql-reference/statements/optimize
  MERGE_STATES(
      "merge the parts of", "merging the parts of", "OPTIMIZE", Target.STATES, false, true),
  MERGE_LOCKS("merge the parts of", "merging the parts of", "OPTIMIZE", Target.LOCKS, false, true),
  MERGE_HISTORY(
      "merge the parts of", "merging the parts of", "OPTIMIZE", Target.HISTORY, false, true),
  EXAMINE("examine", "examining", "SELECT", Target.SERVER, false, true),
  EXAMINE_MUTATIONS("read", "reading", "SELECT", Target.MUTATIONS, false, true),
  EXAMINE_CLUSTERS("read", "reading", "SELECT", Target.CLUSTERS, false, true);

  /** What is read or changed. */
  enum Target {
    STATES,
    LOCKS,
    /** The table in Keeper, where there is one. */
    CLAIMS,
    HISTORY,
    HISTORY_VIEW,
    TABLES,
    DATABASE,
    /** What every user may read of the server. */
    SERVER,
    MUTATIONS,
    CLUSTERS
  }

  private final String verb;
  private final String gerund;
  private final String privilege;
  private final Target target;
  private final boolean changesRows;
  private final boolean repeatable;

  Operation(
      String verb,
      String gerund,
      String privilege,
      Target target,
      boolean changesRows,
      boolean repeatable) {
    this.verb = verb;
    this.gerund = gerund;
    this.privilege = privilege;
    this.target = target;
    this.changesRows = changesRows;
    this.repeatable = repeatable;
  }

  /** As in "cannot read". */
  String verb() {
    return verb;
  }

  /** As in "the outcome of reading". */
  String gerund() {
    return gerund;
  }

  /** The right that the user needs for it. */
  String privilege() {
    return privilege;
  }

  Target target() {
    return target;
  }

  /** Whether it is for bringing a store to another form, which is done once. */
  boolean migrates() {
    return this == MIGRATE || this == COPY || this == EXCHANGE;
  }

  /** Whether only rows of a table are read. */
  boolean reads() {
    return this == READ || this == READ_LOCKS || this == READ_CLAIMS || this == READ_HISTORY;
  }

  /** Whether it has a replica catch up with the others. */
  boolean synchronizes() {
    return this == SYNC_STATES || this == SYNC_LOCKS || this == SYNC_HISTORY;
  }

  /** Whether it changes anything: rows, or a definition. */
  boolean changes() {
    return changesRows || !privilege.equals("SELECT") && !synchronizes();
  }

  /** Whether a missing answer leaves open what is stored. Changing a table twice does no harm. */
  boolean changesRows() {
    return changesRows;
  }

  /** Whether it may be sent again though the first one may have been done, or is still to come. */
  boolean isRepeatable() {
    return repeatable;
  }
}
