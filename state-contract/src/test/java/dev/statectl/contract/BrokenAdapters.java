package dev.statectl.contract;

import static dev.statectl.contract.BrokenAdapter.backend;
import static dev.statectl.contract.BrokenAdapter.hooks;
import static dev.statectl.contract.BrokenAdapter.store;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.statectl.contract.BrokenAdapter.Hooks;
import dev.statectl.json.JsonObject;
import dev.statectl.lock.Fence;
import dev.statectl.port.Backend;
import dev.statectl.port.SaveRules;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.state.StateVersion;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.text.Normalizer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** For every rule an adapter that breaks it, mostly in a way in which adapters really go wrong. */
final class BrokenAdapters {
  private BrokenAdapters() {}

  static Stream<BrokenAdapter> all() {
    return Stream.of(
            ofHooks(),
            ofFind(),
            ofSave(),
            ofSaveMany(),
            ofDelete(),
            ofWalkIds(),
            ofWalkStates(),
            ofUnreadable(),
            ofIds(),
            ofPayloads(),
            ofVersions(),
            ofConcurrency(),
            ofBackend(),
            BrokenLockTables.all(),
            BrokenHistories.all())
        .flatMap(Function.identity());
  }

  private static Stream<BrokenAdapter> ofHooks() {
    return Stream.of(
        hooks("H-01", "the ids stored in a backend that was just opened", FilledHooks::new)
            .breakingMuch(),
        hooks("H-02", "the backend that nothing was saved to", SharingHooks::new),
        hooks("H-03", "the ids stored after a row was planted", IdleHooks::new).breakingMuch());
  }

  private static Stream<BrokenAdapter> ofFind() {
    return Stream.of(
        store("S-01", "nothing is stored under the id 'dev:tap-to-target', but", AlwaysFinds::new)
            .alsoBreaking(
                "S-04", "S-24", "S-25", "S-28", "S-29", "S-51", "S-53", "S-54", "S-72", "S-74",
                "S-75"),
        store("S-02", "the ids stored after reads", CreatesWhenRead::new)
            .alsoBreaking("S-01", "S-24", "S-25", "S-28", "S-29", "S-51", "S-53", "S-72"),
        store(
                "S-03",
                "the completed half of 'dev:tap-to-target': expected",
                () -> new Respells(json -> json.replace("\\u00e9", "é")))
            .alsoBreaking("S-56"),
        store("S-04", "nothing is stored under the id 'DEV:tap-to-target'", IgnoresCase::new),
        store("S-05", "its version", ForgetsOldVersions::new),
        store("S-06", "the state of 'completed is no text' cannot be read", RefusesBlank::new),
        store("S-07", "expected '{\"v\":2}' but found '{\"v\":1}'", LastPlantedWins::new),
        store("S-74", "the ids that have a state", ForgetsTheUnreadable::new),
        store("S-75", "the ids given", SkipsTheUnreadable::new).alsoBreaking("S-74"),
        store("S-76", "the ids given", FindsAHundred::new).alsoBreaking("S-74"));
  }

  private static Stream<BrokenAdapter> ofSave() {
    return Stream.of(
        store("S-08", "the partial half of 'dev:tap-to-target'", KeepsPartial::new),
        store("S-09", "find gave nothing for the id 'dev:new'", DropsEmpty::new)
            .alsoBreaking("S-24", "S-29", "S-47", "S-74"),
        store("S-10", "the version found after the first save", ReturnsOtherVersion::new)
            .alsoBreaking("S-58", "S-60", "S-61", "S-70", "S-73"),
        store(
            "S-11",
            "expected '{\"a\":1}' but found '{\"b\":2}'",
            () -> new Deduplicates(true, true, false)),
        store(
            "S-12",
            "save of a state with the id '' must fail with IllegalArgumentException, but nothing",
            () -> new SavesUnchecked(true, false)),
        store(
            "S-13",
            "save of a state of 67108865 bytes must fail with TooLarge, but nothing was thrown",
            () -> new SavesUnchecked(false, true)),
        store("S-14", "the state of 'dev:tap-to-target' cannot be read", ReadsBeforeSave::new)
            .alsoBreaking("S-71"),
        store("S-71", "the state of 'dev:tap-to-target' cannot be read", FencedReadsFirst::new)
            .alsoBreaking("S-72"));
  }

