package dev.statectl.clickhouse;

import dev.statectl.port.Migration;
import dev.statectl.port.MigrationPlan;
import dev.statectl.port.MigrationStep;
import dev.statectl.port.StateFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Replicates tables that each server of a cluster has for itself: makes replicated ones beside
 * them, copies what all servers have, and exchanges them. The old tables stay, under the name of
 * the copies until all is done, and then under one of their own. So what is left of an interrupted
 * migration shows by the engines of the two.
 */
final class ClickHouseMigration implements Migration {
  /** How long a statement may take here, which may copy everything there is. */
  static final Duration PATIENCE = Duration.ofHours(1);

  private static final String BY_HAND =
      ", and run it again; where none is, see what the server has, and make it as the others are";
  private static final String WAIT_FOR_QUEUE =
      "wait for the ON CLUSTER statement that is still queued there, which"
          + " system.distributed_ddl_queue shows"
          + BY_HAND;
  private static final String CATCH_UP =
      "wait for the statements of the database that are still to come there, or run SYSTEM SYNC"
          + " DATABASE REPLICA on it"
          + BY_HAND;
  private static final String SEE_EXCHANGED = "see that no table was exchanged meanwhile";
  // Whoever looks at locks in between should find them.
  private static final List<TableDesign> ORDER =
      List.of(TableDesign.LOCKS, TableDesign.STATES, TableDesign.HISTORY);

  private record Table(String engine, String engineFull, long made) {}

  /** What there is to do. */
  private static final class Work {
    final List<ReplicatingStatements> whole = new ArrayList<>();
    final List<ReplicatingStatements> leftovers = new ArrayList<>();
    final List<ReplicatingStatements> rest = new ArrayList<>();
    final List<ReplicatingStatements> counted = new ArrayList<>();
    final List<ReplicatingStatements> countedBefore = new ArrayList<>();
    @Nullable ReplicatingStatements states;

    boolean isDone() {
      return rest.isEmpty();
    }
  }

  private final ClickHouseConnection connection;
  private final ClickHouseErrors errors;
  private final Topology topology;
  private final TableNames names;
  private final HistoryView view;

  ClickHouseMigration(
      ClickHouseConnection connection,
      ClickHouseErrors errors,
      Topology topology,
      TableNames names,
      HistoryView view) {
    this.connection = connection;
    this.errors = errors;
    this.topology = topology;
    this.names = names;
    this.view = view;
  }

  @Override
  public MigrationPlan toReplicated() {
    TopologyFacts facts = topology.seen();
    if (facts.mustSeeClusters()) {
      throw facts.unseen().orElseThrow();
    }
    facts
        .obstacle(names)
        .filter(obstacle -> !obstacle.migratable())
        .ifPresent(
            obstacle -> {
              throw errors.notReplicable(obstacle.why(), obstacle.advice());
            });
    if (facts.asked().replicated() == Replicated.OFF) {
      throw errors.notReplicable(
          "state_backend.clickhouse.replicated is off, and replicated tables would be used as if"
              + " each server had its own",
          "set it to auto, also for whoever uses the tables afterwards");
    }
    if (facts.cloud()) {
      return new MigrationPlan(facts.where(), List.of(), List.of(), List.of());
    }
    Placement placement = facts.placement().orElse(Placement.PLAIN);
    if (!placement.replicated()) {
      // Then the server may know of others, and not show them to this user.
      facts
          .unseen()
          .ifPresent(
              denied -> {
                throw denied;
              });
      throw errors.notReplicable(
          "the server knows of no other replicas",
          "name their cluster in state_backend.clickhouse.cluster");
    }
    if (!placement.cluster().isEmpty()) {
      List<String> missing = topology.missingMacros();
      if (!missing.isEmpty()) {
        throw errors.notReplicable(
            ReplicationFindings.without(missing), ReplicationFindings.SET_MACROS);
      }
    }
    return plan(
        placement, placement.cluster().isEmpty() ? names.schema().text() : placement.cluster());
  }

