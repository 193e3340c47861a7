package dev.statectl.clickhouse;

import dev.statectl.port.Checkup;
import dev.statectl.port.Finding;
import dev.statectl.port.Mend;
import dev.statectl.port.StateFailure;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Reads facts of the server, the tables and the user, and has them judged. What a fact means is
 * decided in the classes named {@code …Findings}, which ask nothing.
 */
final class ClickHouseCheckup implements Checkup {
  private static final int PINGS = 5;
  private static final String TABLES_MISSING = "tables-missing";

  private final ClickHouseConnection connection;
  private final ClickHouseSettings settings;
  private final Tables tables;
  private final TableNames names;
  private final HistoryView view;
  private final LockPeers peers;
  private final Topology topology;

  ClickHouseCheckup(
      ClickHouseConnection connection,
      ClickHouseSettings settings,
      Tables tables,
      TableNames names,
      HistoryView view,
      LockPeers peers,
      Topology topology) {
    this.connection = connection;
    this.settings = settings;
    this.tables = tables;
    this.names = names;
    this.view = view;
    this.peers = peers;
    this.topology = topology;
  }

  @Override
  public List<Finding> examine() {
    ServerFacts server = server();
    Map<TableDesign, TableFacts> found = tables();
    TopologyFacts servers = topology.seen();
    Placement placement = servers.placement().orElse(Placement.PLAIN);
    boolean isOff = settings.replication().replicated() == Replicated.OFF;
    Placement made = isOff ? Placement.PLAIN : placement;
    boolean hasView = view.isThere();
    ServerFindings onServer = new ServerFindings(settings, names, server);
    List<Finding> findings = new ArrayList<>(onServer.all());
    findings.add(software());
    findings.add(onServer.place(hasOtherStates()));
    findings.addAll(rights(server, found, hasView));
    findings.addAll(missing(server, found, servers, made));
    Stream.of(TableDesign.values())
        .filter(found::containsKey)
        .flatMap(design -> TableFindings.of(design, names, placement, found.get(design)).stream())
        .map(finding -> asAllowed(finding, server))
        .forEach(findings::add);
    findings.add(history(found.keySet(), hasView));
    findings.addAll(ReplicationFindings.of(servers, names));
    if (!made.cluster().isEmpty()) {
      findings.addAll(ReplicationFindings.ofMacros(topology.missingMacros(), names));
    }
    if (ClaimFindings.areWanted(settings.replication().keeperLocks(), servers)) {
      findings.addAll(orUnexamined(ClaimFindings.CHECK, () -> List.of(claims(server))));
    }
    findings.addAll(orUnexamined("mutations", this::mutations));
    return List.copyOf(findings);
  }

  @Override
  public void mend(Finding finding) {
    if (!finding.isSafelyMendable()) {
      throw new IllegalArgumentException("no safe mend for " + finding.check());
    }
    if (finding.check().equals(TABLES_MISSING)) {
      tables.create();
    } else {
      Step.of(finding, names)
          .forEach(step -> connection.execute(step.operation(), step.sql(), u -> {}));
    }
  }

  /**
   * A statement that mends.
   *
   * @param operation what it does
   * @param sql the statement
   */
  private record Step(Operation operation, String sql) {
    /** All that a safe mend consists of. */
    static List<Step> of(Finding finding, TableNames names) {
      return switch (finding.check()) {
        case TableFindings.LOCK_KEY ->
            List.of(
                new Step(Operation.UPGRADE_LOCKS, LockTableSql.UPGRADE),
                new Step(Operation.UPGRADE_LOCKS, LockTableSql.UPGRADE_DEFAULT));
        case TableFindings.LOCK_DEFAULT ->
            List.of(new Step(Operation.UPGRADE_LOCKS, LockTableSql.UPGRADE_DEFAULT));
        case TableFindings.LOCK_TTL ->
            List.of(new Step(Operation.CHANGE_LOCKS, CheckupSql.RESTORE_LOCK_TTL));
        case TableFindings.PARTS -> List.of(merge(finding.subject(), names));
        default -> throw new IllegalArgumentException("no safe mend for " + finding.check());
      };
    }

