package dev.statectl.lock;

import dev.statectl.state.StateId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * Every interleaving of a few processes that each take one lock once, one table step at a time,
 * over the real {@link LockRules}.
 *
 * <p>Processes of ours follow the rules; peers follow the Python plugin's flow: insert, wait the
 * settle time, enter if the smallest id is theirs, else withdraw and start again. The plugin's flow
 * is safe among peers only if a peer holds the lock for less than the settle time; so a peer looks
 * only after the peers that held the lock when it inserted its row have let go.
 *
 * <p>Keepers are processes of ours that claim the lock from an arbiter first, then announce and
 * follow the same rules, and enter only while their claim is fresh. They let go of their row first,
 * then of the claim. In a world of late reads a keeper's look may miss any rows of others: then
 * only the claims stand between keepers. (Nothing is promised there beside others.)
 *
 * <p>At any point a process may crash; its row then becomes stale some time later. A process of
 * ours may be paused until its row is stale, as a candidate and as a holder; a holder is none from
 * then on, for its writes are fenced. An insert of ours may be answered by a failure although the
 * row is there, or is not. No row of a live process is counted on to become stale: that would be a
 * wait of minutes, not progress.
 */
final class LockModel {
  /** What a process is. */
  enum Kind {
    OURS,
    /** Ours, with claims. */
    KEEPER,
    PEER;

    boolean isOurs() {
      return this != PEER;
    }
  }

  /** What a keeper's look shows of others. */
  enum Reads {
    ALL,
    LATE
  }

  /** What may be planted to see it caught. */
  enum Fault {
    IDS_DO_NOT_SORT_FIRST,
    SMALLEST_ENTERS_WHILE_NOT_ALONE,
    RELEASE_WITHOUT_COMPARE,
    UNKNOWN_ANNOUNCE_IS_NOT_WITHDRAWN,
    CLAIM_IS_OVERWRITTEN,
    CLAIM_IS_RELEASED_WITHOUT_COMPARE,
    CLAIM_IS_TAKEN_FROM_A_LOOK_BEFORE,
    ROW_ALONE_FENCES,
    ENTERS_WITHOUT_ASKING_FOR_ITS_CLAIM,
    UNKNOWN_CLAIM_IS_NOT_WITHDRAWN
  }

  /** Where a process is. */
  private enum At {
    START,
    CLAIMED,
    ANNOUNCED,
    WAITING,
    UNKNOWN,
    WITHDRAWING,
    /** The row is removed, the claim not yet; starts again. */
    UNCLAIMING,
    HOLDING,
    LOST,
    /** The same at the end. */
    RELEASED,
    DONE,
    CRASHED
  }

  /**
   * A row of the lock table; rows stand in the order of their lock ids. Beside each stands who met
   * it at a first look and waits.
   */
  private record Row(int owner, boolean current, boolean stale, Set<Integer> metBy) {}

  /**
   * The arbiter's register: whose claim the lock is, if anybody's. Beside it stands who saw it free
   * or stale, which counts only where that fault is planted.
   */
  private record Claim(int owner, boolean current, boolean stale, Set<Integer> seenFreeBy) {
    static final Claim NONE = new Claim(-1, false, false, Set.of());

    boolean isFree() {
      return owner < 0 || stale;
    }

    boolean isOf(int p) {
      return owner == p && current;
    }
  }

  /** One state of the world. {@code heldAtInsert} has, for each peer, who held when it inserted. */
  private record World(
      List<At> at,
      List<Row> rows,
      List<Set<Integer>> heldAtInsert,
      Set<Integer> unknowns,
      Claim claim) {
    World with(Claim other) {
      return new World(at, rows, heldAtInsert, unknowns, other);
    }
  }

  /** What the exploration found. */
  record Result(int states, int steps, String overlap, String stuck) {}

