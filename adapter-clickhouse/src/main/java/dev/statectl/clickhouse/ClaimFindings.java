package dev.statectl.clickhouse;

import dev.statectl.port.Finding;
import dev.statectl.port.Mend;
import java.util.List;
import java.util.Optional;

/** Judges whether locks can be decided by claims in Keeper where they are to be. */
final class ClaimFindings {
  /** The name of these findings. */
  static final String CHECK = "claims";

  private ClaimFindings() {}

  /** Tells whether locks are to be decided by claims. */
  static boolean areWanted(KeeperLocks asked, TopologyFacts servers) {
    return asked == KeeperLocks.ON
        || asked == KeeperLocks.AUTO
            && servers.asked().replicated() != Replicated.OFF
            && servers.hasReplicas();
  }

  /**
   * Judges the table of claims.
   *
   * @param asked who is to decide locks
   * @param isThere whether the table is there, as far as the user may see it
   * @param lacking the rights on it that the user lacks
   * @param unanswered why it could not be read though he may read it; empty when it could
   */
  static Finding of(
      KeeperLocks asked,
      boolean isThere,
      List<String> lacking,
      Optional<String> unanswered,
      TableNames names,
      String user) {
    String table = names.claimShown();
    boolean must = asked == KeeperLocks.ON;
    if (!lacking.isEmpty()) {
      return finding(
              must,
              table,
              "the user lacks rights on the table of claims to locks",
              must
                  ? "no lock can be taken, so nothing stored"
                  : "ClickHouse Keeper does not decide locks for this user, only their rows")
          .withMend(
              Mend.sql(
                  "GRANT "
                      + String.join(", ", lacking)
                      + " ON "
                      + table
                      + " TO "
                      + new Identifier(user).readable()));
    }
    if (!isThere) {
      return Finding.info(
              CHECK,
              table,
              "there is no table of claims to locks yet",
              "the first lock makes it, where the server offers tables in ClickHouse Keeper"
                  + (must ? "; else it is refused" : "; else the rows of locks decide"))
          .withMend(
              Mend.advice("see that the configuration of every server has keeper_map_path_prefix"));
    }
    return unanswered
        .map(
            reason ->
                Finding.error(
                    CHECK,
                    table,
                    "the claims to locks cannot be read: " + reason,
                    "no lock is taken, renewed or released while ClickHouse Keeper does not"
                        + " answer, and nothing is written under one"))
        .orElseGet(() -> Finding.ok(CHECK, table, "ClickHouse Keeper decides locks"));
  }

  private static Finding finding(boolean must, String table, String what, String why) {
    return must ? Finding.error(CHECK, table, what, why) : Finding.info(CHECK, table, what, why);
  }
}
