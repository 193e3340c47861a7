package dev.statectl.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The page of a command in section 1 of the manual, from the model that its command line is parsed
 * with. For man and groff, in ASCII.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/groff_man.7.html">groff_man(7)</a>
 */
final class ManPage {
  private static final String ENVIRONMENT = "ENVIRONMENT";
  private static final String EXAMPLES = "EXAMPLES";

  private final StringBuilder page = new StringBuilder();
  private final CommandLine commandLine;
  private final CommandSpec spec;
  private final UsageMessageSpec usage;

  private ManPage(CommandLine commandLine) {
    this.commandLine = commandLine;
    this.spec = commandLine.getCommandSpec();
    this.usage = spec.usageMessage();
  }

  /** The name of the page, without section and suffix. */
  static String name(CommandLine commandLine) {
    return commandLine.getCommandSpec().qualifiedName("-");
  }

  /**
   * Writes the page.
   *
   * @param version the version of the command
   */
  static String text(CommandLine commandLine, String version) {
    return new ManPage(commandLine).text(version);
  }

  private String text(String version) {
    String name = name(commandLine);
    page.append(".\\\" Generated from the model of the command line.\n.TH \"")
        .append(escaped(name.toUpperCase(Locale.ROOT)))
        .append("\" 1 \"\" \"")
        .append(escaped(version))
        .append("\" \"statectl\"\n.nh\n.ad l\n");
    section("NAME");
    line(escaped(name) + " \\- " + escaped(HelpText.summary(usage.header())));
    section("SYNOPSIS");
    synopses().forEach(synopsis -> paragraph(bold(spec.qualifiedName(), synopsis)));
    section("DESCRIPTION");
    List<String> description = HelpText.lines(usage.description());
    text(description.isEmpty() ? HelpText.lines(usage.header()) : description);
    list("COMMANDS", commands());
    list(
        "OPERANDS",
        spec.positionalParameters().stream().filter(word -> !word.hidden()).map(ManPage::entry));
    list("OPTIONS", spec.options().stream().filter(o -> !o.hidden()).map(ManPage::entry));
    list(
        "EXIT STATUS",
        usage.exitCodeList().entrySet().stream()
            .map(code -> Map.entry(escaped(code.getKey()), List.of(code.getValue()))));
    Map<String, List<String>> footers = new LinkedHashMap<>(footers(commandLine));
    List<String> variables = footers(spec.root().commandLine()).get(ENVIRONMENT);
    if (variables != null) {
      footers.putIfAbsent(ENVIRONMENT, variables);
    }
    footers.forEach(this::footer);
    seeAlso();
    return page.toString();
  }

  private List<String> synopses() {
    String[] custom = usage.customSynopsis();
    if (custom.length == 0) {
      return List.of(commandLine.getHelp().synopsis(0).replaceAll("\\s+", " ").strip());
    }
    List<String> synopses = new ArrayList<>();
    for (String line : HelpText.lines(custom)) {
      if (line.strip().startsWith(spec.root().name()) || synopses.isEmpty()) {
        synopses.add(line.strip());
      } else {
        synopses.add(synopses.remove(synopses.size() - 1) + " " + line.strip());
      }
    }
    return synopses;
  }

  private Stream<Map.Entry<String, List<String>>> commands() {
    return below(commandLine)
        .map(
            command ->
                Map.entry(
                    "\\fB" + escaped(name(command)) + "\\fR(1)",
                    List.of(HelpText.summary(command.getCommandSpec().usageMessage().header()))));
  }

  private static Stream<CommandLine> below(CommandLine commandLine) {
    return commandLine.getSubcommands().values().stream()
        .filter(command -> !command.getCommandSpec().usageMessage().hidden());
  }

  private static Map.Entry<String, List<String>> entry(ArgSpec argument) {
    String label =
        argument.arity().max() == 0 ? "" : "\\fI" + escaped(argument.paramLabel()) + "\\fR";
    String term = label;
    if (argument instanceof OptionSpec option) {
      String names =
          Arrays.stream(option.names())
              .map(name -> "\\fB" + escaped(name) + "\\fR")
              .collect(Collectors.joining(", "));
      term = names + (label.isEmpty() || option.longestName().length() == 2 ? "" : "=") + label;
    }
    return Map.entry(term, HelpText.lines(argument.description()));
  }

