package dev.statectl.clickhouse.engine;

/** A right on a table, on all tables of a database, or on everything; {@code *} stands for all. */
record Privilege(String name, String database, String table) {

  /**
   * Whether who has this also has the other: {@code ALTER} holds every {@code ALTER …}.
   *
   * @see <a href="https://clickhouse.com/docs/sql-reference/statements/grant#privileges">the
   *     hierarchy of privileges</a>
   */
  boolean covers(Privilege other) {
    boolean samePlace =
        (database.equals("*") || database.equals(other.database))
            && (table.equals("*") || table.equals(other.table));
    boolean sameRight =
        name.equals("ALL")
            || name.equals(other.name)
            || other.name.startsWith(name + " ")
            || (name.equals("ALTER TABLE") && other.name.startsWith("ALTER "))
            || (name.equals("ALTER COLUMN") && other.name.endsWith(" COLUMN"));
    return samePlace && sameRight;
  }

  @Override
  public String toString() {
    return name + " ON " + database + "." + table;
  }
}
