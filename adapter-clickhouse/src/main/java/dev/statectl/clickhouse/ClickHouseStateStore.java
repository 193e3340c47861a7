package dev.statectl.clickhouse;

import dev.statectl.lock.Fence;
import dev.statectl.port.SaveRules;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.port.StoredRow;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.state.StateVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** States in the state table. */
final class ClickHouseStateStore implements StateStore {
  private static final int MAX_BATCH_ROWS = 10_000;
  // The driver holds a whole statement several times over.
  private static final int MAX_BATCH_STATE_BYTES = 16 * 1024 * 1024;
  // A statement may have 256 KB unless a setting says otherwise, which a profile may forbid.
  private static final int MAX_ORDINARY_STATEMENT_BYTES = 200_000;
  // More than a fenced insert has besides the state, of ids of 1024 characters each.
  private static final int MAX_STATEMENT_BYTES_BESIDES = 32_768;

  // A state that rested for longer may have outlived its record; pipelines that run do not wait.
  private static final Duration REST = Duration.ofDays(1);

  /** The newest version that is stored of an id, and the server's clock. */
  private record Newest(Optional<StateVersion> stored, Instant clock) {}

  private final ClickHouseConnection connection;
  private final ClickHouseErrors errors;
  private final Tables tables;
  private final ClickHouseLockTable locks;
  private final WriteComments comments;
  private final HistoryRecorder recorder;
  private final Settlement settlement;
  private final CheckpointClock checkpoints;

  ClickHouseStateStore(
      ClickHouseConnection connection,
      ClickHouseErrors errors,
      Tables tables,
      ClickHouseLockTable locks,
      WriteComments comments,
      HistoryRecorder recorder,
      Settlement settlement,
      CheckpointClock checkpoints) {
    this.connection = connection;
    this.errors = errors;
    this.tables = tables;
    this.locks = locks;
    this.comments = comments;
    this.recorder = recorder;
    this.settlement = settlement;
    this.checkpoints = checkpoints;
  }

  @Override
  public Optional<State> find(StateId id) {
    if (!Narrowing.isStorable(id.text())) {
      return Optional.empty();
    }
    Optional<StoredState> stored =
        tables.read(
            () ->
                connection.readFirst(
                    Operation.READ,
                    StateTableSql.FIND,
                    Map.of("state_id", id.text()),
                    ClickHouseStateStore::storedState),
            Optional.empty());
    return stored.map(ClickHouseStateStore::readable);
  }

  @Override
  public Set<StateId> existing(Set<StateId> ids) {
    Set<StateId> existing = new HashSet<>();
    for (List<String> portion : IdPortions.of(ids)) {
      walk(
          StateTableSql.IDS_OF_THESE,
          Map.of("state_ids", portion),
          row -> StateId.ofStored(row.text("state_id")),
          existing::add);
    }
    return existing;
  }

  @Override
  public void findAll(Set<StateId> ids, Consumer<? super StoredState> action) {
    for (List<String> portion : IdPortions.of(ids)) {
      walk(
          StateTableSql.FIND_ALL,
          Map.of("state_ids", portion),
          ClickHouseStateStore::storedState,
          action);
    }
  }

  @Override
  public StateVersion save(State state) {
    SaveRules.check(state);
    StateVersion version = chooseVersion(state.id());
    StoredRow row = StoredRow.of(state.withVersion(version));
    comments.write(
        Optional.empty(),
        settings ->
            settlement.repeat(
                () -> connection.write(Operation.SAVE, StateTableSql.INSERT, values(row), settings),
                () -> seen(List.of(row))));
    return version;
  }

  /**
   * A late arrival cannot hide what a successor wrote, even if the lock ends while the statement
   * runs: the version was chosen before, and a successor chooses a newer one.
   */
  @Override
  public StateVersion save(State state, Fence fence) {
    return save(state, fence, Optional.empty());
  }

  /** Saves what is stored again after later versions, and says so. */
  StateVersion revert(State recorded, Fence fence) {
    return save(recorded, fence, Optional.of(recorded.version()));
  }

