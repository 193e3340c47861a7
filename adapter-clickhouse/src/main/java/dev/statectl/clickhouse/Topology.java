package dev.statectl.clickhouse;

import dev.statectl.port.StateFailure;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Knows on how many servers the tables are, and what follows from that. What every user may see is
 * looked up before the first statement whose sense depends on it; clusters before the first write
 * or the first statement that makes something, so that a read never asks for them. Thread-safe.
 */
final class Topology {
  private static final int NO_ELEMENTS_IN_CONFIG = 139;
  private static final String DEFAULT_PATH = "/clickhouse/tables/{uuid}/{shard} {replica}";
  private static final Pattern MACRO = Pattern.compile("\\{(\\w+)}");
  // What the server fills in itself.
  private static final List<String> NO_MACROS = List.of("uuid", "database", "table", "server_uuid");

  /** What every user may see. */
  private record Place(String databaseEngine, boolean cloud, Map<TableDesign, String> engines) {}

  private record Fact(String kind, String subject, String value) {}

  private final ClickHouseConnection connection;
  private final ClickHouseErrors errors;
  private final ClickHouseSettings settings;
  private final TableNames names;
  private volatile @Nullable Place place;
  // Set once all is well: what is refused may be mended meanwhile.
  private volatile @Nullable TopologyFacts known;
  private volatile boolean macrosThere;

  Topology(
      ClickHouseConnection connection,
      ClickHouseErrors errors,
      ClickHouseSettings settings,
      TableNames names) {
    this.connection = connection;
    this.errors = errors;
    this.settings = settings;
    this.names = names;
  }

  /**
   * Tells what a table is. One that does not exist is plain, and is asked for again the next time.
   * Where {@code replicated} is off, nobody is asked unless consistency is wanted all the same.
   *
   * @param placeholder what stands for it in statements, as in {@code lock_table}
   */
  TableKind kind(String placeholder) {
    if (isOff() && settings.replication().consistency() != Consistency.STRONG) {
      return TableKind.PLAIN;
    }
    TableDesign design =
        switch (placeholder) {
          case "table" -> TableDesign.STATES;
          case "lock_table" -> TableDesign.LOCKS;
          case "history_table" -> TableDesign.HISTORY;
          default -> throw new IllegalArgumentException(placeholder);
        };
    String engine = placeWith(Set.of(design)).engines().getOrDefault(design, "");
    if (engine.startsWith("Shared")) {
      return TableKind.SHARED;
    }
    return TopologyFacts.isReplicated(engine) ? TableKind.REPLICATED : TableKind.PLAIN;
  }

  /**
   * Tells whether several servers hold the same rows, so that another one may answer next time;
   * false where {@code replicated} is off.
   *
   * @throws StateFailure as {@link #requireWritable} does
   */
  boolean hasReplicas() {
    return !isOff() && writable().hasReplicas();
  }

  /**
   * Makes sure that what is written is met by all who read.
   *
   * @throws StateFailure.WrongSchema when the tables are not replicated on several replicas, when
   *     they are spread over several shards, or when a cluster that is needed is not known
   * @throws StateFailure.Denied when the user may not see whether a cluster that is named has
   *     replicas, and that matters
   */
  void requireWritable() {
    if (!isOff()) {
      writable();
    }
  }

  /**
   * Fills in what a statement that makes something says of clusters and engines.
   *
   * @throws StateFailure as {@link #requireWritable} does, and {@link StateFailure.WrongSchema}
   *     when the server lacks what a replicated table needs
   */
  String placed(String createSql) {
    return placement(createSql).in(createSql);
  }

  /** Where what a statement makes is made; fails as {@link #placed} does. */
  Placement placement(String createSql) {
    if (isOff()) {
      return Placement.PLAIN;
    }
    Optional<Placement> placement = writable().placement();
    if (!createSql.contains(Placement.REPLICATED)) {
      return placement.orElse(Placement.PLAIN);
    }
    Placement here =
        placement.orElseThrow(
            () ->
                errors.refusedHere(
                    "the tables are replicated, but in which cluster is not known here",
                    "name it in state_backend.clickhouse.cluster"));
    if (!here.cluster().isEmpty() && !macrosThere) {
      requireMacros();
      macrosThere = true;
    }
    return here;
  }

  private boolean isOff() {
    return settings.replication().replicated() == Replicated.OFF;
  }

  private TopologyFacts writable() {
    TopologyFacts facts = known;
    if (facts == null) {
      facts = look();
      check(facts);
      known = facts;
    }
    return facts;
  }

  // What a read saw may have been mended since, so nobody is refused for that alone.
  private TopologyFacts look() {
    Set<TableDesign> both = Set.of(TableDesign.STATES, TableDesign.LOCKS);
    boolean wasSeen = place != null;
    TopologyFacts facts = facts(placeWith(both));
    if (wasSeen && facts.obstacle(names).isPresent()) {
      place = null;
      facts = facts(placeWith(both));
    }
    return facts;
  }

  private void check(TopologyFacts facts) {
    if (facts.mustSeeClusters()) {
      throw facts.unseen().orElseThrow();
    }
    facts
        .obstacle(names)
        .ifPresent(
            obstacle -> {
              place = null;
              throw errors.refusedHere(obstacle.why(), obstacle.advice());
            });
  }

