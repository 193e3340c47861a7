package dev.statectl.cli;

import java.io.Console;
import org.jspecify.annotations.Nullable;

/** The terminal of the process, if it has one. */
final class ConsoleTerminal implements Terminal {
  private final @Nullable Console console;

  private ConsoleTerminal(@Nullable Console console) {
    this.console = console;
  }

  /**
   * Since JDK 22 there is a console without a terminal too, unless the JVM runs with {@code
   * -Djdk.console=java.base}, as the launcher script sees to.
   */
  static ConsoleTerminal ofProcess() {
    return new ConsoleTerminal(System.console());
  }

  @Override
  public boolean isInteractive() {
    return console != null;
  }

  @Override
  public @Nullable String ask(String question) {
    if (console == null) {
      throw new IllegalStateException("no terminal");
    }
    return console.readLine("%s", question);
  }

  @Override
  public @Nullable String askSecret(String question) {
    if (console == null) {
      throw new IllegalStateException("no terminal");
    }
    char[] answer = console.readPassword("%s", question);
    return answer == null ? null : new String(answer);
  }
}
