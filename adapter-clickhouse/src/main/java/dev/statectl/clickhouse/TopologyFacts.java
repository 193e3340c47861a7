package dev.statectl.clickhouse;

import dev.statectl.port.StateFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a server says of the servers that hold the tables, and what follows from that. Asks nobody.
 *
 * @param asked how the tables are to be used
 * @param databaseEngine the engine of the tables' database; empty when it does not exist
 * @param cloud whether it is ClickHouse Cloud
 * @param engines the engine of each table that exists
 * @param clusters the clusters that the tables can be of
 * @param unseen why clusters were not seen; empty when they were
 * @param severalHosts whether several servers may be asked
 */
record TopologyFacts(
    ReplicationSettings asked,
    String databaseEngine,
    boolean cloud,
    Map<TableDesign, String> engines,
    List<Cluster> clusters,
    Optional<StateFailure.Denied> unseen,
    boolean severalHosts) {
  private static final String CLUSTER = "state_backend.clickhouse.cluster";
  private static final String REPLICATED = "state_backend.clickhouse.replicated";
  private static final String ALONE =
      ", or, if everybody connects to this one server, set " + REPLICATED + " to off";

  /** The facts where one server is asked. */
  TopologyFacts(
      ReplicationSettings asked,
      String databaseEngine,
      boolean cloud,
      Map<TableDesign, String> engines,
      List<Cluster> clusters,
      Optional<StateFailure.Denied> unseen) {
    this(asked, databaseEngine, cloud, engines, clusters, unseen, false);
  }

  /**
   * A cluster.
   *
   * @param name what {@code system.clusters} calls it
   * @param shards into how many parts it spreads rows
   * @param replicas how many servers hold the same part, at most
   */
  record Cluster(String name, long shards, long replicas) {}

  /**
   * Why nothing may be written here.
   *
   * @param why the reason
   * @param advice what to do
   * @param migratable whether it is that tables are not replicated
   */
  record Obstacle(String why, String advice, boolean migratable) {}

  /** Whether the servers with an engine copy its rows to each other, or share them. */
  static boolean isReplicated(String engine) {
    return engine.startsWith("Replicated") || engine.startsWith("Shared");
  }

  /** Whether the database itself makes everything on all of its servers. */
  boolean isReplicatedDatabase() {
    return databaseEngine.equals("Replicated");
  }

  private boolean isNamed() {
    return !asked.cluster().isEmpty();
  }

  /** The cluster of the tables. */
  Optional<Cluster> cluster() {
    return clusters.stream()
        .filter(each -> isNamed() || each.name().equals("default") != isReplicatedDatabase())
        .findFirst();
  }

  private Optional<Cluster> severalReplicas() {
    return cluster().filter(each -> each.replicas() > 1);
  }

  private boolean isAnyReplicated() {
    return engines.values().stream().anyMatch(TopologyFacts::isReplicated);
  }

  /** Whether a cluster is named that the user may not see, and is to be taken for there. */
  private boolean isTrusted() {
    return unseen.isPresent() && isNamed() && asked.replicated() == Replicated.ON;
  }

  /** Whether another server may answer the next time. */
  boolean hasReplicas() {
    return cloud
        || isReplicatedDatabase()
        || isAnyReplicated()
        || severalReplicas().isPresent()
        || isTrusted();
  }

  /** Where tables are made; empty when that is not known though they are to be replicated. */
  Optional<Placement> placement() {
    if (cloud) {
      return Optional.of(Placement.PLAIN);
    }
    if (isReplicatedDatabase()) {
      return Optional.of(new Placement("", true));
    }
    if (asked.replicated() != Replicated.ON && !hasReplicas()) {
      return Optional.of(Placement.PLAIN);
    }
    if (isTrusted()) {
      return Optional.of(new Placement(asked.cluster(), true));
    }
    // A macro stays one: each server has its own idea of it.
    return cluster().map(each -> new Placement(isNamed() ? asked.cluster() : each.name(), true));
  }

  /**
   * Tells what keeps writes from being met by all who read.
   *
   * @return empty when nothing does
   */
  Optional<Obstacle> obstacle(TableNames names) {
    List<String> distributed = shown(names, engine -> engine.equals("Distributed"));
    if (!distributed.isEmpty()) {
      return obstacle(
          "the engine of "
              + String.join(" and ", distributed)
              + " is Distributed, which sends rows on later and to several servers, so that a state"
              + " or a lock may not be there yet for the next who looks",
          "name the tables behind it in state_backend.clickhouse.schema and table");
    }
    if (cloud) {
      return Optional.empty();
    }
    if (isNamed() && unseen.isEmpty() && clusters.isEmpty()) {
      return obstacle(
          "the server knows no cluster " + asked.cluster(),
          "correct " + CLUSTER + "; SELECT DISTINCT cluster FROM system.clusters shows all");
    }
    Optional<Cluster> sharded = cluster().filter(each -> each.shards() > 1);
    if (sharded.isPresent()) {
      return obstacle(
          "the cluster "
              + sharded.get().name()
              + " has "
              + sharded.get().shards()
              + " shards, and each would keep states and locks of its own",
          "name a cluster of one shard in " + CLUSTER + ALONE);
    }
    if (severalHosts && !hasReplicas()) {
      return obstacle(
          "several hosts are set, but nothing here is replicated, so that each server would keep"
              + " states and locks of its own",
          "name one host, or the cluster of all in "
              + CLUSTER
              + ", or, if all hosts lead to one server, set "
              + REPLICATED
              + " to off");
    }
    if (!hasReplicas()) {
      return placement().isPresent()
          ? Optional.empty()
          : obstacle(
              REPLICATED + " is on, but the server knows no cluster that is called default",
              "name one in " + CLUSTER + ", or set " + REPLICATED + " to auto");
    }
    List<String> plain = shown(names, engine -> !isReplicated(engine));
    if (plain.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Obstacle(
            String.join(" and ", plain)
                + (plain.size() == 1 ? " is" : " are")
                + " not replicated, but "
                + where()
                + ", and each would keep states and locks of its own",
            "look at statectl doctor, and replicate what is there with statectl migrate --to"
                + " replicated"
                + ALONE,
            true));
  }

  /** Tells whether it matters that clusters were not seen. */
  boolean mustSeeClusters() {
    return unseen.isPresent()
        && (isNamed() || asked.replicated() == Replicated.ON)
        && !hasReplicas();
  }

  /** How several servers come to have the same rows, for people. */
  String where() {
    if (cloud) {
      return "the servers of ClickHouse Cloud share all rows";
    }
    if (isReplicatedDatabase()) {
      return "their database has the engine Replicated";
    }
    return severalReplicas()
        .map(each -> "the cluster " + each.name() + " has " + each.replicas() + " replicas")
        .orElse("other tables here are");
  }

  private static Optional<Obstacle> obstacle(String why, String advice) {
    return Optional.of(new Obstacle(why, advice, false));
  }

  private List<String> shown(TableNames names, Predicate<String> wanted) {
    return engines.entrySet().stream()
        .filter(table -> wanted.test(table.getValue()))
        .map(table -> table.getKey().shown(names))
        .toList();
  }
}