  private StateVersion save(State state, Fence fence, Optional<StateVersion> reverts) {
    SaveRules.check(state);
    boolean allColumns = locks.hasAllColumns().orElseThrow(() -> lost(fence));
    long bytes = state.utf8Length();
    Optional<StateVersion> next = checkpoints.next(fence, state.id());
    boolean done = false;
    try {
      if (next.isPresent()) {
        String sql =
            locks.fenced(
                allColumns
                    ? StateTableSql.INSERT_IF_HELD_AND_NEWER
                    : StateTableSql.INSERT_IF_HELD_AND_NEWER_PLUGIN,
                fence);
        StoredRow row = StoredRow.of(state.withVersion(next.get()));
        if (insert(row, bytes, fence, sql, reverts) || isWrittenUnlessLost(row, fence)) {
          done = true;
          return next.get();
        }
        if (look(state.id()).stored().filter(v -> v.compareTo(row.version()) >= 0).isEmpty()) {
          throw notSeen(fence);
        }
        // Somebody wrote a newer row past the lock.
      }
      String sql =
          locks.fenced(
              allColumns ? StateTableSql.INSERT_IF_HELD : StateTableSql.INSERT_IF_HELD_PLUGIN,
              fence);
      StateVersion version = chooseVersion(state.id(), fence);
      StoredRow row = StoredRow.of(state.withVersion(version));
      if (!insert(row, bytes, fence, sql, reverts) && !isWrittenUnlessLost(row, fence)) {
        throw notSeen(fence);
      }
      done = true;
      return version;
    } finally {
      if (!done) {
        checkpoints.forget(fence, state.id());
      }
    }
  }

  /** A holder's row that is there again, by a renewal under way, says nothing of the write. */
  private boolean isWrittenUnlessLost(StoredRow row, Fence fence) {
    boolean held = locks.isHeldAfter(Operation.SAVE, fence);
    boolean written = isWritten(row);
    if (!held && !written) {
      throw lost(fence);
    }
    return written;
  }

  /**
   * Writes a row if the lock is held.
   *
   * @return true when the server says that it wrote the row; false leaves it open
   */
  private boolean insert(
      StoredRow row, long stateBytes, Fence fence, String sql, Optional<StateVersion> reverts) {
    Map<String, @Nullable Object> values = values(row);
    values.put("lock", fence.lock().text());
    values.put("lock_id", fence.lockId().text());
    values.put("stale", fence.stale().toSeconds());
    // Each byte may be escaped by another one.
    long bytes = 2 * stateBytes + MAX_STATEMENT_BYTES_BESIDES;
    AtomicLong written = new AtomicLong();
    comments.write(
        reverts,
        settings ->
            settlement.repeat(
                () ->
                    written.set(
                        connection.write(Operation.SAVE, sql, values, withLength(settings, bytes))),
                () -> seen(List.of(row))));
    return written.get() > 0;
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
    OptionalLong newest = newestVersion(id);
    if (newest.isEmpty()) {
      return false;
    }
    boolean recorded = recorder.beforeRemoving(id);
    Deletion.untilGone(
        "the state of '" + id + "'",
        () ->
            settlement.await(
                () ->
                    connection.execute(
                        Operation.DELETE, StateTableSql.DELETE, update -> bind(update, id)),
                () -> seenGone(id, newest.getAsLong())),
        () -> isStoredUpTo(id, newest.getAsLong()));
    if (recorded) {
      recorder.afterRemoving(id);
    }
    return true;
  }

  @Override
  public boolean delete(StateId id, Fence fence) {
    boolean allColumns = locks.hasAllColumns().orElseThrow(() -> lost(fence));
    OptionalLong newest = newestVersion(id);
    if (newest.isEmpty()) {
      if (!locks.isHeld(fence)) {
        throw lost(fence);
      }
      return false;
    }
    boolean recorded = recorder.beforeRemoving(id);
    Deletion.untilGone(
        "the state of '" + id + "'",
        () -> deleteIfHeld(id, fence, allColumns, newest.getAsLong()),
        () -> isStoredUpTo(id, newest.getAsLong()));
    if (recorded) {
      recorder.afterRemoving(id);
    }
    return true;
  }

  private void deleteIfHeld(StateId id, Fence fence, boolean allColumns, long newest) {
    settlement.await(
        () ->
            connection.execute(
                Operation.DELETE,
                locks.fenced(
                    allColumns ? StateTableSql.DELETE_IF_HELD : StateTableSql.DELETE_IF_HELD_PLUGIN,
                    fence),
                update -> {
                  bind(update, id);
                  ClickHouseLockTable.bind(update, fence);
                }),
        () -> seenGone(id, newest));
    if (!locks.isHeldAfter(Operation.DELETE, fence) && isStored(id)) {
      throw lost(fence);
    }
  }

