package dev.statectl.clickhouse;

import dev.statectl.port.Finding;
import dev.statectl.port.Mend;
import java.time.Duration;
import java.util.List;

/** Judges the mutations that are not done yet; each DELETE is one. */
final class MutationFindings {
  private static final String CHECK = "mutations";
  private static final long MANY = 20;
  private static final Duration LONG = Duration.ofMinutes(1);

  private MutationFindings() {}

  /**
   * The pending mutations of a table.
   *
   * @param table the table
   * @param pending how many there are
   * @param failing how many of them failed and are tried again
   * @param failed the id of one that failed; empty for none
   * @param age how old the oldest is
   */
  record Pending(String table, long pending, long failing, String failed, Duration age) {}

  static List<Finding> of(TableNames names, List<Pending> tables) {
    return tables.isEmpty()
        ? List.of(Finding.ok(CHECK, names.schema().readable(), "none is pending"))
        : tables.stream().map(table -> of(names, table)).toList();
  }

  private static Finding of(TableNames names, Pending table) {
    String schema = names.schema().readable();
    String shown = schema + "." + new Identifier(table.table()).readable();
    String what =
        table.pending()
            + (table.pending() == 1 ? " is" : " are")
            + " pending, the oldest for "
            + table.age().toSeconds()
            + " seconds";
    if (table.failing() > 0) {
      return Finding.error(
              CHECK,
              shown,
              what + "; " + table.failing() + " of them failed",
              "a mutation that fails is tried for ever, and every DELETE waits behind it: locks are"
                  + " not released, states not removed. system.mutations says why it fails")
          .withMend(
              Mend.sql(
                  "KILL MUTATION WHERE database = %s AND table = %s AND mutation_id = %s"
                      .formatted(
                          literal(names.schema().text()),
                          literal(table.table()),
                          literal(table.failed()))));
    }
    if (table.pending() >= MANY || table.age().compareTo(LONG) > 0) {
      return Finding.warning(
              CHECK,
              shown,
              what,
              "every DELETE waits behind them: locks are released late, or not at all while merges"
                  + " are stopped")
          .withMend(Mend.sql("SYSTEM START MERGES " + shown));
    }
    return Finding.ok(CHECK, shown, what);
  }

  private static String literal(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
