package dev.statectl.cli;

import org.jspecify.annotations.Nullable;

/** Where a person may sit who can be asked. */
interface Terminal {

  /** Tells whether a person can be asked: input and output are both a terminal. */
  boolean isInteractive();

  /**
   * Shows a question and waits for the line that answers it.
   *
   * @return the line, or null at the end of input
   * @throws IllegalStateException when nobody can be asked
   */
  @Nullable String ask(String question);

  /**
   * Shows a question and waits for the line that answers it, which is not shown as it is typed.
   *
   * @return the line, or null at the end of input
   * @throws IllegalStateException when nobody can be asked
   */
  @Nullable String askSecret(String question);
}
