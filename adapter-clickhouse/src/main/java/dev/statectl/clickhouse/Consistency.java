package dev.statectl.clickhouse;

/** What a read of one replica sees of writes that another one acknowledged. */
public enum Consistency {
  /** As {@link #STRONG}, unless the tables are not replicated and the user may not ask for it. */
  AUTO,
  /** All of them: a write is acknowledged when most replicas have it, and a read waits for it. */
  STRONG,
  /** Those that have arrived, mostly all but the last seconds; as fast as one server alone. */
  EVENTUAL
}
