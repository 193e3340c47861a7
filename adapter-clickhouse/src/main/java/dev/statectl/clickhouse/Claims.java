package dev.statectl.clickhouse;

import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The claims to locks, in Keeper, which give a lock to one candidate at a time whatever replica
 * each talks to. Each change is one comparison with what was there; after one that failed, or whose
 * answer got lost, the table is asked who has the claim.
 *
 * <p>Whether claims are used is decided when the first lock is claimed. Thread-safe.
 */
final class Claims {
  /** A request to Keeper has a megabyte at most, and one node that changed fails all of it. */
  static final int MOST_AT_ONCE = 200;

  private static final int MOST_TRIES = 4;

  private final ClickHouseConnection connection;
  private final ClickHouseErrors errors;
  private final Tables tables;
  private final Topology topology;
  private final Definitions definitions;
  private final KeeperLocks wanted;
  private final ClaimedLocks claimed;

  // Set once it is known.
  private volatile @Nullable Boolean used;
  private volatile boolean exists;
  private volatile @Nullable StateFailure refusal;

  /**
   * Claims over a connection.
   *
   * @param claimed shared by all that are one backend: what one claimed another may write under
   */
  Claims(
      ClickHouseConnection connection,
      ClickHouseErrors errors,
      Tables tables,
      Topology topology,
      Definitions definitions,
      KeeperLocks wanted,
      ClaimedLocks claimed) {
    this.connection = connection;
    this.errors = errors;
    this.tables = tables;
    this.topology = topology;
    this.definitions = definitions;
    this.wanted = wanted;
    this.claimed = claimed;
  }

  /** Tells who of this process holds by a claim. */
  ClaimedLocks claimed() {
    return claimed;
  }

  /**
   * Tells whether locks are claimed; makes the table where they are.
   *
   * @throws StateFailure.WrongSchema when they must be and the server offers no such table
   * @throws StateFailure.Denied when they must be and the user may not make the table
   */
  boolean areUsed() {
    Boolean known = used;
    return known == null ? decide() : known;
  }

  /** Tells why they are not used although the tables have replicas. */
  Optional<StateFailure> refusal() {
    return Optional.ofNullable(refusal);
  }

  private synchronized boolean decide() {
    Boolean known = used;
    if (known != null) {
      return known;
    }
    boolean decided =
        wanted == KeeperLocks.ON || wanted == KeeperLocks.AUTO && topology.hasReplicas();
    if (decided) {
      try {
        create();
      } catch (StateFailure.WrongSchema | StateFailure.Denied e) {
        decided = !doWithoutAfter(e);
      }
    }
    used = decided;
    return decided;
  }

  private void create() {
    if (!exists()) {
      // Their database is this one's.
      tables.create();
      definitions.run(Operation.CREATE_CLAIMS, ClaimTableSql.CREATE);
      exists = true;
    }
  }

  private boolean exists() {
    if (exists) {
      return true;
    }
    try {
      exists =
          connection
              .first(
                  Operation.READ_CLAIMS,
                  ClaimTableSql.EXISTS,
                  query -> {},
                  (row, context) -> row.getInt(1) == 1)
              .orElse(false);
    } catch (TableMissingException e) {
      // It asks for nothing that could be missing but the database that the user connects to.
      throw errors.unknownDatabase(e);
    }
    return exists;
  }

  // The rows decide then, as they do where there is no Keeper.
  private boolean doWithoutAfter(StateFailure failure) {
    if (wanted == KeeperLocks.ON) {
      throw failure;
    }
    refusal = failure;
    used = false;
    return true;
  }

  /**
   * Claims locks that are free, or whose claim is stale; gives those that are the candidate's.
   *
   * @throws StateFailure.OutcomeUnknown when some may be the candidate's
   */
  Set<StateId> claim(Set<StateId> ids, LockId lockId, String holder, Duration stale) {
    if (ids.isEmpty() || !areUsed()) {
      return ids;
    }
    // Before, since an answer may get lost: what holds by a claim must never pass without one.
    claimed.add(ids, lockId);
    Set<StateId> mine = new HashSet<>();
    try {
      for (Set<StateId> portion : portions(ids)) {
        mine.addAll(claimPortion(portion, lockId, holder, stale, false));
      }
    } catch (StateFailure.OutcomeUnknown e) {
      throw e;
    } catch (StateFailure e) {
      if (!mine.isEmpty()) {
        throw errors.unconfirmed(Operation.CLAIM, e);
      }
      claimed.remove(ids, lockId);
      if (e instanceof StateFailure.Denied && doWithoutAfter(e)) {
        return ids;
      }
      throw e;
    }
    Set<StateId> refused = new HashSet<>(ids);
    refused.removeAll(mine);
    claimed.remove(refused, lockId);
    return mine;
  }

