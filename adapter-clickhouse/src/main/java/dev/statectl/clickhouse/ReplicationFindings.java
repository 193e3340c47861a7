package dev.statectl.clickhouse;

import dev.statectl.port.Finding;
import dev.statectl.port.Mend;
import java.util.List;

/** Judges whether all who connect meet the same rows. */
final class ReplicationFindings {
  private static final String CHECK = "replication";

  private ReplicationFindings() {}

  /**
   * Judges one table.
   *
   * @param databaseEngine the engine of its database
   * @param replicas how many replicas the cluster has; 0 or 1 for none
   */
  static Finding of(
      TableDesign design,
      TableNames names,
      TableFacts table,
      String databaseEngine,
      long replicas) {
    String shown = design.shown(names);
    boolean manyServers = databaseEngine.equals("Replicated") || replicas > 1;
    if (!table.isReplicated() && manyServers) {
      String where =
          databaseEngine.equals("Replicated")
              ? "a database with the engine Replicated"
              : "a cluster of " + replicas + " replicas";
      String what = "the engine is " + table.engine() + ", which is not replicated, in " + where;
      String why =
          "each replica has rows of its own: a pipeline that meets another replica starts from"
              + " another state, and two get one lock";
      Mend mend = TableRebuild.of(design, names, table, true);
      return (databaseEngine.equals("Replicated")
              ? Finding.error(CHECK, shown, what, why)
              : Finding.warning(CHECK, shown, what, why))
          .withMend(mend);
    }
    if (table.isReplicated() && manyServers) {
      return Finding.warning(
              CHECK,
              shown,
              "the engine is " + table.engine() + ", and there are several replicas",
              "a replica may not yet have what was just stored on another one, so two can get one"
                  + " lock; several replicas are not supported yet")
          .withMend(
              Mend.advice(
                  "let all pipelines and statectl connect to the same replica: name its host in"
                      + " state_backend.clickhouse.host"));
    }
    return Finding.ok(
        CHECK, shown, table.engine() + " in a database with the engine " + databaseEngine);
  }

  /** Says of many tables at once that all is well, if it is. */
  static List<Finding> joined(TableNames names, List<Finding> findings) {
    return !findings.isEmpty()
            && findings.stream().allMatch(finding -> finding.level() == Finding.Level.OK)
        ? List.of(Finding.ok(CHECK, names.schema().readable(), "one server has all rows"))
        : findings;
  }
}
