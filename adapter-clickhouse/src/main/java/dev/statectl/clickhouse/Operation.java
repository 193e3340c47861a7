package dev.statectl.clickhouse;

/** What a statement does, as far as its failures depend on it. */
enum Operation {
  READ("read", "reading", "SELECT"),
  SAVE("write to", "writing to", "INSERT"),
  // https://clickhouse.com/docs/sql-reference/statements/delete
  DELETE("delete from", "deleting from", "ALTER DELETE"),
  CLEAR("clear", "clearing", "TRUNCATE"),
  CREATE_DATABASE("create", "creating", "CREATE DATABASE"),
  CREATE_TABLE("create", "creating", "CREATE TABLE");

  private final String verb;
  private final String gerund;
  private final String privilege;

  Operation(String verb, String gerund, String privilege) {
    this.verb = verb;
    this.gerund = gerund;
    this.privilege = privilege;
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

  /** Whether a missing answer leaves open what is stored. Creating twice does no harm. */
  boolean changesStates() {
    return this == SAVE || this == DELETE || this == CLEAR;
  }
}
