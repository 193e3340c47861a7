package dev.statectl.port;

import java.util.List;

/**
 * A part of a migration. Immutable and thread-safe.
 *
 * @param what what it does, as in {@code copy the rows of meltano.state}
 * @param check whether it changes nothing: each statement counts what is not as it should be
 * @param statements what is run, one after the other, each without a semicolon and on one line
 */
public record MigrationStep(String what, boolean check, List<String> statements) {

  /**
   * Copies the statements.
   *
   * @param what what it does, as in {@code copy the rows of meltano.state}
   * @param check whether it changes nothing: each statement counts what is not as it should be
   * @param statements what is run, one after the other, each without a semicolon and on one line
   */
  public MigrationStep {
    statements = List.copyOf(statements);
  }
}
