package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/** What the two walks promise alike; each has rules of its own number that call these checks. */
abstract class WalkTopic extends ContractTopic {
  // Far more than any store needs; only a walk that blocks itself takes so long.
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  // More than the connections that a driver's pool usually has.
  private static final int ENDED_WALKS = 12;

  // From the first to the last: by code point and so by UTF-8 byte, which the comparison of Java's
  // chars gets wrong from U+E000 on, and the comparison of signed bytes from U+0080 on.
  private static final List<String> IN_ORDER =
      List.of(
          "A",
          "B",
          "_",
          "a",
          "a\0",
          "a\u0001",
          "a ",
          "a!",
          "aB",
          "a_",
          "aa",
          "aaa",
          "ab",
          "b",
          "~",
          "\u007f",
          "\u00e9",
          "\u07ff",
          "\u0800",
          "\ud7ff",
          "\ue000",
          "\uff5e",
          "\uff5ea",
          "\uffff",
          "\ud83d\ude00",
          "\ud83d\ude00a",
          "\udbff\udffd");

  private static final List<String> LIKE_GLOBS =
      List.of(
          "dev:tap",
          "dev:tap_a",
          "dev:tapXa",
          "dev:tap%",
          "dev:tap%a",
          "dev:tap\\a",
          "dev:tap\\\\a",
          "dev:tap[a",
          "dev:tap[a]",
          "dev:tap*a",
          "dev:tap?a",
          "dev:tap'a",
          "dev:tap\na",
          "dev:tap\ud83d\ude00a",
          "dev:other",
          "DEV:tap_a",
          "prod:tap_a");

  private static final List<String> GLOBS =
      List.of(
          "*",
          "dev:*",
          "dev:tap",
          "dev:tap_a",
          "dev:tap_*",
          "dev:tap%*",
          "dev:tap%",
          "dev:tap\\*",
          "dev:tap\\\\*",
          "dev:tap[[]*",
          "dev:tap[a",
          "dev:tap[a*",
          "dev:tap[*]a",
          "dev:tap[?]a",
          "dev:tap?a",
          "dev:tap[!a-z]a",
          "dev:tap[A-Z_]a",
          "dev:tap'*",
          "dev:tap\n*",
          "dev:tap\ud83d\ude00*",
          "*:tap_a",
          "[dp]*:tap_a",
          "*[]]",
          "none*",
          "");

  WalkTopic(StateStoreContract contract) {
    super(contract);
  }

  /** The walk under test, of which only the ids are looked at. */
  abstract void walk(StateIdGlob glob, Consumer<? super StateId> action);

  private List<String> walked(StateIdGlob glob) {
    List<String> met = new ArrayList<>();
    walk(glob, id -> met.add(id.text()));
    return met;
  }

  final void checkOnce() {
    store().save(state("dev:often", "{\"a\":1}"));
    store().save(state("dev:often", "{\"a\":2}"));
    store().saveAll(List.of(state("dev:often", "{\"a\":3}"), state("dev:often", "{\"a\":4}")));
    plant("dev:planted", "{\"a\":1}", null, version("2020-01-01T00:00:00.001Z"));
    plant("dev:planted", "{\"a\":2}", null, version("2020-01-01T00:00:00.002Z"));
    store().save(state("dev:removed", "{\"a\":1}"));
    store().delete(id("dev:removed"));

    assertThat(walked(StateIdGlob.ALL))
        .as("the ids of two states that were saved often, and one that was removed")
        .containsExactly("dev:often", "dev:planted");
  }

  final void checkOrder() {
    List<String> backwards = new ArrayList<>(IN_ORDER);
    Collections.reverse(backwards);
    store().saveAll(backwards.stream().map(text -> state(text, "{\"a\":1}")).toList());

    assertSameIds(
        "the ids in the order of the walk",
        walked(StateIdGlob.ALL),
        IN_ORDER.toArray(String[]::new));
  }

  final void checkGlobs() {
    store().saveAll(LIKE_GLOBS.stream().map(text -> state(text, "{\"a\":1}")).toList());

    for (String text : GLOBS) {
      StateIdGlob glob = StateIdGlob.of(text);
      String[] picked =
          LIKE_GLOBS.stream()
              .map(BackendTopic::id)
              .filter(glob::matches)
              .sorted()
              .map(StateId::text)
              .toArray(String[]::new);
      assertSameIds(
          "the ids that the glob " + Texts.printable(text) + " picks", walked(glob), picked);
    }
  }

