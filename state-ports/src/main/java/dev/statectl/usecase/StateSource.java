package dev.statectl.usecase;

import dev.statectl.state.State;
import java.util.function.Consumer;

/** States that are to be imported, of which no two have one id. They can be gone through again. */
@FunctionalInterface
public interface StateSource {

  /**
   * Goes through all states, in the same order each time.
   *
   * @param action is called with each; what it throws ends the going and reaches the caller
   */
  void forEach(Consumer<? super State> action);
}
