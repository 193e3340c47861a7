package dev.statectl.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The usage of a command. The connection options, which all commands have, stand under a heading of
 * their own: explained at {@code statectl} itself, by their names elsewhere.
 */
final class CommandHelp extends Help {
  private static final String INDENT = "      ";

  private final boolean ofRoot;
  private final int width;

  CommandHelp(CommandSpec command, ColorScheme colours) {
    super(command, colours);
    this.ofRoot = command.parent() == null;
    this.width = command.usageMessage().width();
  }

  @Override
  protected Text createDetailedSynopsisOptionsText(
      Collection<ArgSpec> done,
      List<OptionSpec> options,
      Comparator<OptionSpec> order,
      boolean clusterSwitches) {
    return super.createDetailedSynopsisOptionsText(done, without(options), order, clusterSwitches)
        .concat(" [CONNECTION]...");
  }

  @Override
  public String optionListExcludingGroups(
      List<OptionSpec> options,
      Layout layout,
      Comparator<OptionSpec> order,
      IParamLabelRenderer labels) {
    String own = super.optionListExcludingGroups(without(options), layout, order, labels);
    List<OptionSpec> connection = options.stream().filter(ConnectionOptions::isOne).toList();
    if (ofRoot) {
      return own
          + "\nConnection, before or behind the command:\n"
          + super.optionListExcludingGroups(connection, createDefaultLayout(), null, labels)
          + "\n";
    }
    return own
        + "\nConnection, explained by 'statectl --help':\n"
        + wrapped(connection.stream().map(CommandHelp::named).collect(Collectors.toList()));
  }

  private static List<OptionSpec> without(List<OptionSpec> options) {
    return options.stream().filter(option -> !ConnectionOptions.isOne(option)).toList();
  }

  private static String named(OptionSpec option) {
    if (option.negatable()) {
      return option.longestName().replaceFirst("--", "--[no-]");
    }
    return option.arity().max() == 0
        ? option.longestName()
        : option.longestName() + "=" + option.paramLabel();
  }

  private String wrapped(List<String> words) {
    StringBuilder text = new StringBuilder();
    int column = 0;
    for (String word : words) {
      if (column > 0 && column + 1 + word.length() > width) {
        text.append('\n');
        column = 0;
      }
      text.append(column == 0 ? INDENT : " ").append(word);
      column += (column == 0 ? INDENT.length() : 1) + word.length();
    }
    return text.append('\n').toString();
  }
}
