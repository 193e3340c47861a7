package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.fail;

import dev.statectl.json.JsonObject;
import dev.statectl.lock.Fence;
import dev.statectl.lock.LockId;
import dev.statectl.port.Backend;
import dev.statectl.port.LockTable;
import dev.statectl.port.StateStore;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * What the rules of one topic share, whichever kit they stand in: the backend under test, and short
 * words for states and looks.
 *
 * <p>Halves are compared by their texts and never by {@link State#equals}: a state's text form
 * hides its content, so such a failure would not tell what differs.
 */
abstract class BackendTopic {
  /** How old the rows of locks may be, in seconds: shorter than any table's time to live. */
  static final long STALE = 60;

  private static final Instant ANY_TIME = Instant.parse("2026-03-04T05:06:07Z");

  private final OpenedBackends opened;

  BackendTopic(OpenedBackends opened) {
    this.opened = opened;
  }

  final Backend backend() {
    return opened.first();
  }

  final StateStore store() {
    return backend().states();
  }

  final Backend anotherBackend() {
    return opened.open();
  }

  final LockTable locks() {
    return backend().locks();
  }

  /** A lock id as the product makes them; a greater number sorts later. */
  static LockId ours(int number) {
    return LockId.of(ANY_TIME, number);
  }

  static Fence fence(String lock, LockId lockId) {
    return new Fence(id(lock), lockId, Duration.ofSeconds(STALE));
  }

  /** Announces the first candidate of a lock and gives the fence of its writes. */
  final Fence announced(String lock) {
    locks().announce(id(lock), ours(1), "the kit");
    return fence(lock, ours(1));
  }

  static StateId id(String text) {
    return StateId.ofStored(text);
  }

  static State state(String id, String completed) {
    return state(id, completed, "{}");
  }

  static State state(String id, String completed, String partial) {
    return State.of(id(id), JsonObject.parse(completed), JsonObject.parse(partial));
  }

  /** Looks for a state that must be there. */
  final State found(String id) {
    Optional<State> found = store().find(id(id));
    if (found.isEmpty()) {
      fail("find gave nothing for the id %s, which is stored", Texts.printable(id));
    }
    State state = found.orElseThrow();
    assertSameIds("the id of the state that was found", List.of(state.id().text()), id);
    return state;
  }

  /** Checks that a state is found as it was saved; the versions are not compared. */
  final void assertFound(State expected) {
    assertSameHalves(found(expected.id().text()), expected);
  }

  final void assertNotFound(String id) {
    store()
        .find(id(id))
        .ifPresent(
            state ->
                fail(
                    "nothing is stored under the id %s, but find gave %s",
                    Texts.printable(id), described(state)));
  }

  static void assertSameHalves(State actual, State expected) {
    String id = Texts.printable(expected.id().text());
    assertSameText("the completed half of " + id, actual.completed(), expected.completed());
    assertSameText("the partial half of " + id, actual.partial(), expected.partial());
  }

  private static void assertSameText(String what, JsonObject actual, JsonObject expected) {
    if (!actual.text().equals(expected.text())) {
      fail("%s: %s", what, Texts.difference(actual.text(), expected.text()));
    }
  }

  /** Checks the ids and their order; the message shows them with everything that hides in them. */
  static void assertSameIds(String what, List<String> actual, String... expected) {
    if (!actual.equals(List.of(expected))) {
      assertThat(actual.stream().map(Texts::printable).toList())
          .as(what)
          .containsExactly(Stream.of(expected).map(Texts::printable).toArray(String[]::new));
      fail("%s: they differ behind what is shown of each", what);
    }
  }

  final List<String> ids() {
    return ids(StateIdGlob.ALL);
  }

  final List<String> ids(StateIdGlob glob) {
    List<String> met = new ArrayList<>();
    store().forEachId(glob, id -> met.add(id.text()));
    return met;
  }

  final List<StoredState> states() {
    return states(StateIdGlob.ALL);
  }

  final List<StoredState> states(StateIdGlob glob) {
    List<StoredState> met = new ArrayList<>();
    store().forEachState(glob, met::add);
    return met;
  }

  static List<String> idsOf(List<StoredState> states) {
    return states.stream().map(state -> state.id().text()).toList();
  }

  static State readable(StoredState stored) {
    if (stored instanceof StoredState.Readable readable) {
      return readable.state();
    }
    return fail("the state of %s came as unreadable", Texts.printable(stored.id().text()));
  }

  /** Checks what the store holds: exactly these states, in this order. */
  final void assertHoldsExactly(State... expected) {
    List<StoredState> states = states();
    assertSameIds(
        "the ids that are stored",
        idsOf(states),
        Stream.of(expected).map(state -> state.id().text()).toArray(String[]::new));
    for (int i = 0; i < expected.length; i++) {
      assertSameHalves(readable(states.get(i)), expected[i]);
    }
  }

  /** Runs what must fail in one way only, and gives the failure for a closer look. */
  static <T extends Throwable> T failure(Class<T> type, String what, ThrowingCallable action) {
    Throwable thrown = catchThrowable(action);
    if (thrown == null) {
      return fail("%s must fail with %s, but nothing was thrown", what, type.getSimpleName());
    }
    if (!type.isInstance(thrown)) {
      return fail(
          what + " must fail with " + type.getSimpleName() + ", but threw " + thrown, thrown);
    }
    return type.cast(thrown);
  }

  static String described(State state) {
    return "completed "
        + Texts.printable(state.completed().text())
        + ", partial "
        + Texts.printable(state.partial().text());
  }

  /** Gives a random source that can be given again: by the system property of this name. */
  static Random seeded() {
    long seed = Long.getLong("statectl.contract.seed", System.nanoTime());
    System.out.println("statectl.contract.seed=" + seed);
    return new Random(seed);
  }
}
