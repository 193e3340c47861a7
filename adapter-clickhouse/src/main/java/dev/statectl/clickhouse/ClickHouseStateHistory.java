package dev.statectl.clickhouse;

import dev.statectl.lock.Fence;
import dev.statectl.port.HistoryEntry;
import dev.statectl.port.HistoryRecord;
import dev.statectl.port.HistoryRules;
import dev.statectl.port.HistoryStatus;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateHistory;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** History in a table beside the state table, which a materialized view fills. */
final class ClickHouseStateHistory implements StateHistory {
  /** The columns that it needs, with their types. */
  static final Map<String, String> COLUMNS =
      Map.ofEntries(
          Map.entry("state_id", "String"),
          Map.entry("updated_at", "DateTime64(3)"),
          Map.entry("recorded_at", "DateTime64(6)"),
          Map.entry("deleted", "UInt8"),
          Map.entry("author", "String"),
          Map.entry("account", "String"),
          Map.entry("reverted_to", "DateTime64(3)"),
          Map.entry("completed_bytes", "UInt64"),
          Map.entry("partial_bytes", "UInt64"),
          Map.entry("fingerprint", "UInt64"),
          Map.entry("completed_state", "Nullable(String)"),
          Map.entry("partial_state", "Nullable(String)"));

  // What an administrator may have written instead of our seconds.
  private static final Pattern KEEP =
      Pattern.compile(" TTL [^,]*\\+ toInterval(Second|Minute|Hour|Day|Week)\\((\\d+)\\)");

  private final ClickHouseConnection connection;
  private final ClickHouseErrors errors;
  private final Tables tables;
  private final Definitions definitions;
  private final TableNames names;
  private final HistoryView view;
  private final ClickHouseStateStore states;
  private final String target;

  ClickHouseStateHistory(
      ClickHouseConnection connection,
      ClickHouseErrors errors,
      Tables tables,
      Definitions definitions,
      TableNames names,
      HistoryView view,
      ClickHouseStateStore states,
      String target) {
    this.connection = connection;
    this.errors = errors;
    this.tables = tables;
    this.definitions = definitions;
    this.names = names;
    this.view = view;
    this.states = states;
    this.target = target;
  }

  @Override
  public HistoryStatus status() {
    if (!isTableThere()) {
      return new HistoryStatus(
          view.isThere() ? HistoryStatus.Recording.BROKEN : HistoryStatus.Recording.NEVER,
          Optional.empty());
    }
    requireOurTable();
    return new HistoryStatus(
        view.isThere() ? HistoryStatus.Recording.ON : HistoryStatus.Recording.OFF, keep());
  }

  @Override
  public void enable(Duration keep) {
    Duration seconds = HistoryRules.checkedKeep(keep);
    tables.create();
    if (!isTableThere()) {
      definitions.run(
          Operation.CREATE_HISTORY,
          HistorySql.CREATE.replace("<keep>", String.valueOf(seconds.toSeconds())));
    }
    requireOurTable();
    if (!keep().equals(Optional.of(seconds))) {
      connection.execute(
          Operation.CHANGE_HISTORY,
          HistorySql.MODIFY_TTL,
          update -> update.define("keep", seconds.toSeconds()));
    }
    if (!view.isThere()) {
      definitions.run(Operation.CREATE_VIEW, HistorySql.CREATE_VIEW);
      if (!view.isThere()) {
        throw errors.otherUnder(names.historyView(), "rename it, and try again");
      }
    }
    connection.execute(Operation.RECORD, HistorySql.FILL, update -> {});
  }

  @Override
  public void disable() {
    if (view.isThere()) {
      definitions.run(Operation.DROP_VIEW, HistorySql.DROP_VIEW);
    }
  }

  @Override
  public void forEach(StateId id, int limit, Consumer<? super HistoryEntry> action) {
    walk(HistorySql.ENTRIES, id, limit, ClickHouseStateHistory::entry, action);
  }

  @Override
  public void forEachRecord(StateId id, int limit, Consumer<? super HistoryRecord> action) {
    walk(HistorySql.RECORDS, id, limit, ClickHouseStateHistory::record, action);
  }

  @Override
  public Optional<HistoryRecord> find(StateId id, StateVersion version) {
    return first(HistorySql.FIND, id, version);
  }