    private static Step merge(String shown, TableNames names) {
      if (shown.equals(names.stateShown())) {
        return new Step(Operation.MERGE_STATES, CheckupSql.MERGE_STATES);
      }
      if (shown.equals(names.lockShown())) {
        return new Step(Operation.MERGE_LOCKS, CheckupSql.MERGE_LOCKS);
      }
      if (shown.equals(names.historyShown())) {
        return new Step(Operation.MERGE_HISTORY, CheckupSql.MERGE_HISTORY);
      }
      throw new IllegalArgumentException("no table of ours: " + shown);
    }
  }

  /** What the user may not run is not offered to be run. */
  private Finding asAllowed(Finding finding, ServerFacts server) {
    return !finding.isSafelyMendable()
            || Step.of(finding, names).stream().allMatch(step -> mayRun(step.operation(), server))
        ? finding
        : finding.withMend(new Mend(Mend.Means.SQL, finding.mend().orElseThrow().steps(), false));
  }

  private boolean mayRun(Operation operation, ServerFacts server) {
    if (server.readonly() != 0) {
      return false;
    }
    // Where the server does not know the question, it is tried.
    return isHeldOn(place(operation.target()), operation.privilege(), server);
  }

  private ServerFacts server() {
    List<Duration> pings = IntStream.range(0, PINGS).mapToObj(i -> ping()).sorted().toList();
    return connection
        .first(
            Operation.EXAMINE,
            CheckupSql.SERVER,
            query -> {},
            (row, context) ->
                new ServerFacts(
                    row.getString("version"),
                    row.getInt("readonly"),
                    row.getInt("asynchronous") == 1,
                    row.getInt("waits") == 1,
                    pings.get(PINGS / 2)))
        .orElseThrow();
  }

