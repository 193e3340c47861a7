package dev.statectl.clickhouse;

import dev.statectl.port.Backend;
import dev.statectl.port.Checkup;
import dev.statectl.port.LockTable;
import dev.statectl.port.Migration;
import dev.statectl.port.StateHistory;
import dev.statectl.port.StateStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * State in ClickHouse. It talks to the server over HTTP, with the settings' timeouts. After a fault
 * that may pass, such as a connection that broke off, it sends again what may be sent again: reads,
 * and writes that cannot have been done or do no harm twice. It looks whether a write was done
 * whose answer got lost, and reports {@link dev.statectl.port.StateFailure.OutcomeUnknown} when
 * that does not tell. Tables that are missing are created by the first write; a read never creates
 * anything. Thread-safe; one backend serves many threads, with up to 64 requests at a time.
 *
 * <p>Failures hold no text of the server or the driver, since those may quote states; what is below
 * a failure shows as kinds and codes.
 */
public final class ClickHouseBackend implements Backend {
  private final ClickHouseSettings settings;
  private final LockPeers peers;
  private final String author;
  private final Backoff backoff;
  // Whoever finds out what the tables are like has nothing to be consistent with yet.
  private final ClickHouseConnection plain;
  private final ClaimedLocks claimed;
  private final ClickHouseLockTable locks;
  private final ClickHouseStateStore states;
  private final StateHistory history;
  private final Checkup checkup;
  private final Migration migration;
  private final String target;

  private ClickHouseBackend(
      ClickHouseSettings settings,
      LockPeers peers,
      String author,
      Backoff backoff,
      ClickHouseConnection plain,
      ClickHouseErrors errors,
      ClaimedLocks claimed) {
    this.settings = settings;
    this.peers = peers;
    this.author = author;
    this.backoff = backoff;
    this.plain = plain;
    this.claimed = claimed;
    TableNames names = TableNames.of(settings);
    Topology topology = new Topology(plain, errors, settings, names);
    ClickHouseConnection connection =
        plain
            .consistent(
                new ReplicaConsistency(
                    settings.replication().consistency(),
                    settings.requestTimeout(),
                    topology::kind))
            .guarded(topology::requireWritable);
    Definitions definitions = new Definitions(connection, topology, settings.requestTimeout());
    Tables tables = new Tables(connection, errors, definitions);
    LockTableForm form = new LockTableForm(connection, errors, tables, names);
    Settlement settlement = new Settlement(backoff, settings.requestTimeout().dividedBy(2));
    Claims claims =
        new Claims(
            connection,
            errors,
            tables,
            topology,
            definitions,
            settings.replication().keeperLocks(),
            claimed);
    this.locks =
        new ClickHouseLockTable(connection, errors, tables, form, peers, settlement, claims);
    HistoryView view = new HistoryView(connection, errors, names);
    this.states =
        new ClickHouseStateStore(
            connection,
            errors,
            tables,
            locks,
            new WriteComments(author),
            new HistoryRecorder(connection, view, settlement, author),
            settlement,
            new CheckpointClock(backoff.nanoTime()));
    this.target = settings.place() + " " + settings.schema() + "." + settings.table();
    this.history =
        new ClickHouseStateHistory(
            connection, errors, tables, definitions, names, view, states, target);
    this.checkup = new ClickHouseCheckup(plain, settings, tables, names, view, peers, topology);
    this.migration =
        new ClickHouseMigration(
            plain.within(
                settings.within(settings.connectTimeout(), ClickHouseMigration.PATIENCE), errors),
            errors,
            topology,
            names,
            view);
  }

  /**
   * Opens the backend beside the Meltano plugin, as {@link #open(ClickHouseSettings, LockPeers)}
   * does with {@link LockPeers#PLUGIN}.
   *
   * @param settings where the server is, who asks, and which tables are used
   * @return the backend; close it when it is no longer used
   * @throws IllegalArgumentException when the driver cannot use the settings
   * @throws IllegalStateException when another version of the driver is there than this adapter
   *     depends on, and it is made otherwise
   */
  public static ClickHouseBackend open(ClickHouseSettings settings) {
    return open(settings, LockPeers.PLUGIN);
  }

