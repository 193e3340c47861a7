package dev.statectl.clickhouse;

import dev.statectl.port.Finding;
import dev.statectl.port.Mend;
import java.util.List;
import java.util.Optional;

/** Judges whether all who connect meet the same rows. */
final class ReplicationFindings {
  static final String SET_MACROS =
      "an administrator sets macros in the configuration of each server"
          + " (https://clickhouse.com/docs/operations/server-configuration-parameters/settings#macros)";

  private static final String CHECK = "replication";

  private ReplicationFindings() {}

  /** Judges the servers that hold the tables. */
  static List<Finding> of(TopologyFacts facts, TableNames names) {
    String schema = names.schema().readable();
    Optional<TopologyFacts.Obstacle> obstacle = facts.obstacle(names);
    if (facts.asked().replicated() == Replicated.OFF) {
      return List.of(
          facts.hasReplicas()
              ? Finding.warning(
                      CHECK,
                      schema,
                      "there are other servers, and state_backend.clickhouse.replicated is off",
                      "a pipeline that meets another one may start from another state, and two get"
                          + " one lock")
                  .withMend(
                      Mend.advice(
                          "let all pipelines and statectl connect to the same server, or set"
                              + " replicated to auto"))
              : Finding.ok(CHECK, schema, "one server has all rows"));
    }
    if (obstacle.isPresent()) {
      return List.of(refused(schema, obstacle.get()));
    }
    if (facts.unseen().isPresent() && !facts.hasReplicas()) {
      return List.of(
          Finding.unexamined(CHECK, schema, String.valueOf(facts.unseen().get().getMessage())));
    }
    if (facts.engines().isEmpty()) {
      return List.of();
    }
    return List.of(Finding.ok(CHECK, schema, described(facts)));
  }

  /** Judges whether replicated tables can be made. */
  static List<Finding> ofMacros(List<String> missing, TableNames names) {
    return missing.isEmpty()
        ? List.of()
        : List.of(
            Finding.error(
                    "macros",
                    names.schema().readable(),
                    without(missing),
                    "tables that are missing here cannot be made, so nothing can be stored")
                .withMend(Mend.advice(SET_MACROS)));
  }

  /** What is wrong where a server lacks macros. */
  static String without(List<String> macros) {
    return "the server has no macro "
        + String.join(" and ", macros)
        + ", of which it makes the path of a replicated table";
  }

  private static Finding refused(String schema, TopologyFacts.Obstacle obstacle) {
    return Finding.error(
            CHECK,
            schema,
            obstacle.why(),
            "a pipeline that meets another server would start from another state, and two get one"
                + " lock; so nothing is written")
        .withMend(
            obstacle.migratable()
                ? Mend.command(
                    "statectl migrate --to replicated --dry-run",
                    "statectl migrate --to replicated")
                : Mend.advice(obstacle.advice()));
  }

  private static String described(TopologyFacts facts) {
    if (!facts.hasReplicas()) {
      return "one server has all rows";
    }
    if (facts.cloud()) {
      return facts.where();
    }
    if (facts.isReplicatedDatabase()) {
      return "the servers of a database with the engine Replicated copy all rows to each other";
    }
    return facts
        .cluster()
        .map(
            cluster ->
                cluster.replicas()
                    + (cluster.replicas() == 1 ? " replica" : " replicas")
                    + " of the cluster "
                    + cluster.name()
                    + (cluster.replicas() == 1 ? " has" : " copy")
                    + " all rows"
                    + (cluster.replicas() == 1 ? "" : " to each other"))
        .orElse(
            "the tables are replicated; which cluster they are of is not known"
                + " (state_backend.clickhouse.cluster names it)");
  }
}
