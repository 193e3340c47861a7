package dev.statectl.cli;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * What shells complete: a command, its options and what it takes, and the commands below it. Made
 * from the model that command lines are parsed with, so that no command can be forgotten.
 *
 * @param path its name behind those of its parents, such as {@code statectl lock run}
 * @param summary a line about it
 * @param options its options without hidden ones, in the order of the help
 * @param words what it takes besides options, in order
 * @param commands the commands below it
 */
record CompletionModel(
    String path,
    String summary,
    List<Option> options,
    List<Word> words,
    List<CompletionModel> commands) {

  /** What stands behind an option, or by itself. */
  enum Kind {
    /** One of some words. */
    CHOICE,
    FILE,
    /** An id of a state, or of a lock. */
    ID,
    /** A program, then its arguments. */
    PROGRAM,
    /** Nothing that a shell knows. */
    OTHER
  }

  /**
   * What a place on the command line takes.
   *
   * @param label how the help names it
   * @param kind what it is
   * @param choices the words, for a choice only
   */
  record Value(String label, Kind kind, List<String> choices) {}

  /**
   * An option.
   *
   * @param names its names, short ones first
   * @param summary a line about it
   * @param value what it takes; empty when it is a switch
   * @param isRepeatable whether it may be given several times
   */
  record Option(List<String> names, String summary, List<Value> value, boolean isRepeatable) {}

  /**
   * What a command takes besides options.
   *
   * @param value what it is
   * @param isRest whether it takes all further words
   */
  record Word(Value value, boolean isRest) {}

  static CompletionModel of(CommandLine commandLine) {
    CommandSpec spec = commandLine.getCommandSpec();
    return new CompletionModel(
        spec.qualifiedName(),
        HelpText.summary(spec.usageMessage().header()),
        spec.options().stream()
            .filter(option -> !option.hidden())
            .map(CompletionModel::option)
            .toList(),
        spec.positionalParameters().stream()
            .filter(word -> !word.hidden())
            .map(CompletionModel::word)
            .toList(),
        commandLine.getSubcommands().values().stream()
            .filter(command -> !command.getCommandSpec().usageMessage().hidden())
            .map(CompletionModel::of)
            .toList());
  }

  String name() {
    return path.substring(path.lastIndexOf(' ') + 1);
  }

  /** This command and all below it. */
  List<CompletionModel> all() {
    List<CompletionModel> all = new ArrayList<>(List.of(this));
    commands.forEach(command -> all.addAll(command.all()));
    return all;
  }

  private static Option option(OptionSpec option) {
    List<String> names = Arrays.stream(option.names()).sorted(byLength()).toList();
    List<Value> value = option.arity().max() == 0 ? List.of() : List.of(value(option));
    return new Option(names, HelpText.summary(option.description()), value, option.isMultiValue());
  }

  private static Comparator<String> byLength() {
    return Comparator.comparingInt(String::length);
  }

  private static Word word(PositionalParamSpec word) {
    return new Word(value(word), word.index().isVariable() || word.arity().max() > 1);
  }

  private static Value value(ArgSpec argument) {
    String label = argument.paramLabel();
    List<String> choices = choices(argument);
    return new Value(label, choices.isEmpty() ? kind(argument) : Kind.CHOICE, choices);
  }

  private static List<String> choices(ArgSpec argument) {
    Iterable<String> candidates = argument.completionCandidates();
    if (candidates != null) {
      return StreamSupport.stream(candidates.spliterator(), false).toList();
    }
    String[] words = argument.paramLabel().split("\\|");
    boolean areWords = Arrays.stream(words).allMatch(word -> word.matches("[a-z][a-z0-9-]*"));
    return words.length > 1 && areWords ? List.of(words) : List.of();
  }

  private static Kind kind(ArgSpec argument) {
    Class<?> type = argument.typeInfo().getType();
    String label = argument.paramLabel().toUpperCase(Locale.ROOT);
    if (type == Path.class || type == File.class || label.matches(".*\\b(FILE|DIRECTORY)\\b.*")) {
      return Kind.FILE;
    }
    if (label.matches("\\W*(ID|SRC|DST)(\\W.*)?")) {
      return Kind.ID;
    }
    return label.contains("COMMAND") ? Kind.PROGRAM : Kind.OTHER;
  }
}
