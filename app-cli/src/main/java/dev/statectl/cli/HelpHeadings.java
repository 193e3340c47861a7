package dev.statectl.cli;

import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The headings of a help, which are bold where colours are wanted; nothing else is. */
final class HelpHeadings {
  private HelpHeadings() {}

  /** The colours of a help, or none. */
  static Help.ColorScheme scheme(boolean colored) {
    // Without styles for commands, options and parameters.
    return new Help.ColorScheme.Builder(colored ? Ansi.ON : Ansi.OFF).build();
  }

  /** Marks the headings of a help. */
  static void emphasize(UsageMessageSpec usage) {
    usage
        .synopsisHeading("@|bold Usage:|@ ")
        .commandListHeading(emphasized(usage.commandListHeading()))
        .exitCodeListHeading(emphasized(usage.exitCodeListHeading()))
        .footerHeading(emphasized(usage.footerHeading()));
  }

  private static String emphasized(String heading) {
    String words = heading.replace("%n", "");
    return words.isBlank() ? heading : heading.replace(words, "@|bold " + words + "|@");
  }
}
