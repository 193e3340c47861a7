package dev.statectl.clickhouse;

import dev.statectl.lock.Fence;
import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.port.LockTable;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jdbi.v3.core.statement.SqlStatement;

/** Candidates for locks in the lock table. */
final class ClickHouseLockTable implements LockTable {
  private final ClickHouseConnection connection;
  private final ClickHouseErrors errors;
  private final Tables tables;
  private final LockTableForm form;
  private final LockPeers peers;
  private final Settlement settlement;
  private final Claims claims;
  private final ClaimedLocks claimed;

  ClickHouseLockTable(
      ClickHouseConnection connection,
      ClickHouseErrors errors,
      Tables tables,
      LockTableForm form,
      LockPeers peers,
      Settlement settlement,
      Claims claims) {
    this.connection = connection;
    this.errors = errors;
    this.tables = tables;
    this.form = form;
    this.peers = peers;
    this.settlement = settlement;
    this.claims = claims;
    this.claimed = claims.claimed();
  }

  @Override
  public boolean claim(StateId id, LockId lockId, String holder, Duration stale) {
    return !claims.claim(Set.of(id), lockId, holder, stale).isEmpty();
  }

  @Override
  public Set<StateId> claimAll(Set<StateId> ids, LockId lockId, String holder, Duration stale) {
    return claims.claim(ids, lockId, holder, stale);
  }

  @Override
  public Optional<LockCandidate> claimant(StateId id) {
    return claims.claimant(id);
  }

  @Override
  public void announce(StateId id, LockId lockId, String holder) {
    boolean allColumns = form.prepared().hasAllColumns();
    settlement.await(
        () -> {
          if (allColumns) {
            connection.execute(
                Operation.ANNOUNCE,
                LockTableSql.ANNOUNCE,
                update -> bind(update, id, lockId).bind("holder", holder));
          } else {
            connection.execute(
                Operation.ANNOUNCE,
                LockTableSql.ANNOUNCE_PLUGIN,
                update -> bind(update, id, lockId));
          }
        },
        () ->
            look(id).stream().anyMatch(c -> c.lockId().equals(lockId))
                ? Settlement.Finding.DONE
                : Settlement.Finding.NOT_DONE);
  }

  @Override
  public List<LockCandidate> look(StateId id) {
    if (!Narrowing.isStorable(id.text())) {
      return List.of();
    }
    return read(
        LockTableSql.LOOK,
        LockTableSql.LOOK_PLUGIN,
        sql -> {
          List<LockCandidate> seen = new ArrayList<>();
          connection.readEach(
              Operation.READ_LOCKS,
              sql,
              Map.of("state_id", id.text()),
              ClickHouseLockTable::candidate,
              seen::add);
          return seen;
        },
        List.of());
  }

  @Override
  public boolean renew(StateId id, LockId lockId, Duration stale) {
    Fence fence = new Fence(id, lockId, stale);
    LockTableForm.Form seen = form.seen();
    if (seen == LockTableForm.Form.MISSING) {
      return false;
    }
    // The claim first: the row of one who has lost it is not to keep others out for longer.
    if (claimed.contains(id, lockId) && claims.renew(Set.of(id), lockId, stale).isEmpty()) {
      return false;
    }
    connection.execute(
        Operation.LOCK,
        seen.hasAllColumns() ? LockTableSql.RENEW : LockTableSql.RENEW_PLUGIN,
        update -> bind(update, fence));
    return isHeldAfter(Operation.LOCK, fence);
  }