  private static Stream<BrokenAdapter> ofSaveMany() {
    return Stream.of(
        store(
            "S-15",
            "the ids that are stored",
            () -> new Selects(all -> all.stream().filter(s -> !s.isEmpty()).toList())),
        store("S-16", "came as unreadable", LeavesUnreadable::new),
        store("S-17", "expected '{\"a\":3}' but found '{\"a\":1}'", () -> new Selects(firsts())),
        store("S-18", "the ids that are stored", NothingClearsAll::new),
        store("S-19", "the ids that are stored", () -> new ChecksLate(false, true)),
        store("S-20", "the ids that are stored", () -> new ChecksLate(true, false)),
        store(
                "S-21",
                "the ids that are stored",
                () -> new Selects(all -> all.stream().limit(100).toList()))
            .alsoBreaking("S-76"),
        store("S-22", "the ids that are stored", SavesLater::new),
        store("S-23", "the collection after saveAll", SortsInPlace::new));
  }

  private static Stream<BrokenAdapter> ofDelete() {
    return Stream.of(
        store("S-24", "delete where nothing was ever stored", AlwaysDeletes::new)
            .alsoBreaking("S-51", "S-53", "S-54"),
        store("S-25", "nothing is stored under the id 'dev:planted', but", DeletesNewest::new)
            .alsoBreaking("S-72"),
        store("S-26", "the ids that are stored", DeletesByPrefix::new).alsoBreaking("S-52", "S-72"),
        store("S-27", "the ids that are stored", () -> new Deduplicates(false, true, true)),
        store("S-28", "the state of 'dev:tap-to-target' cannot be read", ReadsBeforeDelete::new)
            .alsoBreaking("S-72"),
        store("S-72", "the state of 'dev:unreadable' cannot be read", FencedReadsFirst::new)
            .alsoBreaking("S-71"),
        store("S-29", "the number of states that were removed", DeletesReadable::new),
        store("S-30", "the ids that are stored", () -> new Deduplicates(true, false, true)));
  }

  private static Stream<BrokenAdapter> ofWalkIds() {
    return Stream.of(
        store("S-31", "that were saved often", () -> new Repeats(true)),
        store("S-32", "the ids in the order of the walk", () -> new SortsChars(true)),
        store("S-33", "the ids that the glob 'dev:tap_a' picks", () -> new PicksLike(true)),
        store("S-34", "two states and three rows that are none", () -> new HidesUnreadable(true)),
        store("S-35", "the threads in which the action was called", () -> new WalksAside(true)),
        store("S-36", "java.util.ConcurrentModificationException", () -> new WalksLive(true)),
        store("S-37", "what the walk threw when its action threw", () -> new Translates(true)),
        store(
            "S-38", "after 12 walks that ended early the store must go on", () -> new Leaks(true)));
  }

  private static Stream<BrokenAdapter> ofWalkStates() {
    return Stream.of(
        store("S-39", "that were saved often", () -> new Repeats(false)),
        store("S-40", "the ids in the order of the walk", () -> new SortsChars(false))
            .alsoBreaking("S-52"),
        store("S-41", "the ids that the glob 'dev:tap_a' picks", () -> new PicksLike(false)),
        store("S-42", "two states and three rows that are none", () -> new HidesUnreadable(false))
            .alsoBreaking("S-49", "S-50"),
        store("S-43", "the threads in which the action was called", () -> new WalksAside(false)),
        store("S-44", "java.util.ConcurrentModificationException", () -> new WalksLive(false)),
        store("S-45", "what the walk threw when its action threw", () -> new Translates(false)),
        store(
            "S-46", "after 12 walks that ended early the store must go on", () -> new Leaks(false)),
        store("S-47", "the version in the walk", ForgetsVersionsInWalks::new));
  }

  private static Stream<BrokenAdapter> ofUnreadable() {
    return Stream.of(
        store("S-48", "must fail with UnreadableState, but nothing was thrown", TakesNumbers::new),
        store("S-49", "the column in the failure", NamesNoColumn::new),
        store("S-50", "secret-4711", QuotesContent::new));
  }

  private static Stream<BrokenAdapter> ofIds() {
    return Stream.of(
        store("S-51", "find gave nothing for the id '{fn now()}'", RewritesEscapes::new)
            .alsoBreaking("S-52", "S-74", "S-75"),
        store("S-52", "the id of the state that was found", () -> new Normalizes()),
        store("S-53", "the ids that are stored", HidesBlankIds::new),
        store("S-54", "nothing is stored under the id 'dev:\\ud83d', but", EncodesHalfPairs::new));
  }