  @Override
  public long deleteAll() {
    long count = count();
    if (count > 0) {
      boolean recorded = recorder.beforeRemovingAll();
      settlement.await(
          () -> connection.execute(Operation.CLEAR, StateTableSql.TRUNCATE, update -> {}),
          () -> count() == 0 ? Settlement.Finding.DONE : Settlement.Finding.NOT_DONE);
      if (recorded) {
        recorder.afterRemovingAll();
      }
    }
    return count;
  }

  @Override
  public void forEachId(StateIdGlob glob, Consumer<? super StateId> action) {
    String prefix = Narrowing.of(glob);
    if (!Narrowing.isStorable(prefix)) {
      return;
    }
    Consumer<StateId> picked =
        id -> {
          if (glob.matches(id)) {
            action.accept(id);
          }
        };
    Function<Row, StateId> reader = row -> StateId.ofStored(row.text("state_id"));
    if (prefix.isEmpty()) {
      walk(StateTableSql.IDS, Map.of(), reader, picked);
    } else if (Narrowing.isWhole(prefix, glob)) {
      walk(StateTableSql.IDS_BY_ID, Map.of("state_id", prefix), reader, picked);
    } else {
      walk(StateTableSql.IDS_BY_PREFIX, Map.of("prefix", prefix), reader, picked);
    }
  }

  @Override
  public void forEachState(StateIdGlob glob, Consumer<? super StoredState> action) {
    String prefix = Narrowing.of(glob);
    if (!Narrowing.isStorable(prefix)) {
      return;
    }
    Consumer<StoredState> picked =
        stored -> {
          if (glob.matches(stored.id())) {
            action.accept(stored);
          }
        };
    Function<Row, StoredState> reader = ClickHouseStateStore::storedState;
    if (prefix.isEmpty()) {
      walk(StateTableSql.STATES, Map.of(), reader, picked);
    } else if (Narrowing.isWhole(prefix, glob)) {
      walk(StateTableSql.FIND, Map.of("state_id", prefix), reader, picked);
    } else {
      walk(StateTableSql.STATES_BY_PREFIX, Map.of("prefix", prefix), reader, picked);
    }
  }

  private long count() {
    return tables.read(
        () ->
            connection
                .first(
                    Operation.READ,
                    StateTableSql.COUNT_STATES,
                    query -> {},
                    (row, context) -> row.getLong("states"))
                .orElseThrow(),
        0L);
  }

  /** The server's clock. */
  Instant now() {
    try {
      return connection
          .first(
              Operation.READ,
              StateTableSql.CLOCK,
              query -> {},
              (row, context) -> Instant.ofEpochMilli(row.getLong("clock")))
          .orElseThrow();
    } catch (TableMissingException e) {
      // It asks for nothing that could be missing but the database that the user connects to.
      throw errors.unknownDatabase(e);
    }
  }

  private StateVersion chooseVersion(StateId id) {
    Newest newest = look(id);
    return StateVersion.next(newest.stored(), newest.clock());
  }

  private StateVersion chooseVersion(StateId id, Fence fence) {
    Newest newest = look(id);
    return checkpoints.looked(fence, id, newest.stored(), newest.clock());
  }

  private Newest look(StateId id) {
    Newest newest =
        tables.readForWriting(
            () ->
                connection
                    .readFirst(
                        Operation.READ,
                        StateTableSql.NEWEST_VERSION,
                        Map.of("state_id", id.text()),
                        ClickHouseStateStore::newest)
                    .orElseThrow());
    Instant restsSince = newest.clock().minus(REST);
    if (newest.stored().filter(v -> v.updatedAt().isBefore(restsSince)).isPresent()) {
      recorder.beforeReplacing(id);
    }
    return newest;
  }

  /**
   * Asked when the server did not say that it wrote the row: the answer may have got lost, or the
   * lock after the write. If it was written and a newer one has taken its place already, this says
   * no, which is as good: nothing of it is left.
   */
  private boolean isWritten(StoredRow row) {
    try {
      return connection
              .first(
                  Operation.READ,
                  StateTableSql.COUNT_WRITTEN,
                  query ->
                      query
                          .bind("state_id", row.id().text())
                          .bind("version", row.version().updatedAt().toEpochMilli())
                          .bind("partial_digest", digest(row.partial()))
                          .bind("completed_digest", digest(row.completed())),
                  (found, context) -> found.getLong("versions"))
              .orElseThrow()
          > 0;
    } catch (StateFailure | TableMissingException e) {
      throw errors.unconfirmed(Operation.SAVE, e);
    }
  }

  private boolean isStored(StateId id) {
    try {
      return newestVersion(id).isPresent();
    } catch (StateFailure e) {
      throw errors.unconfirmed(Operation.DELETE, e);
    }
  }

