package dev.statectl.clickhouse;

import dev.statectl.port.SaveRules;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.port.StoredRow;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.state.StateVersion;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.StatementContext;

/** States in the state table. */
final class ClickHouseStateStore implements StateStore {
  // The ids of a batch are bound in one SELECT, which the server takes up to 256 KB of; escaping
  // can double them. https://clickhouse.com/docs/operations/settings/settings#max_query_size
  private static final int MAX_BATCH_ID_BYTES = 100_000;
  private static final int MAX_BATCH_ROWS = 1_000;
  // The driver holds a whole statement several times over.
  private static final int MAX_BATCH_STATE_BYTES = 16 * 1024 * 1024;
  // More of a prefix does not narrow further, and the server takes no endless statements.
  private static final int MAX_PREFIX_LENGTH = StateId.MAX_LENGTH;

  private final ClickHouseConnection connection;
  private final Tables tables;

  ClickHouseStateStore(ClickHouseConnection connection, Tables tables) {
    this.connection = connection;
    this.tables = tables;
  }

  @Override
  public Optional<State> find(StateId id) {
    if (!isStorable(id.text())) {
      return Optional.empty();
    }
    Optional<StoredState> stored =
        tables.read(
            () ->
                connection.first(
                    Operation.READ,
                    StateTableSql.FIND,
                    query -> bind(query, id),
                    ClickHouseStateStore::storedState),
            Optional.empty());
    return stored.map(ClickHouseStateStore::readable);
  }

  @Override
  public StateVersion save(State state) {
    SaveRules.check(state);
    StateVersion version =
        tables.readForWriting(
            () ->
                connection
                    .first(
                        Operation.READ,
                        StateTableSql.NEWEST_VERSION,
                        query -> bind(query, state.id()),
                        ClickHouseStateStore::nextVersion)
                    .orElseThrow());
    connection.execute(
        Operation.SAVE,
        StateTableSql.INSERT,
        update -> bind(update, StoredRow.of(state.withVersion(version))));
    return version;
  }

  @Override
  public void saveAll(Collection<State> states) {
    List<State> given = List.copyOf(states);
    given.forEach(SaveRules::check);
    Map<StateId, State> lastOfEach = new LinkedHashMap<>();
    given.forEach(state -> lastOfEach.put(state.id(), state));
    batches(lastOfEach.values()).forEach(this::saveBatch);
  }

  @Override
  public boolean delete(StateId id) {
    if (!isStorable(id.text()) || countVersions(id) == 0) {
      return false;
    }
    connection.execute(Operation.DELETE, StateTableSql.DELETE, update -> bind(update, id));
    return true;
  }

  @Override
  public long deleteAll() {
    long count =
        tables.read(
            () ->
                connection
                    .first(
                        Operation.READ,
                        StateTableSql.COUNT_STATES,
                        query -> {},
                        (row, context) -> row.getLong("states"))
                    .orElseThrow(),
            0L);
    if (count > 0) {
      connection.execute(Operation.CLEAR, StateTableSql.TRUNCATE, update -> {});
    }
    return count;
  }

  @Override
  public void forEachId(StateIdGlob glob, Consumer<? super StateId> action) {
    String prefix = narrowing(glob);
    if (!isStorable(prefix)) {
      return;
    }
    Consumer<StateId> picked =
        id -> {
          if (glob.matches(id)) {
            action.accept(id);
          }
        };
    RowMapper<StateId> rows = (row, context) -> StateId.ofStored(row.getString("state_id"));
    if (prefix.isEmpty()) {
      walk(StateTableSql.IDS, query -> {}, rows, picked);
    } else if (isWhole(prefix, glob)) {
      walk(StateTableSql.IDS_BY_ID, query -> bind(query, StateId.ofStored(prefix)), rows, picked);
    } else {
      walk(StateTableSql.IDS_BY_PREFIX, query -> query.bind("prefix", prefix), rows, picked);
    }
  }

  @Override
  public void forEachState(StateIdGlob glob, Consumer<? super StoredState> action) {
    String prefix = narrowing(glob);
    if (!isStorable(prefix)) {
      return;
    }
    Consumer<StoredState> picked =
        stored -> {
          if (glob.matches(stored.id())) {
            action.accept(stored);
          }
        };
    RowMapper<StoredState> rows = ClickHouseStateStore::storedState;
    if (prefix.isEmpty()) {
      walk(StateTableSql.STATES, query -> {}, rows, picked);
    } else if (isWhole(prefix, glob)) {
      walk(StateTableSql.FIND, query -> bind(query, StateId.ofStored(prefix)), rows, picked);
    } else {
      walk(StateTableSql.STATES_BY_PREFIX, query -> query.bind("prefix", prefix), rows, picked);
    }
  }