  /**
   * Claims the locks of a statement.
   *
   * @param sentBefore whether a statement for some of them was sent, so that they may be claimed
   */
  private Set<StateId> claimPortion(
      Set<StateId> ids, LockId lockId, String holder, Duration stale, boolean sentBefore) {
    Map<String, Object> values =
        Map.of("lock_id", lockId.text(), "holder", holder, "stale", stale.toSeconds());
    boolean sent = sentBefore;
    for (int tries = 1; ; tries++) {
      Map<StateId, Optional<LockCandidate>> seen =
          sent ? lookAfter(ids) : look(ClaimTableSql.LOOK_AT_ONCE, ids);
      Set<StateId> mine = thoseOf(seen, lockId);
      Set<StateId> free = thoseWhere(seen, claim -> isFree(claim, stale));
      free.removeAll(mine);
      Set<StateId> absent = new LinkedHashSet<>(ids);
      absent.removeAll(seen.keySet());
      if (free.isEmpty() && absent.isEmpty() || tries > MOST_TRIES) {
        return mine;
      }
      boolean inserted = absent.isEmpty() || isDone(ClaimTableSql.INSERT, absent, values, sent);
      if (inserted && free.isEmpty()) {
        // A strict insert that succeeds is the claim itself.
        mine.addAll(absent);
        return mine;
      }
      sent |= !absent.isEmpty();
      boolean taken = free.isEmpty() || isDone(ClaimTableSql.TAKE, free, values, sent);
      sent = true;
      if (ids.size() > 1 && !(inserted && taken)) {
        return oneByOne(ids, id -> claimPortion(Set.of(id), lockId, holder, stale, true));
      }
    }
  }

  private static boolean isFree(Optional<LockCandidate> claim, Duration stale) {
    return claim.isEmpty() || isStale(claim.get(), stale);
  }

  private static boolean isStale(LockCandidate claim, Duration stale) {
    return claim.age().compareTo(stale) > 0;
  }

  /** Tells who has the claim to a lock. */
  Optional<LockCandidate> claimant(StateId id) {
    if (!mayBeThere() || !Narrowing.isStorable(id.text())) {
      return Optional.empty();
    }
    Map<StateId, Optional<LockCandidate>> seen;
    try {
      // Else the server tries for longer than we wait while Keeper is gone.
      seen = look(ClaimTableSql.LOOK_AT_ONCE, Set.of(id));
    } catch (StateFailure.Denied e) {
      // Whoever may not change settings may look all the same.
      seen = look(ClaimTableSql.LOOK, Set.of(id));
    }
    return seen.getOrDefault(id, Optional.empty());
  }

  // Also of others who use them, unless it is known that there are none.
  private boolean mayBeThere() {
    if (wanted == KeeperLocks.OFF || Boolean.FALSE.equals(used)) {
      return false;
    }
    try {
      return exists();
    } catch (StateFailure.Denied e) {
      // Whoever has no right on the table may not even know whether it exists.
      if (wanted == KeeperLocks.ON) {
        throw e;
      }
      return false;
    }
  }

  /**
   * Renews claims that are not stale; gives those that are the candidate's and fresh.
   *
   * @throws StateFailure.OutcomeUnknown when some may have been renewed or not
   */
  Set<StateId> renew(Set<StateId> ids, LockId lockId, Duration stale) {
    Set<StateId> renewed = new HashSet<>();
    for (Set<StateId> portion : portions(ids)) {
      renewed.addAll(renewPortion(portion, lockId, stale));
    }
    return renewed;
  }

  private Set<StateId> renewPortion(Set<StateId> ids, LockId lockId, Duration stale) {
    Map<String, Object> values = Map.of("lock_id", lockId.text(), "stale", stale.toSeconds());
    try {
      change(ClaimTableSql.RENEW, ids, values);
    } catch (StateFailure.OutcomeUnknown e) {
      if (ids.size() == 1) {
        throw e;
      }
      return oneByOne(ids, id -> renewPortion(Set.of(id), lockId, stale));
    }
    Map<StateId, Optional<LockCandidate>> seen = lookAfter(ids);
    Set<StateId> fresh = thoseOf(seen, lockId);
    fresh.removeAll(thoseWhere(seen, claim -> isFree(claim, stale)));
    return fresh;
  }

  /**
   * Gives claims back, those of this candidate only.
   *
   * @throws StateFailure.OutcomeUnknown when one may still be the candidate's
   */
  void release(Collection<StateId> ids, LockId lockId) {
    Set<StateId> own = claimed.of(ids, lockId);
    Set<StateId> others = new LinkedHashSet<>(ids);
    others.removeAll(own);
    if (!others.isEmpty() && mayBeThere()) {
      for (Set<StateId> portion : portions(others)) {
        own.addAll(thoseOf(lookAfter(portion), lockId));
      }
    }
    for (Set<StateId> portion : portions(own)) {
      releasePortion(portion, lockId);
      claimed.remove(portion, lockId);
    }
  }

