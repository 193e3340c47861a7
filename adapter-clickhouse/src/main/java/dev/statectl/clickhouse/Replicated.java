package dev.statectl.clickhouse;

/** Whether the tables are made as tables whose rows the servers of a cluster copy to each other. */
public enum Replicated {
  /**
   * Where the server says that there are several replicas: in ClickHouse Cloud, in a database with
   * the engine {@code Replicated}, and in a cluster of more than one.
   */
  AUTO,
  /** Always; without a cluster that can be found nothing is written. */
  ON,
  /** Never, and nothing is asked: each server has rows of its own. */
  OFF
}