  private static Stream<BrokenAdapter> ofPayloads() {
    return Stream.of(
        store(
            "S-55",
            "the completed half of 'dev:1024 quotes'",
            () -> new Respells(json -> json.replace("''", "'"))),
        store(
            "S-56",
            "expected '{\"n\":[1.0,1e3,1E+3,",
            () -> new Respells(json -> json.replace("1E+3", "1000.0"))));
  }

  private static Stream<BrokenAdapter> ofVersions() {
    return Stream.of(
        store("S-57", "the version of save number 2", StopsWithTheClock::new).alsoBreaking("S-61"),
        store(
                "S-58",
                "expected '{\"n\":1}' but found '{\"n\":0}'",
                () -> new ShadowedByTheFuture(true))
            .alsoBreaking("S-60", "S-70"),
        store("S-59", "expected '{\"n\":1}'", () -> new ShadowedByTheFuture(false)),
        store("S-60", "no later version", EndsWithTime::new).alsoBreaking("S-70"),
        store("S-61", "the version of a state given with one in the future", TrustsGiven::new),
        store("S-62", "the ids that are stored", RemembersDeleted::new),
        store("S-70", "expected '{\"n\":1}' but found '{\"n\":0}'", FencedShadowed::new));
  }

  private static Stream<BrokenAdapter> ofConcurrency() {
    return Stream.of(
        store("S-63", "the ids that are stored", SavesCopies::new),
        store("S-64", "the ids of a walk while others save", WalksStale::new),
        store("S-65", "the partial half, which was saved with", SavesInTwoSteps::new));
  }

  private static Stream<BrokenAdapter> ofBackend() {
    return Stream.of(
        backend("S-66", "the store at the second call", GivesOtherStores::new),
        backend("S-67", "the target", Nameless::new),
        backend("S-68", "find after close must fail with IllegalStateException", NeverCloses::new),
        backend("S-69", "what the second close threw", ClosesOnce::new).alsoBreaking("S-68"),
        backend("S-73", "the backend's time before a save", TellsNoTime::new));
  }

  private static final class ForgetsTheUnreadable extends ReferenceStore {
    @Override
    public Set<StateId> existing(Set<StateId> ids) {
      Set<StateId> readable = new HashSet<>();
      findAll(
          ids,
          stored -> {
            if (stored instanceof StoredState.Readable) {
              readable.add(stored.id());
            }
          });
      return readable;
    }
  }

  private static final class SkipsTheUnreadable extends ReferenceStore {
    @Override
    public void findAll(Set<StateId> ids, Consumer<? super StoredState> action) {
      super.findAll(
          ids,
          stored -> {
            if (stored instanceof StoredState.Readable) {
              action.accept(stored);
            }
          });
    }
  }

  /** One whose statement is cut at its longest. */
  private static final class FindsAHundred extends ReferenceStore {
    @Override
    public void findAll(Set<StateId> ids, Consumer<? super StoredState> action) {
      super.findAll(ids.stream().limit(100).collect(Collectors.toSet()), action);
    }

    @Override
    public Set<StateId> existing(Set<StateId> ids) {
      return ids;
    }
  }

  private static final class FilledHooks extends Hooks {
    FilledHooks() {
      super(ReferenceStore::new, ReferenceBackend::new);
    }

    @Override
    Backend open() {
      Backend backend = super.open();
      store.save(ContractTopic.state("left over", "{}"));
      return backend;
    }
  }

  static final class SharingHooks extends Hooks {
    private @Nullable Backend first;

    SharingHooks() {
      super(ReferenceStore::new, ReferenceBackend::new);
    }

    @Override
    Backend open() {
      @Nullable Backend before = first;
      Backend backend = before == null ? super.open() : before;
      first = backend;
      return backend;
    }
  }

  private static final class IdleHooks extends Hooks {
    IdleHooks() {
      super(ReferenceStore::new, ReferenceBackend::new);
    }

    @Override
    void plant(RawRow row) {}
  }

  private static final class AlwaysFinds extends ReferenceStore {
    @Override
    public Optional<State> find(StateId id) {
      return super.find(id).or(() -> Optional.of(State.of(id, JsonObject.EMPTY, JsonObject.EMPTY)));
    }
  }

  private static final class CreatesWhenRead extends ReferenceStore {
    @Override
    public synchronized Optional<State> find(StateId id) {
      checkOpen();
      if (rows.isEmpty()) {
        put(State.of(id, JsonObject.EMPTY, JsonObject.EMPTY));
        return Optional.empty();
      }
      return super.find(id);
    }
  }

