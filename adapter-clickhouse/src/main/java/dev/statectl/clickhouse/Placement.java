package dev.statectl.clickhouse;

/**
 * On which servers a table, view or database is made, and whether they copy its rows to each other:
 * what stands for {@code <on_cluster>} and {@code <replicated>} in the statements that make it. An
 * engine without arguments takes the server's default path, the same on all replicas.
 *
 * @param cluster the cluster on whose servers it is made; empty for this server alone, or where the
 *     database sees to it
 * @param replicated whether tables are of the replicated engines
 * @see <a href="https://clickhouse.com/docs/sql-reference/distributed-ddl">ON CLUSTER</a>
 * @see <a
 *     href="https://clickhouse.com/docs/engines/table-engines/mergetree-family/replication">Replicated
 *     engines</a>
 */
record Placement(String cluster, boolean replicated) {
  /** On this server alone; also in ClickHouse Cloud, which replicates whatever is made. */
  static final Placement PLAIN = new Placement("", false);

  static final String ON_CLUSTER = "<on_cluster>";
  static final String REPLICATED = "<replicated>";

  /** What settings alone say, without asking a server. */
  static Placement of(ReplicationSettings settings) {
    boolean replicated =
        settings.replicated() == Replicated.ON
            || settings.replicated() == Replicated.AUTO && !settings.cluster().isEmpty();
    return replicated ? new Placement(settings.cluster(), true) : PLAIN;
  }

  /** Fills it in. */
  String in(String sql) {
    // No cluster's name needs an escape: ReplicationSettings sees to that.
    return sql.replace(ON_CLUSTER, onCluster()).replace(REPLICATED, replicated ? "Replicated" : "");
  }

  /** What follows a name; empty or beginning with a space. */
  String onCluster() {
    return cluster.isEmpty() ? "" : " ON CLUSTER '" + cluster + "'";
  }
}
