package dev.statectl.clickhouse;

/**
 * What a read of one replica sees of writes that another one acknowledged. On tables that are not
 * replicated, nothing has to be done for it.
 */
public enum Consistency {
  /** As {@link #STRONG}, save where {@link Replicated#OFF} says that there are no replicas. */
  AUTO,
  /**
   * All of them: a write is acknowledged when more than half of the replicas have it, and a replica
   * catches up before it is read.
   */
  STRONG,
  /** Those that have arrived, mostly all but the last seconds; as fast as one server alone. */
  EVENTUAL
}