  /** Changes what save stores; saveAll stores what it is given. */
  private static final class Respells extends ReferenceStore {
    private final UnaryOperator<String> spelling;

    Respells(UnaryOperator<String> spelling) {
      this.spelling = spelling;
    }

    @Override
    public StateVersion save(State state) {
      return super.save(
          State.of(state.id(), respelled(state.completed()), respelled(state.partial())));
    }

    private JsonObject respelled(JsonObject half) {
      return JsonObject.parse(spelling.apply(half.text()));
    }
  }

  private static final class IgnoresCase extends ReferenceStore {
    @Override
    public synchronized Optional<State> find(StateId id) {
      return super.find(id)
          .or(
              () ->
                  rows.keySet().stream()
                      .filter(stored -> stored.text().equalsIgnoreCase(id.text()))
                      .findFirst()
                      .flatMap(super::find));
    }
  }

  private static final class ForgetsOldVersions extends ReferenceStore {
    @Override
    State read(RawRow row) {
      State state = super.read(row);
      return row.version().updatedAt().isBefore(NOW)
          ? state.withVersion(new StateVersion(NOW))
          : state;
    }
  }

  private static final class RefusesBlank extends ReferenceStore {
    @Override
    JsonObject half(RawRow row, String column, @Nullable String text) {
      if (text != null && text.isBlank()) {
        throw new StateFailure.UnreadableState(
            StateId.ofStored(row.id()), column, "found nothing", null);
      }
      return super.half(row, column, text);
    }
  }

  private static final class LastPlantedWins extends ReferenceStore {
    @Override
    synchronized void plant(RawRow row) {
      rows.put(StateId.ofStored(row.id()), row);
    }
  }

  private static final class KeepsPartial extends ReferenceStore {
    @Override
    public synchronized StateVersion save(State state) {
      @Nullable RawRow row = rows.get(state.id());
      if (row == null || state.completed().isEmpty() || !state.partial().isEmpty()) {
        return super.save(state);
      }
      try {
        return super.save(State.of(state.id(), state.completed(), read(row).partial()));
      } catch (StateFailure.UnreadableState e) {
        return super.save(state);
      }
    }
  }

  private static final class DropsEmpty extends ReferenceStore {
    @Override
    public synchronized StateVersion save(State state) {
      StateVersion version = super.save(state);
      if (state.isEmpty()) {
        rows.remove(state.id());
      }
      return version;
    }
  }

  private static final class ReturnsOtherVersion extends ReferenceStore {
    @Override
    public StateVersion save(State state) {
      return new StateVersion(super.save(state).updatedAt().plusMillis(1));
    }
  }

  /** Drops what was inserted before, as a table with a deduplication window does. */
  private static final class Deduplicates extends ReferenceStore {
    private final Set<State> seen = new HashSet<>();
    private final boolean forgetsAtDelete;
    private final boolean forgetsAtDeleteAll;
    private final boolean onlyWhereNothingIs;

    Deduplicates(boolean forgetsAtDelete, boolean forgetsAtDeleteAll, boolean onlyWhereNothingIs) {
      this.forgetsAtDelete = forgetsAtDelete;
      this.forgetsAtDeleteAll = forgetsAtDeleteAll;
      this.onlyWhereNothingIs = onlyWhereNothingIs;
    }

    @Override
    StateVersion put(State state) {
      boolean first = seen.add(state.withVersion(StateVersion.NONE));
      if (first || onlyWhereNothingIs && rows.containsKey(state.id())) {
        return super.put(state);
      }
      return nextVersion(state);
    }

    @Override
    public synchronized boolean delete(StateId id) {
      if (forgetsAtDelete) {
        seen.clear();
      }
      return super.delete(id);
    }

    @Override
    public synchronized long deleteAll() {
      if (forgetsAtDeleteAll) {
        seen.clear();
      }
      return super.deleteAll();
    }
  }

  private static final class SavesUnchecked extends ReferenceStore {
    private final boolean anyId;
    private final boolean anySize;

    SavesUnchecked(boolean anyId, boolean anySize) {
      this.anyId = anyId;
      this.anySize = anySize;
    }

    @Override
    public synchronized StateVersion save(State state) {
      checkOpen();
      boolean badId = state.id().fault().isPresent();
      if (badId ? !anyId : !anySize) {
        SaveRules.check(state);
      }
      return put(state);
    }
  }