  @Override
  public boolean withdraw(StateId id, LockId lockId) {
    LockTableForm.Form seen = form.seen();
    Optional<LockCandidate> there =
        look(id).stream().filter(c -> c.lockId().equals(lockId)).findFirst();
    boolean wasThere = there.isPresent();
    if (seen.hasAllColumns() && peers == LockPeers.NONE) {
      // Also when it was not seen: what was announced and not answered may still arrive.
      long newest = there.map(c -> c.lockedAt().getEpochSecond()).orElse(0L);
      connection.execute(
          Operation.LOCK,
          LockTableSql.RELEASE,
          update -> bind(update, id, lockId).bind("newest", newest));
    } else if (wasThere) {
      Deletion.untilGone(
          "a row of the lock of '" + id + "'",
          () ->
              connection.execute(
                  Operation.UNLOCK, LockTableSql.WITHDRAW, update -> bind(update, id, lockId)),
          () -> isLeft(id, lockId));
    }
    // Whoever claims next is not to meet the row.
    claims.release(Set.of(id), lockId);
    return wasThere;
  }

  /** One INSERT. Its rows are there together or not at all. */
  @Override
  public void announceAll(Set<StateId> ids, LockId lockId, String holder) {
    if (ids.isEmpty()) {
      return;
    }
    boolean allColumns = form.prepared().hasAllColumns();
    settlement.await(
        () ->
            connection.insert(
                Operation.ANNOUNCE,
                allColumns ? LockTableSql.ANNOUNCE_ROWS : LockTableSql.ANNOUNCE_ROWS_PLUGIN,
                Map.of(),
                rows -> {
                  for (StateId id : ids) {
                    rows.text(id.text()).text(lockId.text());
                    if (allColumns) {
                      rows.text(lockId.text()).text(holder).text("0");
                    }
                    rows.end();
                  }
                }),
        () ->
            locksOf(lockId).containsAll(ids)
                ? Settlement.Finding.DONE
                : Settlement.Finding.NOT_DONE);
  }

  @Override
  public Map<StateId, List<LockCandidate>> lookAll(Set<StateId> ids, LockId lockId) {
    Map<StateId, List<LockCandidate>> seen = new HashMap<>();
    read(
        LockTableSql.LOOK_ALL,
        LockTableSql.LOOK_ALL_PLUGIN,
        sql -> {
          connection.readEach(
              Operation.READ_LOCKS,
              sql,
              Map.of("lock_id", lockId.text()),
              ClickHouseLockTable::candidate,
              row -> seen.computeIfAbsent(row.id(), id -> new ArrayList<>(1)).add(row));
          return true;
        },
        false);
    // Also those whose row a merge or its release hid from the outer select only.
    seen.entrySet()
        .removeIf(
            lock ->
                !ids.contains(lock.getKey())
                    || lock.getValue().stream().noneMatch(row -> row.lockId().equals(lockId)));
    return seen;
  }

  @Override
  public Set<StateId> renewAll(Set<StateId> ids, LockId lockId, Duration stale) {
    LockTableForm.Form seen = form.seen();
    if (seen == LockTableForm.Form.MISSING || ids.isEmpty()) {
      return Set.of();
    }
    Set<StateId> lost = claimed.of(ids, lockId);
    lost.removeAll(claims.renew(claimed.of(ids, lockId), lockId, stale));
    Set<StateId> others = new LinkedHashSet<>(ids);
    others.removeAll(lost);
    for (List<String> portion : IdPortions.of(others)) {
      connection.execute(
          Operation.LOCK,
          seen.hasAllColumns() ? LockTableSql.RENEW_ALL : LockTableSql.RENEW_ALL_PLUGIN,
          update ->
              update
                  .bindList("state_ids", portion)
                  .bind("lock_id", lockId.text())
                  .bind("stale", stale.toSeconds()));
    }
    Set<StateId> held;
    try {
      held = locksHeldBy(lockId, stale);
    } catch (StateFailure e) {
      throw errors.unconfirmed(Operation.LOCK, e);
    }
    held.retainAll(others);
    return held;
  }

  /** One DELETE, which is a mutation and costs as much for one row as for many. */
  @Override
  public Set<StateId> withdrawAll(Set<StateId> ids, LockId lockId) {
    LockTableForm.Form seen = form.seen();
    Set<StateId> found = locksOf(lockId);
    boolean all = ids.containsAll(found);
    // In the order of the ids.
    Set<StateId> there = new LinkedHashSet<>(ids);
    there.retainAll(found);
    if (seen.hasAllColumns() && peers == LockPeers.NONE) {
      release(ids, there, lockId);
    } else if (!there.isEmpty()) {
      Deletion.untilGone(
          "a row of " + there.size() + " locks",
          () -> delete(there, all, lockId),
          () -> isOneLeft(there, lockId));
    }
    claims.release(ids, lockId);
    return there;
  }

