package dev.statectl.benchmark;

import dev.statectl.clickhouse.engine.TestClickHouse;

/**
 * What a group measures with.
 *
 * @param clickHouse the engine
 * @param scale how much
 * @param report where it goes
 */
record Bench(TestClickHouse clickHouse, Scale scale, Report report) {
  /** A number as titles show it. */
  static String count(long number) {
    if (number >= 1_000_000 && number % 1_000_000 == 0) {
      return number / 1_000_000 + " M";
    }
    return number >= 1_000 && number % 1_000 == 0 ? number / 1_000 + " k" : Long.toString(number);
  }

  /** A number of bytes as titles show it. */
  static String bytes(long number) {
    if (number >= 1_000_000) {
      return number / 1_000_000 + " MB";
    }
    return number >= 1_000 ? number / 1_000 + " KB" : number + " B";
  }

  /** Makes a schema with a state for each number below a count, about 1 KB each, in one part. */
  String filled(long ids) {
    return filled(ids, Documents.documentSql());
  }

  /** The same with other documents. */
  String filled(long ids, String documentSql) {
    Store store = Store.fresh(clickHouse, Store.Way.NONE);
    try (store) {
      store.states().save(Documents.completed(Documents.id(0), Documents.ofSize(1_000, 0)));
    }
    // Not in one statement, which would hold all of it.
    long step = 100_000;
    for (long from = 0; from < ids; from += step) {
      clickHouse.execute(
          "INSERT INTO "
              + store.schema()
              + ".state (state_id, completed_state, updated_at) SELECT "
              + Documents.idSql()
              + ", "
              + documentSql
              + ", now64(3) FROM numbers("
              + from
              + ", "
              + Math.min(step, ids - from)
              + ")");
    }
    merge(store.schema());
    return store.schema();
  }

  /** Makes one part of all parts of the state table, so that no merge runs while one measures. */
  void merge(String schema) {
    clickHouse.execute("OPTIMIZE TABLE " + schema + ".state FINAL");
  }

  void drop(String schema) {
    drop(clickHouse, schema);
  }

  /**
   * Drops a schema. What tables held goes at once: the files of dropped ones stay for minutes, and
   * waiting for that (SYNC) does not end in the local engine.
   */
  static void drop(TestClickHouse clickHouse, String schema) {
    clickHouse.execute(
        "TRUNCATE TABLE IF EXISTS " + schema + ".state", "DROP DATABASE IF EXISTS " + schema);
  }

  /** How many parts the state table has that are not merged away. */
  long parts(String schema) {
    return number(
        "SELECT count() FROM system.parts WHERE active AND table = 'state' AND database = '"
            + schema
            + "'");
  }

  /** How many mutations the server remembers of both tables; it forgets old ones past 100. */
  long mutations(String schema) {
    return number("SELECT count() FROM system.mutations WHERE database = '" + schema + "'");
  }

  private long number(String sql) {
    return Long.parseLong(clickHouse.query(sql));
  }
}