  /** Plans for a cluster whose servers have the tables, and a place for their copies. */
  MigrationPlan plan(Placement placement, String cluster) {
    Work work = work(placement, cluster);
    String goal =
        placement.cluster().isEmpty()
            ? "replicated tables in the database " + names.schema().readable()
            : "replicated tables in the cluster " + cluster;
    if (work.isDone()) {
      return new MigrationPlan(goal, List.of(), List.of(), List.of());
    }
    List<MigrationStep> steps = new ArrayList<>();
    if (!placement.cluster().isEmpty()) {
      add(
          steps,
          "make the tables on servers that lack them",
          work.whole,
          ReplicatingStatements::createOld);
    }
    addCheck(steps, SEE_EXCHANGED, work.leftovers, ReplicatingStatements::countExchanged);
    add(
        steps,
        "remove copies that were not finished",
        work.leftovers,
        ReplicatingStatements::dropCopy);
    add(steps, "make replicated tables beside them", work.whole, ReplicatingStatements::createCopy);
    add(steps, "copy what all servers have", work.whole, ReplicatingStatements::copyAll);
    addCheck(steps, "compare the copies", work.countedBefore, ReplicatingStatements::countMissing);
    add(
        steps,
        "wait until every server has the copies",
        work.whole,
        ReplicatingStatements::syncCopy);
    if (!work.whole.isEmpty()) {
      steps.add(
          new MigrationStep(
              "exchange the tables and their copies",
              false,
              renaming(
                  "EXCHANGE TABLES ", work.whole, ReplicatingStatements::exchanged, placement)));
    }
    add(steps, "copy what was written meanwhile", work.rest, ReplicatingStatements::copyRest);
    if (view.isThere()) {
      steps.add(
          new MigrationStep(
              "have every server record history",
              false,
              List.of(names.runIn(TableRebuild.oneLine(placement.in(HistorySql.CREATE_VIEW))))));
    }
    addCheck(
        steps, "compare the tables", work.counted, ReplicatingStatements::countMissingAfterwards);
    steps.add(
        new MigrationStep(
            "set the old tables aside",
            false,
            renaming("RENAME TABLE ", work.rest, ReplicatingStatements::setAside, placement)));
    return new MigrationPlan(
        goal,
        work.states == null ? List.of() : contents(work.states),
        steps,
        work.rest.stream().map(ReplicatingStatements::dropOld).toList());
  }

  /**
   * All at once in a cluster. A database with the engine Replicated takes one pair a statement.
   *
   * @see <a
   *     href="https://github.com/ClickHouse/ClickHouse/blob/master/src/Interpreters/InterpreterRenameQuery.cpp">
   *     InterpreterRenameQuery.cpp</a>
   */
  private static List<String> renaming(
      String verb,
      List<ReplicatingStatements> tables,
      Function<ReplicatingStatements, String> pair,
      Placement placement) {
    List<String> pairs = tables.stream().map(pair).toList();
    List<String> together =
        placement.cluster().isEmpty() ? pairs : List.of(String.join(", ", pairs));
    return together.stream().map(each -> verb + each + placement.onCluster()).toList();
  }

  private static void add(
      List<MigrationStep> steps,
      String what,
      List<ReplicatingStatements> tables,
      Function<ReplicatingStatements, String> statement) {
    if (!tables.isEmpty()) {
      steps.add(new MigrationStep(what, false, tables.stream().map(statement).toList()));
    }
  }

  private static void addCheck(
      List<MigrationStep> steps,
      String what,
      List<ReplicatingStatements> tables,
      Function<ReplicatingStatements, String> statement) {
    if (!tables.isEmpty()) {
      steps.add(new MigrationStep(what, true, tables.stream().map(statement).toList()));
    }
  }

  private Work work(Placement placement, String cluster) {
    TablesOfServers all = tablesOf(cluster);
    all.difference()
        .ifPresent(
            difference -> {
              throw errors.notReplicable(
                  "the servers differ: " + difference,
                  placement.cluster().isEmpty() ? CATCH_UP : WAIT_FOR_QUEUE);
            });
    Map<String, Table> tables = tables();
    Map<String, List<String>> columns = columns();
    long now =
        connection
            .readFirst(Operation.MIGRATE, StateTableSql.CLOCK, Map.of(), row -> row.number("clock"))
            .orElseThrow();
    Work work = new Work();
    for (TableDesign design : ORDER) {
      String name = design.name(names).text();
      Table table = tables.get(name);
      Table copy = tables.get(ReplicatingStatements.copyOf(design, names).text());
      if (table == null) {
        all.owners(design)
            .ifPresent(
                owners -> {
                  throw errors.notReplicable(
                      design.shown(names) + " is not on this server, but on " + owners,
                      "run it on one that has all tables");
                });
        continue;
      }
      boolean replicated = TopologyFacts.isReplicated(table.engine());
      boolean copyReplicated = copy != null && TopologyFacts.isReplicated(copy.engine());
      if (replicated && (copy == null || copyReplicated)) {
        continue;
      }
      if (!replicated && copy != null && placement.replicated() && !copyReplicated) {
        throw errors.notReplicable(
            "there are two tables that are not replicated, "
                + design.shown(names)
                + " and "
                + ReplicatingStatements.copyOf(design, names).readable(),
            "see which of them has the rows, and rename or drop the other");
      }
      if (tables.containsKey(ReplicatingStatements.keptOf(design, names).text())) {
        throw errors.notReplicable(
            names.schema().readable()
                + "."
                + ReplicatingStatements.keptOf(design, names).readable()
                + " is there from an earlier migration",
            "rename it, or drop it when nobody needs it any more");
      }
      ReplicatingStatements statements =
          new ReplicatingStatements(
              design,
              names,
              placement,
              cluster,
              design.columns().keySet().stream()
                  .filter(columns.getOrDefault(name, List.of())::contains)
                  .toList(),
              table.engineFull(),
              replicated ? table.made() * 1000 : now);
      work.rest.add(statements);
      if (design != TableDesign.LOCKS) {
        work.counted.add(statements);
      }
      if (replicated) {
        continue;
      }
      work.whole.add(statements);
      if (design != TableDesign.LOCKS) {
        work.countedBefore.add(statements);
      }
      if (copyReplicated) {
        work.leftovers.add(statements);
      }
      if (design == TableDesign.STATES) {
        work.states = statements;
      }
    }
    return work;
  }

