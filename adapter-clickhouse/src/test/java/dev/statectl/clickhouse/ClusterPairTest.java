package dev.statectl.clickhouse;

/** The rules of two replicas, on a cluster. */
@OnCluster
final class ClusterPairTest extends ReplicaPairRules {
  @Override
  ReplicaPair open() {
    return ReplicaPair.ofCluster();
  }
}
