package dev.statectl.port;

/**
 * The port that brings a store to another form, with all that is in it. A migration that was
 * interrupted is planned and run anew; its plan then has what is left to do.
 *
 * <p>Implementations are thread-safe, but two migrations of one store at a time are not allowed
 * for.
 */
public interface Migration {
  /**
   * Plans to replicate what a store with several servers holds on each of them apart. Changes
   * nothing.
   *
   * @return the plan; without steps when the store is replicated
   * @throws StateFailure.WrongSchema when there are no several servers, or when they are not such
   *     that all could have the same rows
   * @throws StateFailure.Denied when the user may not see what is planned for
   * @throws StateFailure.Unavailable when the store does not answer
   * @throws IllegalStateException when the backend was closed
   */
  MigrationPlan toReplicated();

  /**
   * Does one step of a plan. Doing it twice does no harm.
   *
   * @param step the step
   * @throws StateFailure.WrongSchema when a check finds that something is not as it should be, or a
   *     table is not of the expected form; steps before it were done
   * @throws StateFailure.Denied when the user may not do it
   * @throws StateFailure.Unavailable when the store does not answer, or cannot do it at present
   * @throws IllegalStateException when the backend was closed
   */
  void run(MigrationStep step);
}