  private boolean isStoredUpTo(StateId id, long newest) {
    try {
      return tables.read(
          () ->
              connection
                  .first(
                      Operation.READ,
                      StateTableSql.COUNT_VERSIONS_UP_TO,
                      query -> {
                        bind(query, id);
                        query.bind("newest", newest);
                      },
                      (row, context) -> row.getLong("versions") > 0)
                  .orElseThrow(),
          false);
    } catch (StateFailure e) {
      throw errors.unconfirmed(Operation.DELETE, e);
    }
  }

  private static String digest(@Nullable String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest((text == null ? "" : text).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().withUpperCase().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      // Every Java has it.
      throw new IllegalStateException(e);
    }
  }

  private static StateFailure lost(Fence fence) {
    return new StateFailure.LockLost(
        fence.lock(),
        "the row of its holder (lock id "
            + fence.lockId()
            + ") was gone or stale when the state was to be changed; nothing was changed");
  }

  private static StateFailure notSeen(Fence fence) {
    return new StateFailure.OutcomeUnknown(
        "whether a state was written under the lock of '"
            + fence.lock()
            + "' is unknown: the server did not say so, and it is not there; look at what is stored"
            + " before you repeat it",
        null);
  }

  private void saveBatch(List<State> batch) {
    Map<StateId, StateVersion> newest = newestVersions(batch);
    Instant clock = now();
    List<StoredRow> rows =
        batch.stream()
            .map(
                state ->
                    StoredRow.of(
                        state.withVersion(
                            StateVersion.next(Optional.ofNullable(newest.get(state.id())), clock))))
            .toList();
    comments.write(
        Optional.empty(),
        settings -> settlement.repeat(() -> insert(rows, settings), () -> seen(rows)));
  }

  private void insert(List<StoredRow> rows, Map<String, String> settings) {
    connection.insert(
        Operation.SAVE,
        StateTableSql.INSERT_ROWS,
        settings,
        writer -> {
          for (StoredRow row : rows) {
            write(writer, row);
          }
        });
  }

  private Map<StateId, StateVersion> newestVersions(List<State> states) {
    Map<StateId, StateVersion> newest = new HashMap<>();
    for (List<String> portion : IdPortions.of(states.stream().map(State::id).toList())) {
      tables.readForWriting(
          () -> {
            connection.readEach(
                Operation.READ,
                StateTableSql.NEWEST_VERSIONS,
                Map.of("state_ids", portion),
                row ->
                    Map.entry(
                        StateId.ofStored(row.text("state_id")), version(row.number("newest"))),
                found -> newest.put(found.getKey(), found.getValue()));
            return true;
          });
    }
    return newest;
  }

  /**
   * Whether rows that were written in one statement are stored. The server may make several parts
   * of them, and die between two, so some alone are not all. Where a newer version is stored, a
   * merge may have removed the one that was written.
   */
  private Settlement.Finding seen(List<StoredRow> rows) {
    long oldest =
        rows.stream()
            .mapToLong(row -> row.version().updatedAt().toEpochMilli())
            .min()
            .orElseThrow();
    Map<StateId, List<Digest>> stored = new HashMap<>();
    for (List<String> portion : IdPortions.of(rows.stream().map(StoredRow::id).toList())) {
      connection
          .all(
              Operation.READ,
              StateTableSql.DIGESTS,
              query -> query.bindList("state_ids", portion).bind("oldest", oldest),
              (row, context) ->
                  Map.entry(
                      StateId.ofStored(row.getString("state_id")),
                      new Digest(
                          row.getLong("version"),
                          row.getString("partial_digest"),
                          row.getString("completed_digest"))))
          .forEach(
              found ->
                  stored
                      .computeIfAbsent(found.getKey(), id -> new ArrayList<>())
                      .add(found.getValue()));
    }
    int there = 0;
    int hidden = 0;
    for (StoredRow row : rows) {
      Digest written = Digest.of(row);
      List<Digest> found = stored.getOrDefault(row.id(), List.of());
      if (found.contains(written)) {
        there++;
      } else if (found.stream().anyMatch(digest -> digest.version() >= written.version())) {
        hidden++;
      }
    }
    if (there > 0 && there + hidden == rows.size()) {
      return Settlement.Finding.DONE;
    }
    return there + hidden > 0 ? Settlement.Finding.HIDDEN : Settlement.Finding.NOT_DONE;
  }

