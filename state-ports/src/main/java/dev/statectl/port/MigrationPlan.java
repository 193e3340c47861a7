package dev.statectl.port;

import java.util.List;

/**
 * What a migration would do. Immutable and thread-safe.
 *
 * @param goal what is there afterwards, as in {@code replicated tables in the cluster prod}
 * @param contents what each server holds of the states now
 * @param steps the parts, in their order; empty when there is nothing to do
 * @param afterwards what a person may do when all is well, one statement a line
 */
public record MigrationPlan(
    String goal, List<Contents> contents, List<MigrationStep> steps, List<String> afterwards) {

  /**
   * Copies the lists.
   *
   * @param goal what is there afterwards, as in {@code replicated tables in the cluster prod}
   * @param contents what each server holds of the states now
   * @param steps the parts, in their order; empty when there is nothing to do
   * @param afterwards what a person may do when all is well, one statement a line
   */
  public MigrationPlan {
    contents = List.copyOf(contents);
    steps = List.copyOf(steps);
    afterwards = List.copyOf(afterwards);
  }

  /**
   * What a server holds.
   *
   * @param server its name
   * @param states how many states
   * @param alone how many of them no other server has
   * @param older of how many another server has a newer version
   */
  public record Contents(String server, long states, long alone, long older) {}
}