  private void delete(Set<StateId> ids, boolean all, LockId lockId) {
    if (all) {
      connection.execute(
          Operation.UNLOCK,
          LockTableSql.WITHDRAW_ALL,
          update -> update.bind("lock_id", lockId.text()));
      return;
    }
    for (List<String> portion : IdPortions.of(ids)) {
      connection.execute(
          Operation.UNLOCK,
          LockTableSql.WITHDRAW_THESE,
          update -> update.bindList("state_ids", portion).bind("lock_id", lockId.text()));
    }
  }

  private void release(Set<StateId> ids, Set<StateId> there, LockId lockId) {
    for (List<String> portion : IdPortions.of(there)) {
      connection.execute(
          Operation.LOCK,
          LockTableSql.RELEASE_THESE,
          update -> update.bindList("state_ids", portion).bind("lock_id", lockId.text()));
    }
    // What was announced and not answered may still arrive.
    Set<StateId> notSeen = new LinkedHashSet<>(ids);
    notSeen.removeAll(there);
    for (List<String> portion : IdPortions.of(notSeen)) {
      connection.execute(
          Operation.LOCK,
          LockTableSql.RELEASE_UNSEEN,
          update -> update.bindList("state_ids", portion).bind("lock_id", lockId.text()));
    }
  }

  private boolean isOneLeft(Set<StateId> ids, LockId lockId) {
    try {
      return !Collections.disjoint(locksOf(lockId), ids);
    } catch (StateFailure e) {
      throw errors.unconfirmed(Operation.UNLOCK, e);
    }
  }

  private Set<StateId> locksOf(LockId lockId) {
    return locks(
        LockTableSql.LOCKS_OF, LockTableSql.LOCKS_OF_PLUGIN, Map.of("lock_id", lockId.text()));
  }

  private Set<StateId> locksHeldBy(LockId lockId, Duration stale) {
    return locks(
        LockTableSql.LOCKS_HELD_BY,
        LockTableSql.LOCKS_HELD_BY_PLUGIN,
        Map.of("lock_id", lockId.text(), "stale", stale.toSeconds()));
  }

  private Set<StateId> locks(String ours, String plugin, Map<String, Object> values) {
    Set<StateId> locks = new HashSet<>();
    read(
        ours,
        plugin,
        sql -> {
          connection.readEach(
              Operation.READ_LOCKS,
              sql,
              values,
              row -> StateId.ofStored(row.text("state_id")),
              locks::add);
          return true;
        },
        false);
    return locks;
  }

  private boolean isLeft(StateId id, LockId lockId) {
    try {
      return look(id).stream().anyMatch(c -> c.lockId().equals(lockId));
    } catch (StateFailure e) {
      throw errors.unconfirmed(Operation.UNLOCK, e);
    }
  }

  @Override
  public void removeStale(StateId id, Duration stale) {
    LockTableForm.Form seen = form.seen();
    // A DELETE is a mutation even if it finds nothing.
    if (look(id).stream().noneMatch(c -> c.age().compareTo(stale) > 0)) {
      return;
    }
    boolean marks = seen.hasAllColumns() && peers == LockPeers.NONE;
    Deletion.whereReplicasAre(
        () ->
            connection.execute(
                marks ? Operation.LOCK : Operation.UNLOCK,
                marks ? LockTableSql.RELEASE_STALE : LockTableSql.REMOVE_STALE,
                update -> update.bind("state_id", id.text()).bind("stale", stale.toSeconds())));
  }