  private Settlement.Finding seenGone(StateId id, long newest) {
    return isStoredUpTo(id, newest) ? Settlement.Finding.NOT_DONE : Settlement.Finding.DONE;
  }

  /** The content of a row, as far as telling it from another needs it. */
  private record Digest(long version, String partial, String completed) {
    static Digest of(StoredRow row) {
      return new Digest(
          row.version().updatedAt().toEpochMilli(), digest(row.partial()), digest(row.completed()));
    }
  }

  /**
   * Adds that a statement is longer than servers take by default. That goes into the request and
   * not into the statement, which the server reads only up to it.
   *
   * @see <a
   *     href="https://clickhouse.com/docs/operations/settings/settings#max_query_size">max_query_size</a>
   */
  private static Map<String, String> withLength(Map<String, String> settings, long bytes) {
    if (bytes <= MAX_ORDINARY_STATEMENT_BYTES) {
      return settings;
    }
    Map<String, String> more = new LinkedHashMap<>(settings);
    more.put("max_query_size", Long.toString(bytes));
    return more;
  }

  /** Cuts states into groups that one statement each can carry; one state may fill a group. */
  private static List<List<State>> batches(Collection<State> states) {
    List<List<State>> batches = new ArrayList<>();
    List<State> batch = new ArrayList<>();
    long bytes = 0;
    for (State state : states) {
      long more = state.utf8Length();
      boolean full = batch.size() == MAX_BATCH_ROWS || bytes + more > MAX_BATCH_STATE_BYTES;
      if (full && !batch.isEmpty()) {
        batches.add(batch);
        batch = new ArrayList<>();
        bytes = 0;
      }
      batch.add(state);
      bytes += more;
    }
    if (!batch.isEmpty()) {
      batches.add(batch);
    }
    return batches;
  }

  /** The version of the newest row, in milliseconds; empty when there is no row. */
  private OptionalLong newestVersion(StateId id) {
    if (!Narrowing.isStorable(id.text())) {
      return OptionalLong.empty();
    }
    return tables.read(
        () ->
            connection
                .first(
                    Operation.READ,
                    StateTableSql.COUNT_VERSIONS,
                    query -> bind(query, id),
                    (row, context) ->
                        row.getLong("versions") == 0
                            ? OptionalLong.empty()
                            : OptionalLong.of(row.getLong("newest")))
                .orElseThrow(),
        OptionalLong.empty());
  }

  private <T> void walk(
      String sql, Map<String, Object> values, Function<Row, T> reader, Consumer<? super T> action) {
    tables.read(
        () -> {
          connection.readEach(Operation.READ, sql, values, reader, action);
          return true;
        },
        false);
  }

  private static void bind(SqlStatement<?> statement, StateId id) {
    statement.bind("state_id", id.text());
  }

  private static Map<String, @Nullable Object> values(StoredRow row) {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("state_id", row.id().text());
    values.put("partial_state", row.partial());
    values.put("completed_state", row.completed());
    values.put("version", row.version().updatedAt().toEpochMilli());
    return values;
  }

  private static void write(Rows.Writer writer, StoredRow row) throws IOException {
    writer
        .text(row.id().text())
        .text(row.partial())
        .text(row.completed())
        .time(row.version().updatedAt())
        .end();
  }

  private static Newest newest(Row row) {
    Optional<StateVersion> stored =
        row.number("versions") == 0 ? Optional.empty() : Optional.of(version(row.number("newest")));
    return new Newest(stored, Instant.ofEpochMilli(row.number("clock")));
  }

  private static StateVersion version(long millis) {
    return new StateVersion(Instant.ofEpochMilli(millis));
  }

  /** Reads the columns of a row that are the same in the history. */
  static StoredState storedState(Row row) {
    StateId id = StateId.ofStored(row.text("state_id"));
    String notText =
        row.number("state_id_is_text") == 0
            ? "state_id"
            : row.number("completed_state_is_text") == 0
                ? "completed_state"
                : row.number("partial_state_is_text") == 0 ? "partial_state" : null;
    if (notText != null) {
      return new StoredState.Unreadable(
          new StateFailure.UnreadableState(id, notText, "not UTF-8", null));
    }
    return new StoredRow(
            id,
            row.textOrNull("completed_state"),
            row.textOrNull("partial_state"),
            version(row.number("version")))
        .read();
  }

  private static State readable(StoredState stored) {
    if (stored instanceof StoredState.Readable readable) {
      return readable.state();
    }
    throw ((StoredState.Unreadable) stored).failure();
  }
}
