package dev.statectl.clickhouse;

/** What a statement does, as far as its failures depend on it. */
enum Operation {
  READ("read", "reading", "SELECT", Target.STATES, false),
  SAVE("write to", "writing to", "INSERT", Target.STATES, true),
  // https://clickhouse.com/docs/sql-reference/statements/delete
  DELETE("delete from", "deleting from", "ALTER DELETE", Target.STATES, true),
  CLEAR("clear", "clearing", "TRUNCATE", Target.STATES, true),
  READ_LOCKS("read", "reading", "SELECT", Target.LOCKS, false),
  LOCK("write to", "writing to", "INSERT", Target.LOCKS, true),
  UNLOCK("delete from", "deleting from", "ALTER DELETE", Target.LOCKS, true),
  // https://clickhouse.com/docs/sql-reference/statements/grant#alter
  UPGRADE_LOCKS(
      "upgrade",
      "upgrading",
      "ALTER ADD COLUMN, ALTER MODIFY COLUMN, ALTER ORDER BY",
      Target.LOCKS,
      false),
  READ_HISTORY("read", "reading", "SELECT", Target.HISTORY, false),
  RECORD("write to", "writing to", "SELECT, INSERT", Target.HISTORY, true),
  CREATE_HISTORY("create", "creating", "CREATE TABLE", Target.HISTORY, false),
  CHANGE_HISTORY("change", "changing", "ALTER TTL", Target.HISTORY, false),
  // https://clickhouse.com/docs/sql-reference/statements/create/view#sql_security
  CREATE_VIEW("create", "creating", "CREATE VIEW", Target.HISTORY_VIEW, false),
  DROP_VIEW("drop", "dropping", "DROP VIEW", Target.HISTORY_VIEW, false),
  CREATE_DATABASE("create", "creating", "CREATE DATABASE", Target.DATABASE, false),
  CREATE_TABLE("create", "creating", "CREATE TABLE", Target.TABLES, false),
  CHANGE_LOCKS("change", "changing", "ALTER TTL", Target.LOCKS, false),
  // https://clickhouse.com/docs/sql-reference/statements/optimize
  MERGE_STATES("merge the parts of", "merging the parts of", "OPTIMIZE", Target.STATES, false),
  MERGE_LOCKS("merge the parts of", "merging the parts of", "OPTIMIZE", Target.LOCKS, false),
  MERGE_HISTORY("merge the parts of", "merging the parts of", "OPTIMIZE", Target.HISTORY, false),
  EXAMINE("examine", "examining", "SELECT", Target.SERVER, false),
  EXAMINE_MUTATIONS("read", "reading", "SELECT", Target.MUTATIONS, false),
  EXAMINE_CLUSTERS("read", "reading", "SELECT", Target.CLUSTERS, false);

  /** What is read or changed. */
  enum Target {
    STATES,
    LOCKS,
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

  Operation(String verb, String gerund, String privilege, Target target, boolean changesRows) {
    this.verb = verb;
    this.gerund = gerund;
    this.privilege = privilege;
    this.target = target;
    this.changesRows = changesRows;
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

  /** Whether only rows of a table are read. */
  boolean reads() {
    return this == READ || this == READ_LOCKS || this == READ_HISTORY;
  }

  /** Whether a missing answer leaves open what is stored. Changing a table twice does no harm. */
  boolean changesRows() {
    return changesRows;
  }
}
