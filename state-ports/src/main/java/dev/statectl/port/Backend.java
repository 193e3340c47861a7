package dev.statectl.port;

import java.time.Instant;
import java.util.Optional;

/**
 * One place where state is kept: its stores, and the connection or file behind them.
 *
 * <p>A backend and its stores are thread-safe. After {@link #close()} every operation of its stores
 * fails with {@link IllegalStateException}.
 */
public interface Backend extends AutoCloseable {

  /**
   * Gives the store of states.
   *
   * @return the store, the same at every call
   */
  StateStore states();

  /**
   * Gives the table of locks.
   *
   * @return the table, the same at every call
   */
  LockTable locks();

  /**
   * Gives the history of states.
   *
   * @return the history, the same at every call
   */
  StateHistory history();

  /**
   * Gives what looks at the place itself. An adapter that has nothing to say of it need not
   * override this.
   *
   * @return the checkup, the same at every call
   */
  default Checkup checkup() {
    return Checkup.NONE;
  }

  /**
   * Gives what brings the place to another form. An adapter that has but one need not override
   * this.
   *
   * @return the migration, the same at every call; empty when there is none
   */
  default Optional<Migration> migration() {
    return Optional.empty();
  }

  /**
   * Names the place for people, as in {@code ch.example.com:8443 meltano.state}.
   *
   * @return the place, without any secret
   */
  String target();

  /**
   * Tells the time by the clock that versions and the times of locks are taken from, so that ages
   * can be told.
   *
   * @return the store's time
   * @throws StateFailure.Unavailable when the store does not answer
   * @throws StateFailure.Denied when the user may not ask
   * @throws IllegalStateException when the backend was closed
   */
  Instant now();

  /**
   * Frees what the backend holds. Operations under way may fail. Closing twice does nothing.
   *
   * @throws StateFailure when what was acknowledged could not be kept
   */
  @Override
  void close();
}