  private static final class ReadsBeforeSave extends ReferenceStore {
    @Override
    public synchronized StateVersion save(State state) {
      find(state.id());
      return super.save(state);
    }
  }

  private static UnaryOperator<Collection<State>> firsts() {
    return all -> {
      Map<StateId, State> first = new LinkedHashMap<>();
      all.forEach(state -> first.putIfAbsent(state.id(), state));
      return first.values();
    };
  }

  /** Saves only some of many. */
  private static final class Selects extends ReferenceStore {
    private final UnaryOperator<Collection<State>> selection;

    Selects(UnaryOperator<Collection<State>> selection) {
      this.selection = selection;
    }

    @Override
    public void saveAll(Collection<State> states) {
      super.saveAll(selection.apply(states));
    }
  }

  private static final class LeavesUnreadable extends ReferenceStore {
    @Override
    public synchronized void saveAll(Collection<State> states) {
      super.saveAll(states.stream().filter(state -> !holdsUnreadable(state.id())).toList());
    }

    private boolean holdsUnreadable(StateId id) {
      @Nullable RawRow row = rows.get(id);
      return row != null && readStored(row) instanceof StoredState.Unreadable;
    }
  }

  private static final class NothingClearsAll extends ReferenceStore {
    @Override
    public synchronized void saveAll(Collection<State> states) {
      if (states.isEmpty()) {
        rows.clear();
      }
      super.saveAll(states);
    }
  }

  private static final class ChecksLate extends ReferenceStore {
    private final boolean idsFirst;
    private final boolean sizesFirst;

    ChecksLate(boolean idsFirst, boolean sizesFirst) {
      this.idsFirst = idsFirst;
      this.sizesFirst = sizesFirst;
    }

    @Override
    public synchronized void saveAll(Collection<State> states) {
      checkOpen();
      for (State state : states) {
        boolean badId = state.id().fault().isPresent();
        if (badId ? idsFirst : sizesFirst) {
          SaveRules.check(state);
        }
      }
      for (State state : states) {
        SaveRules.check(state);
        put(state);
      }
    }
  }

  private static final class SavesLater extends ReferenceStore {
    private Collection<State> pending = List.of();

    @Override
    public synchronized void saveAll(Collection<State> states) {
      checkOpen();
      states.forEach(SaveRules::check);
      pending = states;
    }

    @Override
    void checkOpen() {
      super.checkOpen();
      Collection<State> late = pending;
      pending = List.of();
      late.forEach(this::put);
    }
  }

  private static final class SortsInPlace extends ReferenceStore {
    @Override
    public void saveAll(Collection<State> states) {
      if (states instanceof ArrayList<State> list) {
        list.sort(Comparator.comparing(State::id));
      }
      super.saveAll(states);
    }
  }

  private static final class AlwaysDeletes extends ReferenceStore {
    @Override
    public boolean delete(StateId id) {
      super.delete(id);
      return true;
    }
  }

  private static final class DeletesNewest extends ReferenceStore {
    private final Map<StateId, RawRow> older = new HashMap<>();

    @Override
    synchronized void plant(RawRow row) {
      StateId id = StateId.ofStored(row.id());
      @Nullable RawRow before = rows.get(id);
      if (before != null) {
        older.put(id, before);
      }
      super.plant(row);
    }

    @Override
    public synchronized boolean delete(StateId id) {
      boolean deleted = super.delete(id);
      @Nullable RawRow next = older.remove(id);
      if (next != null) {
        rows.put(id, next);
      }
      return deleted;
    }
  }

  private static final class DeletesByPrefix extends ReferenceStore {
    @Override
    public synchronized boolean delete(StateId id) {
      checkOpen();
      return rows.keySet().removeIf(stored -> stored.text().startsWith(id.text()));
    }
  }

  private static final class ReadsBeforeDelete extends ReferenceStore {
    @Override
    public synchronized boolean delete(StateId id) {
      find(id);
      return super.delete(id);
    }
  }

  private static final class DeletesReadable extends ReferenceStore {
    @Override
    public synchronized long deleteAll() {
      checkOpen();
      int before = rows.size();
      rows.values().removeIf(row -> readStored(row) instanceof StoredState.Readable);
      return before - rows.size();
    }
  }

  /** What goes wrong in one of the two walks only. */
  private abstract static class BadWalk extends ReferenceStore {
    private final boolean ofIds;