  private static final StateId ID = StateId.of("dev:a-to-b");
  private static final LockTerms TERMS = LockTerms.DEFAULT;
  private static final Instant NOW = Instant.parse("2026-11-29T10:00:00Z");

  private final List<Kind> kinds;
  private final Set<Fault> faults;
  private final Reads reads;

  private final Map<World, Integer> numbers = new HashMap<>();
  private final List<World> worlds = new ArrayList<>();
  private final List<Integer> parents = new ArrayList<>();
  private final List<String> parentSteps = new ArrayList<>();
  private final List<List<Integer>> predecessors = new ArrayList<>();

  LockModel(List<Kind> kinds, Set<Fault> faults) {
    this(kinds, faults, Reads.ALL);
  }

  LockModel(List<Kind> kinds, Set<Fault> faults, Reads reads) {
    this.kinds = kinds;
    this.faults = faults;
    this.reads = reads;
  }

  Result explore() {
    add(
        new World(
            kinds.stream().map(k -> At.START).toList(),
            List.of(),
            kinds.stream().map(k -> Set.<Integer>of()).toList(),
            Set.of(),
            Claim.NONE),
        -1,
        "");
    int steps = 0;
    String overlap = "";
    for (int number = 0; number < worlds.size(); number++) {
      World world = worlds.get(number);
      if (overlap.isEmpty() && holders(world).size() > 1) {
        overlap = path(number);
      }
      int from = number;
      int[] count = {0};
      successors(
          world,
          (step, next) -> {
            count[0]++;
            int to = add(next, from, step);
            if (!step.endsWith("crashes")) {
              predecessors.get(to).add(from);
            }
          });
      steps += count[0];
    }
    return new Result(worlds.size(), steps, overlap, stuck());
  }

  private int add(World reached, int parent, String step) {
    World world = faults.isEmpty() ? renumbered(reached) : reached;
    Integer known = numbers.putIfAbsent(world, worlds.size());
    if (known != null) {
      return known;
    }
    worlds.add(world);
    parents.add(parent);
    parentSteps.add(step);
    predecessors.add(new ArrayList<>(4));
    return worlds.size() - 1;
  }

  // Processes of one kind behave alike, so worlds that differ in their numbers only are one. Not
  // where a fault is planted: there the path is shown, in which a number must mean one process.
  private World renumbered(World world) {
    List<Integer> order = new ArrayList<>();
    for (int p = 0; p < kinds.size(); p++) {
      order.add(p);
    }
    order.sort(
        Comparator.<Integer, Kind>comparing(kinds::get)
            .thenComparing(p -> world.at().get(p))
            .thenComparing(p -> world.unknowns().contains(p))
            .thenComparing(p -> world.claim().owner() == p)
            .thenComparing(p -> placesOf(world, p)));
    int[] numberOf = new int[order.size()];
    for (int i = 0; i < numberOf.length; i++) {
      numberOf[order.get(i)] = i;
    }
    return new World(
        order.stream().map(world.at()::get).toList(),
        world.rows().stream()
            .map(
                r ->
                    new Row(
                        numberOf[r.owner()],
                        r.current(),
                        r.stale(),
                        renumbered(r.metBy(), numberOf)))
            .toList(),
        order.stream().map(world.heldAtInsert()::get).map(s -> renumbered(s, numberOf)).toList(),
        renumbered(world.unknowns(), numberOf),
        world.claim().owner() < 0
            ? world.claim()
            : new Claim(
                numberOf[world.claim().owner()],
                world.claim().current(),
                world.claim().stale(),
                Set.of()));
  }

  private static Set<Integer> renumbered(Set<Integer> processes, int[] numberOf) {
    return processes.stream().map(p -> numberOf[p]).collect(Collectors.toUnmodifiableSet());
  }

