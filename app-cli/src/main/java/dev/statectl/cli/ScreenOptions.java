package dev.statectl.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The options that say how much is said, and whether in colour. They may stand before the command
 * or behind it.
 */
final class ScreenOptions {
  private final Terminal terminal;
  private final Map<String, String> environment;
  private final Diagnostics diagnostics;
  private Color color = Color.auto;

  ScreenOptions(Terminal terminal, Map<String, String> environment, Diagnostics diagnostics) {
    this.terminal = terminal;
    this.environment = environment;
    this.diagnostics = diagnostics;
  }

  // Named as they are typed.
  private enum Color {
    auto,
    always,
    never
  }

  // The parser calls the setters with the defaults too, once for each command.
  @Option(
      names = {"-q", "--quiet"},
      scope = ScopeType.INHERIT,
      description = "Say only what failed, and ask what must be asked; show no progress.")
  private void setQuiet(boolean quiet) {
    if (quiet) {
      diagnostics.beQuiet();
    }
  }

  @Option(
      names = "--color",
      paramLabel = "auto|always|never",
      scope = ScopeType.INHERIT,
      description =
          "Headings in bold: auto (default) on a terminal, unless NO_COLOR is set; nothing is told by"
              + " colour alone.")
  private void setColor(@Nullable Color choice) {
    if (choice != null) {
      color = choice;
    }
  }

  /** Tells whether what goes to standard output may have colours. */
  boolean coloredOutput() {
    return colored(terminal.showsOutput());
  }

  /** Tells whether what goes to standard error may have colours. */
  boolean coloredMessages() {
    return colored(terminal.showsMessages());
  }

  private boolean colored(boolean shown) {
    return switch (color) {
      case always -> true;
      case never -> false;
      // https://no-color.org: present and not empty, whatever it says.
      case auto ->
          shown
              && environment.getOrDefault("NO_COLOR", "").isEmpty()
              && !"dumb".equals(environment.get("TERM"));
    };
  }
}
