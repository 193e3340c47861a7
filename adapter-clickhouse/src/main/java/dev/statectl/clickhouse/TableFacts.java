package dev.statectl.clickhouse;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the server says of a table.
 *
 * @param name the table
 * @param engine the engine, such as {@code ReplacingMergeTree}
 * @param engineFull the engine with its arguments, keys, TTL and settings, as the server spells it
 * @param sortingKey the key, its parts separated by a comma and a space
 * @param partitionKey the partitioning; empty for none
 * @param activeParts how many parts it consists of
 * @param bytes how large it is
 * @param columns its columns
 */
record TableFacts(
    String name,
    String engine,
    String engineFull,
    String sortingKey,
    String partitionKey,
    long activeParts,
    long bytes,
    List<Column> columns) {
  private static final Pattern TTL = Pattern.compile(" TTL (.*?)(?: SETTINGS .*)?$");
  private static final Pattern SETTINGS = Pattern.compile(" SETTINGS (.*)$");

  /**
   * A column.
   *
   * @param name its name
   * @param type its type, as the server spells it
   * @param defaultExpression its default; empty for none
   */
  record Column(String name, String type, String defaultExpression) {}

  Optional<Column> column(String called) {
    return columns.stream().filter(column -> column.name().equals(called)).findFirst();
  }

  /** The engine's own arguments; those that a replicated engine has in front are quoted texts. */
  List<String> engineArguments() {
    if (!engineFull.startsWith(engine + "(")) {
      return List.of();
    }
    String from = engineFull.substring(engine.length() + 1);
    return Arrays.stream(from.substring(0, from.indexOf(')')).split(","))
        .map(String::strip)
        .filter(argument -> !argument.isEmpty() && !argument.startsWith("'"))
        .toList();
  }

  /** The rule by which rows go away; empty when they stay. */
  Optional<String> ttl() {
    return ttlOf(engineFull);
  }

  /** The same of an engine alone. */
  static Optional<String> ttlOf(String engineFull) {
    Matcher rule = TTL.matcher(engineFull);
    return rule.find() ? Optional.of(rule.group(1)) : Optional.empty();
  }

  /** The table's own settings. */
  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    Matcher list = SETTINGS.matcher(engineFull);
    if (list.find()) {
      for (String pair : list.group(1).split(", ")) {
        String[] parts = pair.split(" = ", 2);
        settings.put(parts[0], parts.length < 2 ? "" : parts[1]);
      }
    }
    return settings;
  }

  /** Whether each replica keeps the same rows by itself. */
  boolean isReplicated() {
    return TopologyFacts.isReplicated(engine);
  }

  /** The engine without what says that it is replicated. */
  String family() {
    return engine.replaceFirst("^(Replicated|Shared)", "");
  }
}