    BadWalk(boolean ofIds) {
      this.ofIds = ofIds;
    }

    @Override
    public final void forEachId(StateIdGlob glob, Consumer<? super StateId> action) {
      if (ofIds) {
        walk(glob, row -> action.accept(StateId.ofStored(row.id())));
      } else {
        super.forEachId(glob, action);
      }
    }

    @Override
    public final void forEachState(StateIdGlob glob, Consumer<? super StoredState> action) {
      if (ofIds) {
        super.forEachState(glob, action);
      } else {
        walk(glob, row -> action.accept(readStored(row)));
      }
    }

    abstract void walk(StateIdGlob glob, Consumer<RawRow> action);
  }

  private static final class Repeats extends BadWalk {
    private final Map<StateId, Integer> planted = new HashMap<>();

    Repeats(boolean ofIds) {
      super(ofIds);
    }

    @Override
    synchronized void plant(RawRow row) {
      planted.merge(StateId.ofStored(row.id()), 1, Integer::sum);
      super.plant(row);
    }

    @Override
    void walk(StateIdGlob glob, Consumer<RawRow> action) {
      for (RawRow row : picked(glob)) {
        int times = planted.getOrDefault(StateId.ofStored(row.id()), 1);
        for (int i = 0; i < times; i++) {
          action.accept(row);
        }
      }
    }
  }

  private static final class SortsChars extends BadWalk {
    SortsChars(boolean ofIds) {
      super(ofIds);
    }

    @Override
    void walk(StateIdGlob glob, Consumer<RawRow> action) {
      picked(glob).stream().sorted(Comparator.comparing(RawRow::id)).forEach(action);
    }
  }

  private static final class PicksLike extends BadWalk {
    PicksLike(boolean ofIds) {
      super(ofIds);
    }

    @Override
    void walk(StateIdGlob glob, Consumer<RawRow> action) {
      picked(StateIdGlob.of(glob.text().replace('_', '?'))).forEach(action);
    }
  }

  private static final class HidesUnreadable extends BadWalk {
    HidesUnreadable(boolean ofIds) {
      super(ofIds);
    }

    @Override
    void walk(StateIdGlob glob, Consumer<RawRow> action) {
      picked(glob).stream()
          .filter(row -> readStored(row) instanceof StoredState.Readable)
          .forEach(action);
    }
  }

  private static final class WalksAside extends BadWalk {
    WalksAside(boolean ofIds) {
      super(ofIds);
    }

    @Override
    void walk(StateIdGlob glob, Consumer<RawRow> action) {
      List<RawRow> picked = picked(glob);
      List<Throwable> thrown = new ArrayList<>();
      Thread aside = new Thread(() -> picked.forEach(action));
      aside.setUncaughtExceptionHandler((thread, t) -> thrown.add(t));
      aside.start();
      try {
        aside.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      for (Throwable t : thrown) {
        if (t instanceof Error error) {
          throw error;
        }
        throw (RuntimeException) t;
      }
    }
  }

  private static final class WalksLive extends BadWalk {
    WalksLive(boolean ofIds) {
      super(ofIds);
    }

    @Override
    synchronized void walk(StateIdGlob glob, Consumer<RawRow> action) {
      checkOpen();
      for (Map.Entry<StateId, RawRow> row : rows.entrySet()) {
        if (glob.matches(row.getKey())) {
          action.accept(row.getValue());
        }
      }
    }
  }

  private static final class Translates extends BadWalk {
    Translates(boolean ofIds) {
      super(ofIds);
    }

    @Override
    void walk(StateIdGlob glob, Consumer<RawRow> action) {
      for (RawRow row : picked(glob)) {
        try {
          action.accept(row);
        } catch (IllegalStateException e) {
          throw new StateFailure.Unavailable("the walk failed", e);
        }
      }
    }
  }

  private static final class Leaks extends BadWalk {
    private int free = 10;

    Leaks(boolean ofIds) {
      super(ofIds);
    }

    @Override
    void walk(StateIdGlob glob, Consumer<RawRow> action) {
      List<RawRow> picked = picked(glob);
      if (free == 0) {
        throw new StateFailure.Unavailable("no connection is free", null);
      }
      free--;
      picked.forEach(action);
      free++;
    }
  }

  private static final class ForgetsVersionsInWalks extends ReferenceStore {
    @Override
    StoredState readStored(RawRow row) {
      return super.readStored(row) instanceof StoredState.Readable readable
          ? new StoredState.Readable(readable.state().withVersion(StateVersion.NONE))
          : super.readStored(row);
    }
  }

