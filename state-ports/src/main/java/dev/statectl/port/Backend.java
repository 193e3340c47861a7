package dev.statectl.port;

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
   * Names the place for people, as in {@code ch.example.com:8443 meltano.state}.
   *
   * @return the place, without any secret
   */
  String target();

  /**
   * Frees what the backend holds. Operations under way may fail. Closing twice does nothing.
   *
   * @throws StateFailure when what was acknowledged could not be kept
   */
  @Override
  void close();
}