  /** Asks the server anew, and judges nothing. */
  TopologyFacts seen() {
    return facts(askPlace());
  }

  /** What was seen before, if these tables were there; what is made later is seen later. */
  private Place placeWith(Set<TableDesign> tables) {
    Place seen = place;
    if (seen == null || !seen.engines().keySet().containsAll(tables)) {
      seen = askPlace();
      place = seen;
    }
    return seen;
  }

  private Place askPlace() {
    List<Fact> facts = new ArrayList<>();
    try {
      connection.readEach(
          Operation.READ,
          TopologySql.PLACE,
          Map.of(
              "schema", names.schema().text(),
              "table", names.state().text(),
              "lock_table", names.lock().text(),
              "history_table", names.history().text()),
          row -> new Fact(row.text("kind"), row.text("subject"), row.text("value")),
          facts::add);
    } catch (TableMissingException e) {
      // It asks for nothing that could be missing but the database that the user connects to.
      throw errors.unknownDatabase(e);
    }
    Map<TableDesign, String> engines = new EnumMap<>(TableDesign.class);
    of(facts, "table")
        .forEach(
            table ->
                Stream.of(TableDesign.values())
                    .filter(design -> design.name(names).text().equals(table.subject()))
                    .forEach(design -> engines.put(design, table.value())));
    return new Place(
        of(facts, "database").map(Fact::value).findFirst().orElse(""),
        of(facts, "cloud").anyMatch(fact -> fact.value().equals("1")),
        engines);
  }

  private static Stream<Fact> of(List<Fact> facts, String kind) {
    return facts.stream().filter(fact -> fact.kind().equals(kind));
  }

  private TopologyFacts facts(Place seen) {
    List<TopologyFacts.Cluster> clusters = List.of();
    Optional<StateFailure.Denied> unseen = Optional.empty();
    if (!seen.cloud()) {
      try {
        clusters = clusters();
      } catch (StateFailure.Denied e) {
        unseen = Optional.of(e);
      } catch (StateFailure.WrongSchema e) {
        // There is no such macro, so no such cluster.
        if (!isOfCode(e, NO_ELEMENTS_IN_CONFIG)) {
          throw e;
        }
      }
    }
    return new TopologyFacts(
        settings.replication(),
        seen.databaseEngine(),
        seen.cloud(),
        seen.engines(),
        clusters,
        unseen,
        !settings.fallbacks().isEmpty());
  }

  private List<TopologyFacts.Cluster> clusters() {
    String cluster = settings.replication().cluster();
    String sql =
        cluster.isEmpty()
            ? TopologySql.CLUSTERS
            : cluster.startsWith("{") ? TopologySql.CLUSTER_OF_MACRO : TopologySql.CLUSTER;
    List<TopologyFacts.Cluster> clusters = new ArrayList<>();
    connection.readEach(
        Operation.EXAMINE_CLUSTERS,
        sql,
        Map.of("schema", names.schema().text(), "cluster", cluster.replaceAll("[{}]", "")),
        row ->
            new TopologyFacts.Cluster(
                row.text("name"), row.number("shards"), row.number("replicas")),
        clusters::add);
    return clusters;
  }

  /**
   * Makes sure that the server has what it makes the path of a replicated table of.
   *
   * @throws StateFailure.WrongSchema when it has not
   */
  private void requireMacros() {
    List<String> missing = missingMacros();
    if (!missing.isEmpty()) {
      throw errors.refusedHere(
          ReplicationFindings.without(missing), ReplicationFindings.SET_MACROS);
    }
  }

  /** Tells which macros the server lacks of those that it makes that path of. */
  List<String> missingMacros() {
    return MACRO
        .matcher(defaultPath())
        .results()
        .map(MatchResult::group)
        .map(macro -> macro.substring(1, macro.length() - 1))
        .filter(macro -> !NO_MACROS.contains(macro))
        .distinct()
        .filter(macro -> !isThere(macro))
        .toList();
  }

  private String defaultPath() {
    try {
      List<String> parts = new ArrayList<>();
      connection.readEach(
          Operation.EXAMINE,
          TopologySql.DEFAULT_PATH,
          Map.of(),
          row -> row.text("value"),
          parts::add);
      return parts.stream().collect(Collectors.joining(" "));
    } catch (StateFailure e) {
      // An older server, or one that shows it to nobody; nearly none has another path.
      return DEFAULT_PATH;
    }
  }

  private boolean isThere(String macro) {
    try {
      return connection
          .readFirst(
              Operation.EXAMINE,
              TopologySql.MACRO,
              Map.of("macro", macro),
              row -> row.text("value"))
          .isPresent();
    } catch (StateFailure.WrongSchema e) {
      if (isOfCode(e, NO_ELEMENTS_IN_CONFIG)) {
        return false;
      }
      throw e;
    }
  }

  private static boolean isOfCode(StateFailure failure, int code) {
    return failure.getCause() instanceof WithheldException cause && cause.serverCode() == code;
  }
}