  private Duration ping() {
    long start = System.nanoTime();
    connection.first(
        Operation.EXAMINE, CheckupSql.PING, query -> {}, (row, context) -> row.getInt("one"));
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private Finding software() {
    return Finding.ok(
        "software",
        "statectl " + ClickHouseConnection.version(),
        "clickhouse-jdbc "
            + connection.driverVersion()
            + ", Jdbi "
            + Optional.ofNullable(Jdbi.class.getPackage().getImplementationVersion()).orElse("?")
            + ", Java "
            + System.getProperty("java.version"));
  }

  private boolean hasOtherStates() {
    return connection
        .first(
            Operation.EXAMINE,
            CheckupSql.OTHER_STATES,
            query ->
                query.bind("database", settings.database()).bind("table", names.state().text()),
            (row, context) -> row.getLong("columns") == 4)
        .orElseThrow();
  }

  private Map<TableDesign, TableFacts> tables() {
    Map<String, List<TableFacts.Column>> columns = new LinkedHashMap<>();
    connection
        .all(
            Operation.EXAMINE,
            CheckupSql.COLUMNS,
            this::bind,
            (row, context) ->
                Map.entry(
                    row.getString("owner"),
                    new TableFacts.Column(
                        row.getString("name"),
                        row.getString("type"),
                        row.getString("default_expression"))))
        .forEach(
            column ->
                columns
                    .computeIfAbsent(column.getKey(), table -> new ArrayList<>())
                    .add(column.getValue()));
    Map<TableDesign, TableFacts> found = new LinkedHashMap<>();
    for (TableFacts table :
        connection.all(
            Operation.EXAMINE,
            CheckupSql.TABLES,
            this::bind,
            (row, context) -> table(row, context, columns))) {
      Stream.of(TableDesign.values())
          .filter(design -> design.name(names).text().equals(table.name()))
          .forEach(design -> found.put(design, table));
    }
    return found;
  }

  private static TableFacts table(
      ResultSet row, StatementContext context, Map<String, List<TableFacts.Column>> columns)
      throws SQLException {
    String name = row.getString("name");
    return new TableFacts(
        name,
        row.getString("engine"),
        row.getString("engine_full"),
        row.getString("sorting_key"),
        row.getString("partition_key"),
        row.getLong("active"),
        row.getLong("bytes"),
        columns.getOrDefault(name, List.of()));
  }

  private Query bind(Query query) {
    return query
        .bind("schema", names.schema().text())
        .bind("table", names.state().text())
        .bind("lock_table", names.lock().text())
        .bind("history_table", names.history().text());
  }

  private List<Finding> rights(
      ServerFacts server, Map<TableDesign, TableFacts> found, boolean hasView) {
    Map<RightsFindings.Right, Boolean> held = new LinkedHashMap<>();
    try {
      boolean withHistory = hasView || found.containsKey(TableDesign.HISTORY);
      for (RightsFindings.Right right : RightsFindings.Right.ofWriter(withHistory)) {
        held.put(right, isHeld(right.privilege(), place(right.target())));
      }
    } catch (StateFailure e) {
      if (server.isAtLeast(25, 8)) {
        throw e;
      }
      // Older servers do not know the statement, and say so as of any that they cannot parse.
      return List.of(
          Finding.unexamined(
                  "rights",
                  "the user " + new Identifier(settings.user()).readable(),
                  "this server does not know CHECK GRANT")
              .withMend(Mend.command("statectl ddl --for " + settings.user())));
    }
    return new RightsFindings(names, settings.user(), server.readonly(), held, peers).all();
  }

  private String place(Operation.Target target) {
    return switch (target) {
      case LOCKS -> names.lockSql();
      case CLAIMS -> names.claimSql();
      case HISTORY -> names.historySql();
      case DATABASE, TABLES -> names.schemaSql() + ".*";
      default -> names.stateSql();
    };
  }

  private boolean isHeld(String privilege, String place) {
    return connection
        .first(
            Operation.EXAMINE,
            CheckupSql.RIGHT,
            query -> query.define("privilege", privilege).define("place", place),
            (row, context) -> row.getInt(1) == 1)
        .orElse(false);
  }

  private List<Finding> missing(
      ServerFacts server,
      Map<TableDesign, TableFacts> found,
      TopologyFacts servers,
      Placement placement) {
    List<TableDesign> missing =
        Stream.of(TableDesign.STATES, TableDesign.LOCKS)
            .filter(design -> !found.containsKey(design))
            .toList();
    if (missing.isEmpty()) {
      return List.of();
    }
    String schema = names.schema().readable();
    List<String> shown = missing.stream().map(design -> design.shown(names)).toList();
    boolean isDatabaseThere = !servers.databaseEngine().isEmpty();
    List<String> statements =
        Stream.of(
                Stream.of(SchemaSql.CREATE).filter(sql -> !isDatabaseThere),
                Stream.of(LockTableSql.CREATE).filter(sql -> missing.contains(TableDesign.LOCKS)),
                Stream.of(StateTableSql.CREATE).filter(sql -> missing.contains(TableDesign.STATES)))
            .flatMap(each -> each)
            .map(sql -> names.shownIn(TableRebuild.oneLine(placement.in(sql))))
            .toList();
    boolean mayCreate =
        mayRun(Operation.CREATE_TABLE, server)
            && (isDatabaseThere || mayRun(Operation.CREATE_DATABASE, server));
    String what = String.join(" and ", shown) + (missing.size() == 1 ? " is" : " are") + " missing";
    if (missing.contains(TableDesign.STATES) && found.containsKey(TableDesign.HISTORY)) {
      return List.of(lost(what));
    }
    Mend mend = new Mend(Mend.Means.SQL, statements, mayCreate);
    return List.of(
        (mayCreate
                ? Finding.info(
                    TABLES_MISSING,
                    schema,
                    what,
                    whyMissing(missing) + "; the first write makes what is missing")
                : Finding.warning(
                    TABLES_MISSING,
                    schema,
                    what + ", or this user may not see " + (missing.size() == 1 ? "it" : "them"),
                    "the user may not create tables, so nothing can be stored until an"
                        + " administrator does"))
            .withMend(mend));
  }

  private static String whyMissing(List<TableDesign> missing) {
    if (!missing.contains(TableDesign.STATES)) {
      return "states are read without it, but no lock is seen";
    }
    return missing.contains(TableDesign.LOCKS)
        ? "no state is stored here yet"
        : "no state is stored here yet, only locks were; or the table was dropped or renamed, and"
            + " its states with it";
  }

  // Made anew it would be empty, and stand in the way of the old one.
  private Finding lost(String what) {
    String states = names.stateShown();
    return Finding.error(
            TABLES_MISSING,
            names.schema().readable(),
            what + ", but its history is there",
            "the table was dropped or renamed: every pipeline starts from the beginning, and the"
                + " first that does makes an empty table")
        .withMend(
            Mend.advice(
                "stop the pipelines, and rename the table back; what was dropped within minutes: UNDROP"
                    + " TABLE "
                    + states,
                "otherwise bring each state back from its history: statectl undo ID"));
  }

  private Finding history(Set<TableDesign> found, boolean hasView) {
    String shown = names.historyShown();
    boolean hasTable = found.contains(TableDesign.HISTORY);
    if (hasTable && !found.contains(TableDesign.STATES)) {
      // To enable it would make an empty state table.
      return Finding.info(
          "history",
          shown,
          "there is no state table whose states could be recorded",
          "what was recorded before can be read and brought back");
    }
    if (hasTable && hasView) {
      return Finding.ok("history", shown, "every state that is stored is recorded");
    }
    if (hasTable) {
      return Finding.info(
              "history", shown, "recorded no more", "what is changed from now on cannot be undone")
          .withMend(Mend.command("statectl history enable"));
    }
    if (hasView) {
      return Finding.error(
              "history",
              shown,
              "the view that fills it is there, but the table is not",
              "every write of a state fails, the Meltano plugin's too")
          .withMend(Mend.command("statectl history enable"));
    }
    return Finding.ok("history", shown, "not recorded; statectl history enable begins");
  }

  private List<Finding> mutations() {
    return MutationFindings.of(
        names,
        connection.all(
            Operation.EXAMINE_MUTATIONS,
            CheckupSql.MUTATIONS,
            this::bind,
            (row, context) ->
                new MutationFindings.Pending(
                    row.getString("owner"),
                    row.getLong("pending"),
                    row.getLong("failing"),
                    row.getString("failed"),
                    Duration.ofSeconds(row.getLong("age")))));
  }

  private Finding claims(ServerFacts server) {
    List<String> lacking =
        Stream.of(Operation.READ_CLAIMS, Operation.CLAIM)
            .flatMap(operation -> Stream.of(operation.privilege().split(", ")))
            .filter(privilege -> !isHeldOn(names.claimSql(), privilege, server))
            .toList();
    boolean isThere =
        connection
            .first(
                Operation.EXAMINE,
                ClaimTableSql.EXISTS,
                query -> {},
                (row, context) -> row.getInt(1) == 1)
            .orElse(false);
    return ClaimFindings.of(
        settings.replication().keeperLocks(),
        isThere,
        lacking,
        isThere && lacking.isEmpty() ? whyKeeperIsSilent() : Optional.empty(),
        names,
        settings.user());
  }

  private Optional<String> whyKeeperIsSilent() {
    try {
      connection.readEach(
          Operation.READ_CLAIMS,
          ClaimTableSql.LOOK_AT_ONCE,
          Map.of("state_ids", List.of("")),
          row -> row.text("lock_id"),
          claim -> {});
      return Optional.empty();
    } catch (StateFailure.Unavailable e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private boolean isHeldOn(String table, String privilege, ServerFacts server) {
    try {
      return isHeld(privilege, table);
    } catch (StateFailure e) {
      if (server.isAtLeast(25, 8)) {
        throw e;
      }
      // Older servers may not know the question.
      return true;
    }
  }

  private List<Finding> orUnexamined(String check, Supplier<List<Finding>> examination) {
    try {
      return examination.get();
    } catch (StateFailure.Denied | StateFailure.WrongSchema e) {
      return List.of(
          Finding.unexamined(check, names.schema().readable(), String.valueOf(e.getMessage())));
    }
  }
}
