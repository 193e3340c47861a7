package dev.statectl.clickhouse;

/** The rules of two replicas, tried with one server that is met twice. */
final class OneServerPairTest extends ReplicaPairRules {
  @Override
  ReplicaPair open() {
    return ReplicaPair.ofOneServer();
  }
}