  final void checkUnreadableAmongOthers() {
    State first = state("dev:a", "{\"a\":1}");
    State last = state("dev:z", "{\"z\":1}");
    store().saveAll(List.of(first, last));
    plant("dev:b", "[]", null);
    plant("dev:c", null, "7");
    plant("dev:d", "{\"a\":", "\"x\"");

    assertThat(walked(StateIdGlob.ALL))
        .as("the ids of two states and three rows that are none")
        .containsExactly("dev:a", "dev:b", "dev:c", "dev:d", "dev:z");
    assertThat(walked(StateIdGlob.of("dev:c")))
        .as("the id of a row that is no state, picked alone")
        .containsExactly("dev:c");
  }

  final void checkCallingThread() {
    store().saveAll(List.of(state("dev:a", "{\"a\":1}"), state("dev:b", "{\"b\":1}")));

    List<Thread> threads = new ArrayList<>();
    walk(StateIdGlob.ALL, id -> threads.add(Thread.currentThread()));
    assertThat(threads)
        .as("the threads in which the action was called")
        .containsExactly(Thread.currentThread(), Thread.currentThread());
  }

  final void checkActionUsesStore() {
    List<String> all = List.of("dev:a", "dev:b", "dev:c", "dev:d", "dev:e");
    store().saveAll(all.stream().map(text -> state(text, "{\"old\":1}")).toList());

    List<String> met = new ArrayList<>();
    Throwable thrown =
        catchThrowable(
            () ->
                assertTimeoutPreemptively(
                    PATIENCE, () -> walk(StateIdGlob.ALL, id -> useStore(id, met))));

    if (thrown != null) {
      fail("an action that uses the store must be let, but the walk ended with " + thrown, thrown);
    }
    assertThat(met).as("the ids that the action was called with").isEqualTo(all);
    assertHoldsExactly(
        all.stream()
            .filter(text -> !text.equals("dev:c"))
            .map(text -> state(text, "{\"new\":1}"))
            .toArray(State[]::new));
  }

  private void useStore(StateId id, List<String> met) {
    met.add(id.text());
    assertFound(state(id.text(), "{\"old\":1}"));
    assertThat(ids(StateIdGlob.of(id.text()))).hasSize(1);
    assertThat(states(StateIdGlob.of(id.text()))).hasSize(1);
    if (id.text().equals("dev:c")) {
      store().delete(id);
    } else {
      store().save(state(id.text(), "{\"new\":1}"));
    }
  }

  final void checkExceptionArrives() {
    store()
        .saveAll(
            List.of(
                state("dev:a", "{\"a\":1}"),
                state("dev:b", "{\"b\":1}"),
                state("dev:c", "{\"c\":1}")));

    checkArrives(new UnsupportedOperationException("by the action"));
    checkArrives(new IllegalStateException("by the action"));
    checkArrives(new StateFailure.Unavailable("by the action", null));
    checkArrives(new StateFailure.UnreadableState(id("dev:b"), "none", "by the action", null));
    checkArrives(new StackOverflowError("by the action"));
  }

  private void checkArrives(Throwable thrown) {
    List<String> met = new ArrayList<>();
    Throwable arrived =
        catchThrowable(
            () ->
                walk(
                    StateIdGlob.ALL,
                    id -> {
                      met.add(id.text());
                      if (met.size() == 2) {
                        throwUnchecked(thrown);
                      }
                    }));

    assertThat(arrived).as("what the walk threw when its action threw").isSameAs(thrown);
    assertThat(met).as("the ids up to the throw").containsExactly("dev:a", "dev:b");
  }

  private static void throwUnchecked(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) thrown;
  }

  final void checkStoreGoesOn() {
    State a = state("dev:a", "{\"a\":1}");
    State b = state("dev:b", "{\"b\":1}");
    store().saveAll(List.of(a, state("dev:b", "{\"b\":0}")));

    Throwable failed =
        catchThrowable(
            () ->
                assertTimeoutPreemptively(
                    PATIENCE,
                    () -> {
                      for (int i = 0; i < ENDED_WALKS; i++) {
                        endWalk();
                      }
                      store().save(b);
                      assertHoldsExactly(a, b);
                    }));
    if (failed != null) {
      fail(
          "after " + ENDED_WALKS + " walks that ended early the store must go on, but: " + failed,
          failed);
    }
  }

  private void endWalk() {
    RuntimeException end = new UnsupportedOperationException("by the action");
    Throwable arrived =
        catchThrowable(
            () ->
                walk(
                    StateIdGlob.ALL,
                    id -> {
                      throw end;
                    }));
    assertThat(arrived).as("what the walk threw when its action threw").isSameAs(end);
  }
}
