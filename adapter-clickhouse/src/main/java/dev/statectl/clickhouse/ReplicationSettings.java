package dev.statectl.clickhouse;

import java.util.regex.Pattern;

/**
 * How the tables are used where several servers hold them. Immutable.
 *
 * @param cluster the cluster of the tables, as {@code system.clusters} calls it, or a macro of the
 *     server such as {@code {cluster}}; empty for the one called {@code default}, or the one that a
 *     database with the engine {@code Replicated} makes of itself
 * @param replicated whether tables are made as replicated ones
 * @param consistency what a read of one replica sees of writes to another
 * @param keeperLocks whether Keeper decides who gets a lock
 * @see <a href="https://clickhouse.com/docs/operations/system-tables/clusters">system.clusters</a>
 */
public record ReplicationSettings(
    String cluster, Replicated replicated, Consistency consistency, KeeperLocks keeperLocks) {
  /** No cluster is named, and the server decides the rest. */
  public static final ReplicationSettings DEFAULT =
      new ReplicationSettings("", Replicated.AUTO, Consistency.AUTO, KeeperLocks.AUTO);

  // An element's name in the server's configuration; so it needs no escape in statements.
  private static final Pattern CLUSTER = Pattern.compile("[\\p{L}\\p{N}_.-]+|\\{[A-Za-z0-9_]+}");

  /**
   * Checks the settings.
   *
   * @param cluster the cluster of the tables, as {@code system.clusters} calls it, or a macro of
   *     the server such as {@code {cluster}}; empty for the one called {@code default}, or the one
   *     that a database with the engine {@code Replicated} makes of itself
   * @param replicated whether tables are made as replicated ones
   * @param consistency what a read of one replica sees of writes to another
   * @param keeperLocks whether Keeper decides who gets a lock
   * @throws IllegalArgumentException when the cluster cannot be one's name
   */
  public ReplicationSettings {
    if (!cluster.isEmpty() && !CLUSTER.matcher(cluster).matches()) {
      throw new IllegalArgumentException(
          "cluster must be a name of letters, digits, '_', '-' and '.', or a macro such as"
              + " {cluster}");
    }
  }
}
