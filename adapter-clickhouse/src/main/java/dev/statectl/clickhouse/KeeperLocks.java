package dev.statectl.clickhouse;

/** Whether ClickHouse Keeper decides who of several gets a lock. */
public enum KeeperLocks {
  /** Where there are several replicas and the server offers tables in Keeper. */
  AUTO,
  /** Always; a server that offers none is refused. */
  ON,
  /** Never: the rows of the lock table decide. */
  OFF
}