  private static final class TakesNumbers extends ReferenceStore {
    @Override
    public synchronized Optional<State> find(StateId id) {
      @Nullable RawRow row = rows.get(id);
      if (row != null && "7".equals(row.completed())) {
        return Optional.empty();
      }
      return super.find(id);
    }
  }

  private static final class NamesNoColumn extends ReferenceStore {
    @Override
    StoredState readStored(RawRow row) {
      if (super.readStored(row) instanceof StoredState.Unreadable unreadable) {
        return new StoredState.Unreadable(
            new StateFailure.UnreadableState(unreadable.id(), "state", "no state", null));
      }
      return super.readStored(row);
    }
  }

  private static final class QuotesContent extends ReferenceStore {
    @Override
    JsonObject half(RawRow row, String column, @Nullable String text) {
      try {
        return super.half(row, column, text);
      } catch (StateFailure.UnreadableState e) {
        throw new StateFailure.UnreadableState(e.id(), column, "found " + text, null);
      }
    }
  }

  private static final class RewritesEscapes extends ReferenceStore {
    @Override
    StateVersion put(State state) {
      String text = state.id().text().replaceAll("\\{fn (.*?)}", "$1");
      return super.put(State.of(StateId.of(text), state.completed(), state.partial()));
    }
  }

  /** Takes ids for one that differ in how Unicode spells them. */
  private static final class Normalizes extends ReferenceStore {
    @Override
    public synchronized Optional<State> find(StateId id) {
      checkOpen();
      return rows.values().stream()
          .filter(row -> normalized(row.id()).equals(normalized(id.text())))
          .findFirst()
          .map(this::read);
    }

    private static String normalized(String text) {
      return Normalizer.normalize(text, Normalizer.Form.NFC);
    }
  }

  private static final class HidesBlankIds extends ReferenceStore {
    @Override
    List<RawRow> picked(StateIdGlob glob) {
      return super.picked(glob).stream().filter(row -> !row.id().isBlank()).toList();
    }
  }

  private static final class EncodesHalfPairs extends ReferenceStore {
    @Override
    public Optional<State> find(StateId id) {
      return super.find(encoded(id));
    }

    @Override
    public boolean delete(StateId id) {
      return super.delete(encoded(id));
    }

    private static StateId encoded(StateId id) {
      return StateId.ofStored(new String(id.text().getBytes(UTF_8), UTF_8));
    }
  }

  private static final class StopsWithTheClock extends ReferenceStore {
    @Override
    StateVersion nextVersion(State state) {
      @Nullable RawRow row = rows.get(state.id());
      boolean justNow = row != null && !row.version().updatedAt().isAfter(NOW);
      return justNow ? new StateVersion(NOW) : super.nextVersion(state);
    }
  }

  /** What is stored with a later version than the clock's stays. */
  private static final class ShadowedByTheFuture extends ReferenceStore {
    private final boolean inSave;

    ShadowedByTheFuture(boolean inSave) {
      this.inSave = inSave;
    }

    @Override
    public synchronized StateVersion save(State state) {
      return inSave && isShadowed(state) ? new StateVersion(NOW) : super.save(state);
    }

    @Override
    public synchronized void saveAll(Collection<State> states) {
      super.saveAll(states.stream().filter(state -> inSave || !isShadowed(state)).toList());
    }

    private boolean isShadowed(State state) {
      @Nullable RawRow row = rows.get(state.id());
      return row != null && row.version().updatedAt().isAfter(NOW.plusSeconds(1));
    }
  }

  /** Under a lock, what is stored with a later version than the clock's stays. */
  private static final class FencedShadowed extends ReferenceStore {
    @Override
    public synchronized StateVersion save(State state, Fence fence) {
      @Nullable RawRow row = rows.get(state.id());
      boolean shadowed = row != null && row.version().updatedAt().isAfter(NOW.plusSeconds(1));
      return shadowed ? new StateVersion(NOW) : super.save(state, fence);
    }
  }

  private static final class FencedReadsFirst extends ReferenceStore {
    @Override
    public synchronized StateVersion save(State state, Fence fence) {
      find(state.id());
      return super.save(state, fence);
    }

    @Override
    public synchronized boolean delete(StateId id, Fence fence) {
      find(id);
      return super.delete(id, fence);
    }
  }