  /**
   * Opens the backend. Nothing is sent yet: a server that does not answer or refuses the user shows
   * with the first operation.
   *
   * @param settings where the server is, who asks, and which tables are used
   * @param peers who else uses the lock table
   * @return the backend; close it when it is no longer used
   * @throws IllegalArgumentException when the driver cannot use the settings
   * @throws IllegalStateException when another version of the driver is there than this adapter
   *     depends on, and it is made otherwise
   */
  public static ClickHouseBackend open(ClickHouseSettings settings, LockPeers peers) {
    return open(settings, peers, "");
  }

  /**
   * Opens the backend for somebody whose name is recorded with each write, where history is
   * recorded. It goes to the server as the {@code log_comment} of writes, so it stands in the
   * server's query log, too; where the user may not change that setting, writes are made without.
   *
   * @param settings where the server is, who asks, and which tables are used
   * @param peers who else uses the lock table
   * @param author who writes, for people; empty to say nothing
   * @return the backend; close it when it is no longer used
   * @throws IllegalArgumentException when the driver cannot use the settings
   * @throws IllegalStateException when another version of the driver is there than this adapter
   *     depends on, and it is made otherwise
   */
  public static ClickHouseBackend open(
      ClickHouseSettings settings, LockPeers peers, String author) {
    return open(settings, peers, author, Backoff.ofMachine());
  }

  static ClickHouseBackend open(
      ClickHouseSettings settings, LockPeers peers, String author, Backoff backoff) {
    TableNames names = TableNames.of(settings);
    ClickHouseErrors errors = new ClickHouseErrors(settings, names);
    return new ClickHouseBackend(
        settings,
        peers,
        author,
        backoff,
        ClickHouseConnection.open(settings, names, errors, backoff),
        errors,
        new ClaimedLocks());
  }

  /**
   * Gives this backend with other timeouts, for a call that must not take as long as others may, or
   * that may take longer. It shares the connections: closing either closes both. It is cheap to
   * make, but learns anew what the lock table looks like, so a caller with many such calls keeps
   * it.
   *
   * @param connectTimeout how long connecting may take
   * @param requestTimeout how long one statement may take
   * @return the same backend with these timeouts
   * @throws IllegalArgumentException when a timeout is not positive
   */
  public ClickHouseBackend within(Duration connectTimeout, Duration requestTimeout) {
    ClickHouseSettings others = settings.within(connectTimeout, requestTimeout);
    ClickHouseErrors theirs = new ClickHouseErrors(others, TableNames.of(others));
    return new ClickHouseBackend(
        others, peers, author, backoff, plain.within(others, theirs), theirs, claimed);
  }

  /**
   * Writes out what an administrator runs so that a user who may create nothing can work: the
   * statements that make the database and both tables, those that make a lock table of the plugin
   * ours, and those that grant the user what it needs. Nothing is sent.
   *
   * @param settings which tables are used, and by whom
   * @return the statements, each ending in a semicolon and a line feed
   */
  public static String ddl(ClickHouseSettings settings) {
    TableNames names = TableNames.of(settings);
    String grant =
        "GRANT SELECT, INSERT, ALTER DELETE, TRUNCATE ON %s TO "
            + new Identifier(settings.user()).readable();
    List<String> statements =
        List.of(
            SchemaSql.CREATE,
            StateTableSql.CREATE,
            LockTableSql.CREATE,
            LockTableSql.UPGRADE,
            LockTableSql.UPGRADE_DEFAULT,
            grant.formatted("<table>"),
            grant.formatted("<lock_table>"));
    StringBuilder text = new StringBuilder();
    Placement placement = Placement.of(settings.replication());
    statements.forEach(sql -> text.append(names.shownIn(placement.in(sql))).append(";\n"));
    return text.toString();
  }

  @Override
  public StateStore states() {
    return states;
  }

  @Override
  public LockTable locks() {
    return locks;
  }

  @Override
  public StateHistory history() {
    return history;
  }

  @Override
  public Checkup checkup() {
    return checkup;
  }

  @Override
  public Optional<Migration> migration() {
    return Optional.of(migration);
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public Instant now() {
    return states.now();
  }

  /** For tests: how many statements are under way. */
  int openHandles() {
    return plain.openHandles();
  }

  /**
   * Frees the connections. Operations under way fail: with {@link IllegalStateException} when they
   * read, with {@link dev.statectl.port.StateFailure.OutcomeUnknown} when they may have changed
   * something. Closing twice does nothing.
   */
  @Override
  public void close() {
    plain.close();
  }
}