  private void saveBatch(List<State> batch) {
    Map<StateId, StateVersion> newest =
        tables.readForWriting(
            () ->
                connection
                    .all(
                        Operation.READ,
                        StateTableSql.NEWEST_VERSIONS,
                        query ->
                            query.bindList(
                                "state_ids", batch.stream().map(s -> s.id().text()).toList()),
                        (row, context) ->
                            Map.entry(
                                StateId.ofStored(row.getString("state_id")),
                                version(row.getLong("newest"))))
                    .stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    Instant clock =
        connection
            .first(
                Operation.READ,
                StateTableSql.CLOCK,
                query -> {},
                (row, context) -> Instant.ofEpochMilli(row.getLong("clock")))
            .orElseThrow();
    connection.executeBatch(
        Operation.SAVE,
        StateTableSql.INSERT,
        insert -> {
          for (State state : batch) {
            StateVersion next =
                StateVersion.next(Optional.ofNullable(newest.get(state.id())), clock);
            bind(insert, StoredRow.of(state.withVersion(next)));
            insert.add();
          }
        });
  }

  /** Cuts states into groups that one statement each can carry; one state may fill a group. */
  private static List<List<State>> batches(Collection<State> states) {
    List<List<State>> batches = new ArrayList<>();
    List<State> batch = new ArrayList<>();
    long idBytes = 0;
    long stateBytes = 0;
    for (State state : states) {
      long moreIdBytes = state.id().text().getBytes(StandardCharsets.UTF_8).length;
      long moreStateBytes = state.utf8Length();
      boolean full =
          batch.size() == MAX_BATCH_ROWS
              || idBytes + moreIdBytes > MAX_BATCH_ID_BYTES
              || stateBytes + moreStateBytes > MAX_BATCH_STATE_BYTES;
      if (full && !batch.isEmpty()) {
        batches.add(batch);
        batch = new ArrayList<>();
        idBytes = 0;
        stateBytes = 0;
      }
      batch.add(state);
      idBytes += moreIdBytes;
      stateBytes += moreStateBytes;
    }
    if (!batch.isEmpty()) {
      batches.add(batch);
    }
    return batches;
  }

  private long countVersions(StateId id) {
    return tables.read(
        () ->
            connection
                .first(
                    Operation.READ,
                    StateTableSql.COUNT_VERSIONS,
                    query -> bind(query, id),
                    (row, context) -> row.getLong("versions"))
                .orElseThrow(),
        0L);
  }

  private <T> void walk(
      String sql, Consumer<Query> binding, RowMapper<T> rows, Consumer<? super T> action) {
    tables.read(
        () -> {
          connection.walk(Operation.READ, sql, binding, rows, action);
          return true;
        },
        false);
  }

  /** What the ids that a glob picks begin with, as far as it helps the server to narrow. */
  private static String narrowing(StateIdGlob glob) {
    String prefix = glob.literalPrefix();
    return prefix.codePointCount(0, prefix.length()) <= MAX_PREFIX_LENGTH
        ? prefix
        : prefix.substring(0, prefix.offsetByCodePoints(0, MAX_PREFIX_LENGTH));
  }

  private static boolean isWhole(String prefix, StateIdGlob glob) {
    return glob.isLiteral() && prefix.equals(glob.text());
  }

  /** Half of a surrogate pair has no UTF-8: the driver would send a question mark in its place. */
  private static boolean isStorable(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  private static void bind(SqlStatement<?> statement, StateId id) {
    statement.bind("state_id", id.text());
  }

  private static void bind(SqlStatement<?> statement, StoredRow row) {
    bind(statement, row.id());
    statement.bind("partial_state", row.partial());
    statement.bind("completed_state", row.completed());
    statement.bind("version", row.version().updatedAt().toEpochMilli());
  }

  private static StateVersion nextVersion(ResultSet row, StatementContext context)
      throws SQLException {
    Optional<StateVersion> stored =
        row.getLong("versions") == 0
            ? Optional.empty()
            : Optional.of(version(row.getLong("newest")));
    return StateVersion.next(stored, Instant.ofEpochMilli(row.getLong("clock")));
  }

  private static StateVersion version(long millis) {
    return new StateVersion(Instant.ofEpochMilli(millis));
  }

  private static StoredState storedState(ResultSet row, StatementContext context)
      throws SQLException {
    StateId id = StateId.ofStored(row.getString("state_id"));
    for (String column : List.of("state_id", "completed_state", "partial_state")) {
      if (row.getInt(column + "_is_text") == 0) {
        return new StoredState.Unreadable(
            new StateFailure.UnreadableState(id, column, "not UTF-8", null));
      }
    }
    return new StoredRow(
            id,
            row.getString("completed_state"),
            row.getString("partial_state"),
            version(row.getLong("version")))
        .read();
  }

  private static State readable(StoredState stored) {
    if (stored instanceof StoredState.Readable readable) {
      return readable.state();
    }
    throw ((StoredState.Unreadable) stored).failure();
  }
}