  private static final class EndsWithTime extends ReferenceStore {
    @Override
    StateVersion nextVersion(State state) {
      @Nullable RawRow row = rows.get(state.id());
      if (row != null && row.version().equals(StateVersion.LAST)) {
        throw new StateFailure.WrongSchema("there is no later version", null);
      }
      return super.nextVersion(state);
    }
  }

  private static final class TrustsGiven extends ReferenceStore {
    @Override
    StateVersion nextVersion(State state) {
      StateVersion next = super.nextVersion(state);
      return next.compareTo(state.version()) < 0 ? state.version() : next;
    }
  }

  private static final class RemembersDeleted extends ReferenceStore {
    private final Set<StateId> inTheFuture = new HashSet<>();

    @Override
    public synchronized boolean delete(StateId id) {
      remember();
      return super.delete(id);
    }

    @Override
    public synchronized long deleteAll() {
      remember();
      return super.deleteAll();
    }

    private void remember() {
      rows.forEach(
          (id, row) -> {
            if (row.version().updatedAt().isAfter(NOW.plusSeconds(1))) {
              inTheFuture.add(id);
            }
          });
    }

    @Override
    StateVersion put(State state) {
      return inTheFuture.contains(state.id()) ? new StateVersion(NOW) : super.put(state);
    }
  }

  /** Saves many into a copy of all rows, and takes the copy for all rows then. */
  private static final class SavesCopies extends ReferenceStore {
    @Override
    public void saveAll(Collection<State> states) {
      states.forEach(SaveRules::check);
      Map<StateId, RawRow> copy = new TreeMap<>();
      synchronized (this) {
        checkOpen();
        copy.putAll(rows);
      }
      LockSupport.parkNanos(20_000_000);
      synchronized (this) {
        rows.clear();
        rows.putAll(copy);
        states.forEach(this::put);
      }
    }
  }

  /** Walks do not meet what several other threads are saving and have saved. */
  private static final class WalksStale extends ReferenceStore {
    private final Map<StateId, Thread> savers = new HashMap<>();

    @Override
    StateVersion put(State state) {
      savers.put(state.id(), Thread.currentThread());
      return super.put(state);
    }

    @Override
    synchronized List<RawRow> picked(StateIdGlob glob) {
      Set<Thread> others =
          savers.values().stream()
              .filter(thread -> thread.isAlive() && thread != Thread.currentThread())
              .collect(Collectors.toSet());
      return super.picked(glob).stream()
          .filter(row -> others.size() < 2 || !others.contains(savers.get(id(row))))
          .toList();
    }

    private static StateId id(RawRow row) {
      return StateId.ofStored(row.id());
    }
  }

  private static final class SavesInTwoSteps extends ReferenceStore {
    @Override
    public StateVersion save(State state) {
      SaveRules.check(state);
      if (saveCompleted(state)) {
        LockSupport.parkNanos(5_000_000);
      }
      return super.save(state);
    }

    private synchronized boolean saveCompleted(State state) {
      checkOpen();
      @Nullable RawRow before = rows.get(state.id());
      if (before == null) {
        return false;
      }
      String completed = state.completed().text();
      rows.put(state.id(), new RawRow(before.id(), completed, before.partial(), before.version()));
      return true;
    }
  }

  private static final class GivesOtherStores extends ReferenceBackend {
    GivesOtherStores(ReferenceStore store) {
      super(store);
    }

    @Override
    public StateStore states() {
      return (StateStore)
          Proxy.newProxyInstance(
              StateStore.class.getClassLoader(),
              new Class<?>[] {StateStore.class},
              (proxy, method, arguments) -> {
                try {
                  return method.invoke(store, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }

  private static final class Nameless extends ReferenceBackend {
    Nameless(ReferenceStore store) {
      super(store);
    }

    @Override
    public String target() {
      return " ";
    }
  }

  private static final class TellsNoTime extends ReferenceBackend {
    TellsNoTime(ReferenceStore store) {
      super(store);
    }

    @Override
    public Instant now() {
      return ReferenceStore.NOW.plusSeconds(3600);
    }
  }

  private static final class NeverCloses extends ReferenceBackend {
    NeverCloses(ReferenceStore store) {
      super(store);
    }

    @Override
    public void close() {}
  }

  private static final class ClosesOnce extends ReferenceBackend {
    ClosesOnce(ReferenceStore store) {
      super(store);
    }

    @Override
    public void close() {
      store.checkOpen();
      super.close();
    }
  }
}