  @Override
  public void removeStaleAll(Set<StateId> ids, Duration stale) {
    boolean marks = form.seen().hasAllColumns() && peers == LockPeers.NONE;
    for (List<String> portion : IdPortions.of(ids)) {
      Deletion.whereReplicasAre(
          () ->
              connection.execute(
                  marks ? Operation.LOCK : Operation.UNLOCK,
                  marks ? LockTableSql.RELEASE_STALE_ALL : LockTableSql.REMOVE_STALE_ALL,
                  update ->
                      update.bindList("state_ids", portion).bind("stale", stale.toSeconds())));
    }
  }

  @Override
  public void forEach(StateIdGlob glob, Consumer<? super LockCandidate> action) {
    String prefix = Narrowing.of(glob);
    if (!Narrowing.isStorable(prefix)) {
      return;
    }
    read(
        LockTableSql.LIST,
        LockTableSql.LIST_PLUGIN,
        sql -> {
          connection.readEach(
              Operation.READ_LOCKS,
              sql,
              Map.of("prefix", prefix),
              ClickHouseLockTable::candidate,
              candidate -> {
                if (glob.matches(candidate.id())) {
                  action.accept(candidate);
                }
              });
          return true;
        },
        false);
  }

  @Override
  public Optional<String> immediateObstacle() {
    return form.refusal()
        // Without the default only rows of the plugin are in danger.
        .filter(failure -> !form.seen().hasAllColumns() || peers == LockPeers.PLUGIN)
        .map(
            failure ->
                failure.getMessage()
                    + "; until then every lock is taken in settle mode, as the Meltano plugin does:"
                    + " it takes the settle time, and a merge of the table may remove a holder's"
                    + " row");
  }

  /**
   * Tells whether the row of a fence was there and fresh when an earlier statement asked for it.
   */
  boolean isHeldAfter(Operation operation, Fence fence) {
    try {
      return isHeld(fence);
    } catch (StateFailure e) {
      throw errors.unconfirmed(operation, e);
    }
  }

  /** Tells whether the table has all of our columns; empty when there is no table. */
  Optional<Boolean> hasAllColumns() {
    LockTableForm.Form seen = form.seen();
    return seen == LockTableForm.Form.MISSING
        ? Optional.empty()
        : Optional.of(seen.hasAllColumns());
  }

  static void bind(SqlStatement<?> statement, Fence fence) {
    statement
        .bind("lock", fence.lock().text())
        .bind("lock_id", fence.lockId().text())
        .bind("stale", fence.stale().toSeconds());
  }

  /**
   * Gives a statement that asks for the row of a fence, as it is for this one: of a candidate that
   * claimed the lock it asks for the claim, too.
   */
  String fenced(String sql, Fence fence) {
    return claimed.contains(fence.lock(), fence.lockId()) ? ClaimTableSql.andClaimed(sql) : sql;
  }

  /** Tells whether the row of a fence is there and fresh, and the claim where there is one. */
  boolean isHeld(Fence fence) {
    return read(
        fenced(LockTableSql.HELD, fence),
        fenced(LockTableSql.HELD_PLUGIN, fence),
        sql ->
            connection
                .first(
                    Operation.READ_LOCKS,
                    sql,
                    query -> bind(query, fence),
                    (row, context) -> row.getString("lock_id"))
                .isPresent(),
        false);
  }

  private <T> T read(String ours, String plugin, Function<String, T> read, T withoutTable) {
    return switch (form.seen()) {
      case MISSING -> withoutTable;
      case NO_DEFAULT, OURS -> tables.readLocks(() -> read.apply(ours), withoutTable);
      case PLUGIN -> tables.readLocks(() -> read.apply(plugin), withoutTable);
    };
  }

  private static SqlStatement<?> bind(SqlStatement<?> statement, StateId id, LockId lockId) {
    statement.bind("state_id", id.text()).bind("lock_id", lockId.text());
    return statement;
  }

  static LockCandidate candidate(Row row) {
    return new LockCandidate(
        StateId.ofStored(row.text("state_id")),
        new LockId(row.text("lock_id")),
        Instant.ofEpochSecond(row.number("newest")),
        Instant.ofEpochSecond(row.number("clock")),
        row.text("who"));
  }
}
