package dev.statectl.clickhouse;

/** The rules of two replicas, tried with one server that is met twice, and a Keeper. */
final class KeeperPairTest extends ReplicaPairRules {
  @Override
  ReplicaPair open() {
    return ReplicaPair.ofOneServerWithKeeper();
  }
}
