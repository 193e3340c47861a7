package dev.statectl.usecase;

import dev.statectl.state.StateId;

/**
 * That the state of one id is to become the state of another.
 *
 * @param source whose state it is
 * @param destination whose state it becomes
 * @param overwrites whether something may be stored under the destination that is lost by it; if
 *     not, and something is there all the same, the transfer fails and changes nothing
 */
public record Transfer(StateId source, StateId destination, boolean overwrites) {

  /**
   * Checks that it leads from one id to another, which may be written.
   *
   * @param source whose state it is
   * @param destination whose state it becomes
   * @param overwrites whether something may be lost by it
   * @throws IllegalArgumentException when both are the same id, or the destination may not be
   *     written
   */
  public Transfer {
    if (source.equals(destination)) {
      throw new IllegalArgumentException("'" + source + "' is both source and destination");
    }
    destination
        .fault()
        .ifPresent(
            fault -> {
              throw new IllegalArgumentException(fault);
            });
  }

  /** Names both ids. */
  @Override
  public String toString() {
    return "'" + source + "' -> '" + destination + "'";
  }
}