  private void releasePortion(Set<StateId> ids, LockId lockId) {
    Map<String, Object> values = Map.of("lock_id", lockId.text());
    for (int tries = 1; ; tries++) {
      try {
        change(ClaimTableSql.RELEASE, ids, values);
        return;
      } catch (StateFailure.OutcomeUnknown e) {
        if (ids.size() > 1) {
          ids.forEach(id -> releasePortion(Set.of(id), lockId));
          return;
        }
        if (thoseOf(lookAfter(ids), lockId).isEmpty()) {
          return;
        }
        if (tries == MOST_TRIES) {
          throw e;
        }
      } catch (StateFailure e) {
        if (ClickHouseErrors.isOfMissingTable(e)) {
          // Somebody dropped it, and all claims with it.
          forgetTable();
          return;
        }
        // The row may be removed by now, so this is no failure that changed nothing.
        throw errors.unconfirmed(Operation.CLAIM, e);
      }
    }
  }

  // One node that changed meanwhile fails a statement for many.
  private static Set<StateId> oneByOne(Set<StateId> ids, Function<StateId, Set<StateId>> change) {
    Set<StateId> done = new HashSet<>();
    ids.forEach(id -> done.addAll(change.apply(id)));
    return done;
  }

  // A lost race is told by the same code as a Keeper that is gone; a look afterwards tells which.
  private boolean isDone(
      String sql, Set<StateId> ids, Map<String, Object> values, boolean sentBefore) {
    try {
      change(sql, ids, values);
      return true;
    } catch (StateFailure.OutcomeUnknown e) {
      return false;
    } catch (StateFailure e) {
      // This one changed nothing, but what was sent before it may have.
      throw sentBefore ? errors.unconfirmed(Operation.CLAIM, e) : e;
    }
  }

  private void change(String sql, Set<StateId> ids, Map<String, Object> values) {
    Map<String, Object> all = new HashMap<>(values);
    all.put("state_ids", texts(ids));
    connection.write(Operation.CLAIM, sql, all, Map.of());
  }

  private Map<StateId, Optional<LockCandidate>> lookAfter(Set<StateId> ids) {
    try {
      return look(ClaimTableSql.LOOK_AT_ONCE, ids);
    } catch (StateFailure e) {
      throw errors.unconfirmed(Operation.CLAIM, e);
    }
  }

  // For each lock that was ever claimed; empty where nobody has the claim.
  private Map<StateId, Optional<LockCandidate>> look(String sql, Set<StateId> ids) {
    Map<StateId, Optional<LockCandidate>> seen = new HashMap<>();
    try {
      connection.readEach(
          Operation.READ_CLAIMS,
          sql,
          Map.of("state_ids", texts(ids)),
          Claims::entry,
          found -> seen.put(found.getKey(), found.getValue()));
    } catch (TableMissingException e) {
      forgetTable();
      throw e.failure();
    }
    return seen;
  }

  // The next claim makes it anew.
  private void forgetTable() {
    exists = false;
    used = null;
  }

  private static Map.Entry<StateId, Optional<LockCandidate>> entry(Row row) {
    return Map.entry(
        StateId.ofStored(row.text("state_id")),
        row.text("lock_id").isEmpty()
            ? Optional.empty()
            : Optional.of(ClickHouseLockTable.candidate(row)));
  }

  private static Set<StateId> thoseOf(Map<StateId, Optional<LockCandidate>> seen, LockId lockId) {
    return thoseWhere(seen, claim -> claim.filter(c -> c.lockId().equals(lockId)).isPresent());
  }

  private static Set<StateId> thoseWhere(
      Map<StateId, Optional<LockCandidate>> seen, Predicate<Optional<LockCandidate>> which) {
    Set<StateId> found = new HashSet<>();
    seen.forEach(
        (id, claim) -> {
          if (which.test(claim)) {
            found.add(id);
          }
        });
    return found;
  }

  private static List<String> texts(Set<StateId> ids) {
    return ids.stream().map(StateId::text).toList();
  }

  private static List<Set<StateId>> portions(Collection<StateId> ids) {
    List<Set<StateId>> portions = new ArrayList<>();
    for (List<String> portion : IdPortions.of(ids)) {
      for (int from = 0; from < portion.size(); from += MOST_AT_ONCE) {
        Set<StateId> some = new LinkedHashSet<>();
        portion
            .subList(from, Math.min(portion.size(), from + MOST_AT_ONCE))
            .forEach(text -> some.add(StateId.ofStored(text)));
        portions.add(some);
      }
    }
    return portions;
  }
}