  @Override
  public Optional<HistoryRecord> findBefore(StateId id, StateVersion version) {
    return first(HistorySql.FIND_BEFORE, id, version);
  }

  private Optional<HistoryRecord> first(String sql, StateId id, StateVersion version) {
    if (!Narrowing.isStorable(id.text())) {
      probe();
      return Optional.empty();
    }
    return read(
        () ->
            connection.readFirst(
                Operation.READ_HISTORY,
                sql,
                Map.of("state_id", id.text(), "version", version.updatedAt().toEpochMilli()),
                ClickHouseStateHistory::record));
  }

  @Override
  public StateVersion revert(State recorded, Fence fence) {
    return states.revert(recorded, fence);
  }

  private <T> void walk(
      String sql, StateId id, int limit, Function<Row, T> reader, Consumer<? super T> action) {
    HistoryRules.checkLimit(limit);
    if (!Narrowing.isStorable(id.text())) {
      probe();
      return;
    }
    read(
        () -> {
          connection.readEach(
              Operation.READ_HISTORY,
              sql,
              Map.of("state_id", id.text(), "limit", limit),
              reader,
              action);
          return true;
        });
  }

  private <T> T read(Supplier<T> read) {
    try {
      return read.get();
    } catch (TableMissingException e) {
      throw view.isThere() ? e.failure() : new StateFailure.NoHistory(target);
    }
  }

  private void probe() {
    read(
        () ->
            connection.all(
                Operation.READ_HISTORY,
                HistorySql.PROBE,
                query -> {},
                (row, context) -> row.getInt("one")));
  }

  private boolean isTableThere() {
    try {
      connection.all(
          Operation.READ_HISTORY,
          HistorySql.PROBE,
          query -> {},
          (row, context) -> row.getInt("one"));
      return true;
    } catch (TableMissingException e) {
      return false;
    }
  }

  private void requireOurTable() {
    Map<String, String> found =
        connection
            .all(
                Operation.READ_HISTORY,
                HistorySql.COLUMNS,
                query ->
                    query
                        .bind("schema", names.schema().text())
                        .bind("history_table", names.history().text()),
                (row, context) -> Map.entry(row.getString("name"), row.getString("type")))
            .stream()
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    if (!found.entrySet().containsAll(COLUMNS.entrySet())) {
      throw errors.otherUnder(names.history(), ClickHouseErrors.HISTORY_COLUMNS);
    }
  }

  private Optional<Duration> keep() {
    return connection
        .first(
            Operation.READ_HISTORY,
            HistorySql.ENGINE,
            query ->
                query
                    .bind("schema", names.schema().text())
                    .bind("history_table", names.history().text()),
            (row, context) -> row.getString("engine_full"))
        .flatMap(ClickHouseStateHistory::keepOf);
  }

  static Optional<Duration> keepOf(String engine) {
    Matcher rule = KEEP.matcher(engine);
    if (!rule.find()) {
      return Optional.empty();
    }
    long count = Long.parseLong(rule.group(2));
    return Optional.of(
        switch (rule.group(1)) {
          case "Second" -> Duration.ofSeconds(count);
          case "Minute" -> Duration.ofMinutes(count);
          case "Hour" -> Duration.ofHours(count);
          case "Week" -> Duration.ofDays(7 * count);
          default -> Duration.ofDays(count);
        });
  }

  private static HistoryRecord record(Row row) {
    HistoryEntry entry = entry(row);
    return new HistoryRecord(
        entry,
        entry.kind() == HistoryEntry.Kind.DELETED
            ? Optional.empty()
            : Optional.of(ClickHouseStateStore.storedState(row)));
  }

  private static HistoryEntry entry(Row row) {
    long reverted = row.number("reverted");
    return new HistoryEntry(
        StateId.ofStored(row.text("state_id")),
        new StateVersion(Instant.ofEpochMilli(row.number("version"))),
        Instant.EPOCH.plus(row.number("recorded"), ChronoUnit.MICROS),
        row.number("deleted") == 1 ? HistoryEntry.Kind.DELETED : HistoryEntry.Kind.WRITTEN,
        row.text("author"),
        row.text("account"),
        reverted == 0
            ? Optional.empty()
            : Optional.of(new StateVersion(Instant.ofEpochMilli(reverted))),
        row.number("completed_bytes"),
        row.number("partial_bytes"),
        row.text("content"));
  }
}