  private static String placesOf(World world, int p) {
    StringBuilder places = new StringBuilder();
    for (int i = 0; i < world.rows().size(); i++) {
      if (world.rows().get(i).owner() == p) {
        places.append(i).append(world.rows().get(i).current()).append(world.rows().get(i).stale());
      }
      if (world.rows().get(i).metBy().contains(p)) {
        places.append('m').append(i);
      }
    }
    return places.toString();
  }

  // A world from which no steps but crashes lead to one where all have finished; or "".
  private String stuck() {
    boolean[] canFinish = new boolean[worlds.size()];
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < worlds.size(); i++) {
      if (worlds.get(i).at().stream().allMatch(a -> a == At.DONE || a == At.CRASHED)) {
        canFinish[i] = true;
        open.add(i);
      }
    }
    while (!open.isEmpty()) {
      for (int before : predecessors.get(open.remove(open.size() - 1))) {
        if (!canFinish[before]) {
          canFinish[before] = true;
          open.add(before);
        }
      }
    }
    for (int i = 0; i < worlds.size(); i++) {
      if (!canFinish[i]) {
        return path(i);
      }
    }
    return "";
  }

  private String path(int number) {
    List<String> steps = new ArrayList<>();
    for (int i = number; parents.get(i) >= 0; i = parents.get(i)) {
      steps.add(0, parentSteps.get(i));
    }
    return String.join("; ", steps);
  }

  private List<Integer> holders(World world) {
    List<Integer> holders = new ArrayList<>();
    for (int p = 0; p < kinds.size(); p++) {
      if (world.at().get(p) == At.HOLDING) {
        holders.add(p);
      }
    }
    return holders;
  }

  private void successors(World world, BiConsumer<String, World> to) {
    for (int p = 0; p < kinds.size(); p++) {
      String who = kinds.get(p).name().toLowerCase(Locale.ROOT) + " " + p;
      boolean keeper = kinds.get(p) == Kind.KEEPER;
      switch (world.at().get(p)) {
        case START -> {
          if (keeper) {
            claim(world, p, who, to);
          } else {
            announce(world, p, who, to);
          }
        }
        case CLAIMED -> announce(world, p, who, to);
        case ANNOUNCED, WAITING -> look(world, p, who, to);
        case UNKNOWN -> {
          boolean kept = faults.contains(Fault.UNKNOWN_ANNOUNCE_IS_NOT_WITHDRAWN);
          List<Row> rows = kept ? orphaned(world.rows(), p) : without(world.rows(), p);
          At next = keeper ? At.UNCLAIMING : At.START;
          to.accept(who + " starts again", moved(world, p, next, rows));
        }
        case WITHDRAWING -> {
          At next = keeper ? At.UNCLAIMING : At.START;
          to.accept(who + " withdraws", moved(world, p, next, without(world.rows(), p)));
        }
        case UNCLAIMING -> unclaim(world, p, At.START, who, to);
        case RELEASED -> unclaim(world, p, At.DONE, who, to);
        case HOLDING, LOST -> release(world, p, who, to);
        case DONE -> {}
        case CRASHED -> {
          rowTurnsStale(world, p, who, to);
          claimTurnsStale(world, p, who, to);
        }
      }
      pausedUntilStale(world, p, who, to);
      if (keeper) {
        pausedUntilTheClaimIsStale(world, p, who, to);
      }
      if (world.at().get(p) != At.DONE && world.at().get(p) != At.CRASHED) {
        to.accept(who + " crashes", moved(world, p, At.CRASHED, world.rows()));
      }
    }
  }

  private void claim(World world, int p, String who, BiConsumer<String, World> to) {
    Claim claim = world.claim();
    if (faults.contains(Fault.CLAIM_IS_TAKEN_FROM_A_LOOK_BEFORE) && claim.isFree()) {
      Claim seen =
          new Claim(claim.owner(), claim.current(), claim.stale(), plus(claim.seenFreeBy(), p));
      to.accept(who + " sees the claim free", world.with(seen));
    }
    boolean free =
        faults.contains(Fault.CLAIM_IS_TAKEN_FROM_A_LOOK_BEFORE)
            ? claim.seenFreeBy().contains(p)
            : claim.isFree() || faults.contains(Fault.CLAIM_IS_OVERWRITTEN);
    if (!free) {
      // Refused, and tries again: nothing has changed.
      return;
    }
    Claim mine = new Claim(p, true, false, minus(claim.seenFreeBy(), p));
    to.accept(who + " claims", moved(world, p, At.CLAIMED, world.rows()).with(mine));
    if (!world.unknowns().contains(p)) {
      World unknown = unknown(moved(world, p, At.UNKNOWN, world.rows()), p);
      to.accept(who + " claims, the claim lands, no answer", unknown.with(mine));
      to.accept(who + " claims, the claim is lost, no answer", unknown);
    }
  }

  private static World unknown(World world, int p) {
    return new World(
        world.at(), world.rows(), world.heldAtInsert(), plus(world.unknowns(), p), world.claim());
  }

  private void unclaim(World world, int p, At next, String who, BiConsumer<String, World> to) {
    Claim claim = world.claim();
    World moved = moved(world, p, next, world.rows());
    Claim left = claim;
    if (claim.isOf(p) || faults.contains(Fault.CLAIM_IS_RELEASED_WITHOUT_COMPARE)) {
      left = new Claim(-1, false, false, claim.seenFreeBy());
    }
    if (claim.isOf(p)
        && world.at().get(p) == At.UNCLAIMING
        && world.unknowns().contains(p)
        && faults.contains(Fault.UNKNOWN_CLAIM_IS_NOT_WITHDRAWN)) {
      left = new Claim(p, false, claim.stale(), claim.seenFreeBy());
    }
    to.accept(who + " lets go of the claim", moved.with(left));
  }

  private void claimTurnsStale(World world, int p, String who, BiConsumer<String, World> to) {
    Claim claim = world.claim();
    if (claim.owner() == p && !claim.stale()) {
      to.accept(who + "'s claim turns stale", world.with(stale(claim)));
    }
  }

  private void pausedUntilTheClaimIsStale(
      World world, int p, String who, BiConsumer<String, World> to) {
    At at = world.at().get(p);
    boolean needsIt =
        at == At.CLAIMED || at == At.ANNOUNCED || at == At.WAITING || at == At.HOLDING;
    if (needsIt && world.claim().isOf(p) && !world.claim().stale()) {
      boolean lost = at == At.HOLDING && !faults.contains(Fault.ROW_ALONE_FENCES);
      to.accept(
          who + " is paused until its claim is stale",
          moved(world, p, lost ? At.LOST : at, world.rows()).with(stale(world.claim())));
    }
  }

  private static Claim stale(Claim claim) {
    return new Claim(claim.owner(), claim.current(), true, claim.seenFreeBy());
  }

  private void announce(World world, int p, String who, BiConsumer<String, World> to) {
    // Peers clean stale rows away first; ours ignore them.
    boolean ours = kinds.get(p).isOurs();
    List<Row> rows = ours ? world.rows() : world.rows().stream().filter(r -> !r.stale()).toList();
    int firstPeer = 0;
    while (firstPeer < rows.size() && kinds.get(rows.get(firstPeer).owner()).isOurs()) {
      firstPeer++;
    }
    boolean anywhere = faults.contains(Fault.IDS_DO_NOT_SORT_FIRST);
    int from = ours || anywhere ? 0 : firstPeer;
    int until = ours && !anywhere ? firstPeer : rows.size();
    for (int place = from; place <= until; place++) {
      List<Row> with = new ArrayList<>(rows);
      with.add(place, new Row(p, true, false, Set.of()));
      to.accept(who + " announces", announced(world, p, At.ANNOUNCED, with, world.unknowns()));
      if (ours && !world.unknowns().contains(p)) {
        to.accept(
            who + " announces, the row lands, no answer",
            announced(world, p, At.UNKNOWN, with, plus(world.unknowns(), p)));
      }
    }
    if (ours && !world.unknowns().contains(p)) {
      to.accept(
          who + " announces, the row is lost, no answer",
          announced(world, p, At.UNKNOWN, world.rows(), plus(world.unknowns(), p)));
    }
  }

  private World announced(World world, int p, At at, List<Row> rows, Set<Integer> unknowns) {
    World moved = moved(world, p, at, rows);
    if (kinds.get(p).isOurs()) {
      return new World(moved.at(), moved.rows(), moved.heldAtInsert(), unknowns, moved.claim());
    }
    List<Set<Integer>> held = new ArrayList<>(world.heldAtInsert());
    held.set(p, Set.copyOf(peersHolding(world)));
    return new World(moved.at(), moved.rows(), List.copyOf(held), unknowns, moved.claim());
  }

  private List<Integer> peersHolding(World world) {
    return holders(world).stream().filter(p -> kinds.get(p) == Kind.PEER).toList();
  }

  private void look(World world, int p, String who, BiConsumer<String, World> to) {
    if (kinds.get(p) == Kind.PEER) {
      boolean waits = world.heldAtInsert().get(p).stream().anyMatch(peersHolding(world)::contains);
      if (!waits) {
        boolean wins = !world.rows().isEmpty() && world.rows().get(0).owner() == p;
        to.accept(
            who + (wins ? " enters" : " has lost"),
            moved(world, p, wins ? At.HOLDING : At.WITHDRAWING, world.rows()));
      }
      return;
    }
    look(world, p, who, world.rows(), to);
    if (kinds.get(p) == Kind.KEEPER && reads == Reads.LATE) {
      // Any others may be missed; it is enough to try all and none, and each alone.
      look(world, p, who, own(world.rows(), p), to);
      for (Row other : world.rows()) {
        look(world, p, who, world.rows().stream().filter(r -> r != other).toList(), to);
      }
    }
  }

  private static List<Row> own(List<Row> rows, int p) {
    return rows.stream().filter(r -> r.owner() == p).toList();
  }

  private void look(World world, int p, String who, List<Row> shown, BiConsumer<String, World> to) {
    List<LockCandidate> seen = new ArrayList<>();
    LockId mine = new LockId("none");
    Set<LockId> met = new HashSet<>();
    for (int i = 0; i < world.rows().size(); i++) {
      Row row = world.rows().get(i);
      LockId lockId = new LockId("row " + i);
      Duration age = row.stale() ? TERMS.stale().plusSeconds(1) : Duration.ZERO;
      if (shown.contains(row)) {
        seen.add(new LockCandidate(ID, lockId, NOW.minus(age), NOW, ""));
      }
      if (row.owner() == p && row.current()) {
        mine = lockId;
      }
      if (row.metBy().contains(p)) {
        met.add(lockId);
      }
    }
    boolean first = world.at().get(p) == At.ANNOUNCED;
    LockRules.Step step =
        first ? LockRules.first(seen, mine, TERMS) : LockRules.again(seen, mine, met, TERMS);
    if (step == LockRules.Step.LOOK_AGAIN
        && faults.contains(Fault.SMALLEST_ENTERS_WHILE_NOT_ALONE)) {
      step = LockRules.Step.ENTER;
    }
    boolean claimed = world.claim().isOf(p) && !world.claim().stale();
    if (step == LockRules.Step.ENTER
        && kinds.get(p) == Kind.KEEPER
        && !claimed
        && !faults.contains(Fault.ENTERS_WITHOUT_ASKING_FOR_ITS_CLAIM)) {
      // By its own clock it knows when the claim has run out.
      step = LockRules.Step.WITHDRAW;
    }
    switch (step) {
      case ENTER -> to.accept(who + " enters", moved(world, p, At.HOLDING, world.rows()));
      case WITHDRAW ->
          to.accept(who + " steps back", moved(world, p, At.WITHDRAWING, world.rows()));
      case LOOK_AGAIN -> {
        if (first) {
          to.accept(who + " stays", moved(world, p, At.WAITING, metBy(world.rows(), p)));
        }
      }
    }
  }

  private static List<Row> metBy(List<Row> rows, int p) {
    return rows.stream()
        .map(
            r ->
                r.stale() || r.owner() == p && r.current()
                    ? r
                    : new Row(r.owner(), r.current(), r.stale(), plus(r.metBy(), p)))
        .toList();
  }

  private static List<Row> forgottenBy(List<Row> rows, int p) {
    return rows.stream()
        .map(
            r ->
                r.metBy().contains(p)
                    ? new Row(r.owner(), r.current(), r.stale(), minus(r.metBy(), p))
                    : r)
        .toList();
  }

  private void release(World world, int p, String who, BiConsumer<String, World> to) {
    boolean all = kinds.get(p) == Kind.OURS && faults.contains(Fault.RELEASE_WITHOUT_COMPARE);
    List<Row> rows = all ? List.of() : without(world.rows(), p);
    At next = kinds.get(p) == Kind.KEEPER ? At.RELEASED : At.DONE;
    to.accept(who + " releases", moved(world, p, next, rows));
  }

  private void pausedUntilStale(World world, int p, String who, BiConsumer<String, World> to) {
    At at = world.at().get(p);
    if (kinds.get(p) == Kind.PEER || at != At.ANNOUNCED && at != At.WAITING && at != At.HOLDING) {
      return;
    }
    for (int i = 0; i < world.rows().size(); i++) {
      Row row = world.rows().get(i);
      if (row.owner() == p && row.current() && !row.stale()) {
        to.accept(
            who + " is paused until its row is stale",
            moved(world, p, at == At.HOLDING ? At.LOST : at, stale(world.rows(), i)));
      }
    }
  }

  private void rowTurnsStale(World world, int p, String who, BiConsumer<String, World> to) {
    for (int i = 0; i < world.rows().size(); i++) {
      Row row = world.rows().get(i);
      if (row.owner() == p && !row.stale()) {
        to.accept(who + "'s row turns stale", moved(world, p, At.CRASHED, stale(world.rows(), i)));
      }
    }
  }

  private static World moved(World world, int p, At at, List<Row> rows) {
    List<At> all = new ArrayList<>(world.at());
    all.set(p, at);
    List<Set<Integer>> held = world.heldAtInsert();
    if (at != At.ANNOUNCED && !held.get(p).isEmpty()) {
      held = new ArrayList<>(held);
      held.set(p, Set.of());
      held = List.copyOf(held);
    }
    List<Row> kept = at == At.WAITING ? rows : forgottenBy(rows, p);
    return new World(List.copyOf(all), List.copyOf(kept), held, world.unknowns(), world.claim());
  }

  private static List<Row> without(List<Row> rows, int p) {
    return rows.stream().filter(r -> r.owner() != p || !r.current()).toList();
  }

  private static List<Row> orphaned(List<Row> rows, int p) {
    return rows.stream()
        .map(r -> r.owner() == p ? new Row(p, false, r.stale(), r.metBy()) : r)
        .toList();
  }

  private static List<Row> stale(List<Row> rows, int i) {
    List<Row> turned = new ArrayList<>(rows);
    turned.set(i, new Row(rows.get(i).owner(), rows.get(i).current(), true, rows.get(i).metBy()));
    return turned;
  }

  private static Set<Integer> minus(Set<Integer> set, int p) {
    return set.stream().filter(i -> i != p).collect(Collectors.toUnmodifiableSet());
  }

  private static Set<Integer> plus(Set<Integer> set, int p) {
    List<Integer> more = new ArrayList<>(set);
    more.add(p);
    return Set.copyOf(more);
  }
}