  private Map<String, Table> tables() {
    Map<String, Table> tables = new HashMap<>();
    connection.readEach(
        Operation.MIGRATE,
        MigrationSql.TABLES,
        Map.of("schema", names.schema().text(), "tables", allNames()),
        row ->
            Map.entry(
                row.text("name"),
                new Table(row.text("engine"), row.text("engine_full"), row.number("made"))),
        table -> tables.put(table.getKey(), table.getValue()));
    return tables;
  }

  private TablesOfServers tablesOf(String cluster) {
    List<TablesOfServers.Table> tables = new ArrayList<>();
    connection.readEach(
        Operation.MIGRATE,
        MigrationSql.TABLES_OF_ALL,
        Map.of("cluster", cluster, "schema", names.schema().text(), "tables", allNames()),
        row -> new TablesOfServers.Table(row.text("server"), row.text("name"), row.text("engine")),
        tables::add);
    return new TablesOfServers(names, tables);
  }

  private Map<String, List<String>> columns() {
    Map<String, List<String>> columns = new HashMap<>();
    connection.readEach(
        Operation.MIGRATE,
        MigrationSql.COLUMNS,
        Map.of("schema", names.schema().text(), "tables", allNames()),
        row -> Map.entry(row.text("owner"), row.text("name")),
        column ->
            columns
                .computeIfAbsent(column.getKey(), table -> new ArrayList<>())
                .add(column.getValue()));
    return columns;
  }

  private List<String> allNames() {
    return ORDER.stream()
        .flatMap(
            design ->
                Stream.of(
                    design.name(names).text(),
                    ReplicatingStatements.copyOf(design, names).text(),
                    ReplicatingStatements.keptOf(design, names).text()))
        .toList();
  }

  private List<MigrationPlan.Contents> contents(ReplicatingStatements states) {
    try {
      return connection.all(
          Operation.MIGRATE,
          MigrationSql.STATEMENT,
          query -> query.define("statement", states.contentsOfEach()),
          (row, context) ->
              new MigrationPlan.Contents(
                  row.getString("server"),
                  row.getLong("states"),
                  row.getLong("alone"),
                  row.getLong("older")));
    } catch (StateFailure.WrongSchema e) {
      // A server that lacks the table is no obstacle; what the others have is seen later.
      if (ClickHouseErrors.isOfMissingTable(e)) {
        return List.of();
      }
      throw e;
    }
  }

  @Override
  public void run(MigrationStep step) {
    for (String statement : step.statements()) {
      if (step.check()) {
        check(step, statement);
      } else {
        connection.execute(
            operation(statement),
            MigrationSql.STATEMENT,
            update -> update.define("statement", statement));
      }
    }
  }

  private static Operation operation(String statement) {
    if (statement.startsWith("INSERT ")) {
      return Operation.COPY;
    }
    return statement.startsWith("EXCHANGE ") || statement.startsWith("RENAME ")
        ? Operation.EXCHANGE
        : Operation.MIGRATE;
  }

  private void check(MigrationStep step, String statement) {
    long missing =
        connection
            .first(
                Operation.MIGRATE,
                MigrationSql.STATEMENT,
                query -> query.define("statement", statement),
                (row, context) -> row.getLong("missing"))
            .orElseThrow();
    if (missing > 0 && step.what().equals(SEE_EXCHANGED)) {
      throw errors.notReplicable(
          "to " + step.what() + " found " + missing + " that were",
          "run it again, which goes on from there");
    }
    if (missing > 0) {
      throw errors.notReplicable(
          "to " + step.what() + " found " + missing + " rows that were not copied",
          "stop what writes meanwhile, and run it again; what there is by now is kept");
    }
  }
}
