package dev.statectl.clickhouse;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What each server of a cluster has of the tables that a migration reads, makes and removes. Asks
 * nobody.
 */
final class TablesOfServers {
  /**
   * A table of a server, or anything that shows that the server was asked.
   *
   * @param server the server, for people
   * @param name the table's name
   * @param engine the table's engine
   */
  record Table(String server, String name, String engine) {}

  private enum Form {
    MISSING,
    PLAIN,
    REPLICATED
  }

  private final TableNames names;
  private final Map<String, Map<String, String>> engines = new TreeMap<>();

  TablesOfServers(TableNames names, List<Table> tables) {
    this.names = names;
    tables.forEach(
        table ->
            engines
                .computeIfAbsent(table.server(), server -> new TreeMap<>())
                .put(table.name(), table.engine()));
  }

  /** The servers that have a table, for people; empty when none has. */
  Optional<String> owners(TableDesign design) {
    List<String> owners =
        engines.keySet().stream()
            .filter(server -> form(server, design.name(names)) != Form.MISSING)
            .toList();
    return owners.isEmpty() ? Optional.empty() : Optional.of(String.join(" and ", owners));
  }

  /**
   * Tells in what a server is not as far as another, so that one statement for all of them would
   * meet other tables there. Where no server has exchanged anything, what one lacks does no harm:
   * it is made, or made anew.
   */
  Optional<String> difference() {
    return Stream.of(TableDesign.values())
        .flatMap(
            design -> {
              Identifier copy = ReplicatingStatements.copyOf(design, names);
              Identifier kept = ReplicatingStatements.keptOf(design, names);
              return isUntouched(design.name(names), copy)
                  ? Stream.of(kept)
                  : Stream.of(design.name(names), copy, kept);
            })
        .filter(name -> engines.keySet().stream().map(s -> form(s, name)).distinct().count() > 1)
        .findFirst()
        .map(this::told);
  }

  private boolean isUntouched(Identifier table, Identifier copy) {
    return engines.keySet().stream()
        .allMatch(
            server -> form(server, table) != Form.REPLICATED && form(server, copy) != Form.PLAIN);
  }

  private Form form(String server, Identifier name) {
    String engine = engines.getOrDefault(server, Map.of()).get(name.text());
    if (engine == null) {
      return Form.MISSING;
    }
    return TopologyFacts.isReplicated(engine) ? Form.REPLICATED : Form.PLAIN;
  }

  private String told(Identifier name) {
    return names.schema().readable()
        + "."
        + name.readable()
        + " is "
        + engines.entrySet().stream()
            .map(
                server ->
                    server.getValue().getOrDefault(name.text(), "missing")
                        + " on "
                        + server.getKey())
            .collect(Collectors.joining(" and "));
  }
}