  /** What stands at the end of the help, by its headings; examples of the commands below, too. */
  private static Map<String, List<String>> footers(CommandLine commandLine) {
    UsageMessageSpec usage = commandLine.getCommandSpec().usageMessage();
    Map<String, List<String>> footers = new LinkedHashMap<>();
    List<String> here = new ArrayList<>();
    for (String line :
        HelpText.lines(
            Stream.concat(Stream.of(usage.footerHeading()), Arrays.stream(usage.footer()))
                .toArray(String[]::new))) {
      if (line.matches("[A-Z][A-Za-z ]*:")) {
        String heading = line.substring(0, line.length() - 1).toUpperCase(Locale.ROOT);
        here = footers.computeIfAbsent(heading, key -> new ArrayList<>());
      } else if (!here.isEmpty() || !line.isBlank()) {
        here.add(line);
      }
    }
    if (!footers.containsKey(EXAMPLES)) {
      List<String> examples =
          below(commandLine)
              .flatMap(
                  command -> footers(command).getOrDefault(EXAMPLES, List.of()).stream().limit(1))
              .toList();
      if (!examples.isEmpty()) {
        footers.put(EXAMPLES, examples);
      }
    }
    return footers;
  }

  private void footer(String heading, List<String> lines) {
    section(heading);
    text(lines);
  }

  private void seeAlso() {
    Stream<CommandLine> parents =
        Stream.iterate(commandLine.getParent(), parent -> parent != null, CommandLine::getParent);
    List<String> pages =
        Stream.concat(parents, below(commandLine))
            .map(command -> "\\fB" + escaped(name(command)) + "\\fR(1)")
            .toList();
    section("SEE ALSO");
    line(String.join(", ", pages));
  }

  private void section(String name) {
    page.append(".SH \"").append(escaped(name)).append("\"\n");
  }

  private void list(String section, Stream<Map.Entry<String, List<String>>> entries) {
    List<Map.Entry<String, List<String>>> all = entries.toList();
    if (all.isEmpty()) {
      return;
    }
    section(section);
    for (Map.Entry<String, List<String>> entry : all) {
      page.append(".TP\n");
      line(entry.getKey());
      line(escaped(String.join(" ", entry.getValue())));
    }
  }

  /** Lines are paragraphs; indented ones stay as they are. */
  private void text(List<String> lines) {
    boolean verbatim = false;
    for (String line : lines) {
      boolean indented = line.startsWith("  ");
      if (verbatim && !indented) {
        page.append(".fi\n.RE\n");
      }
      if (indented && !verbatim) {
        page.append(".PP\n.RS 4\n.nf\n");
      }
      verbatim = indented;
      if (indented) {
        line(escaped(line.strip()));
      } else if (!line.isBlank()) {
        paragraph(escaped(line));
      }
    }
    if (verbatim) {
      page.append(".fi\n.RE\n");
    }
  }

  private void paragraph(String text) {
    // A heading begins a paragraph by itself.
    if (page.lastIndexOf(".SH ") < page.lastIndexOf("\n", page.length() - 2)) {
      page.append(".PP\n");
    }
    line(text);
  }

  private void line(String text) {
    // What begins with one of these would be a request.
    page.append(text.startsWith(".") ? "\\&" : "").append(text).append('\n');
  }

  private static String bold(String name, String synopsis) {
    return synopsis.startsWith(name)
        ? "\\fB" + escaped(name) + "\\fR" + escaped(synopsis.substring(name.length()))
        : escaped(synopsis);
  }

  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '\\' -> escaped.append("\\e");
                case '-' -> escaped.append("\\-");
                case '\'' -> escaped.append("\\(aq");
                case '"' -> escaped.append("\\(dq");
                case '`' -> escaped.append("\\(ga");
                case '^' -> escaped.append("\\(ha");
                case '~' -> escaped.append("\\(ti");
                default -> {
                  if (c < 127) {
                    escaped.append((char) c);
                  } else {
                    escaped.append(String.format(Locale.ROOT, "\\[u%04X]", c));
                  }
                }
              }
            });
    return escaped.toString();
  }
}
