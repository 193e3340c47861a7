package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.statectl.lock.LockCandidate;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@code forEach} does. */
abstract class WalkLocksContract extends LockTopic {
  // Far more than any store needs; only a walk that blocks itself takes so long.
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  // More than the connections that a driver's pool usually has.
  private static final int ENDED_WALKS = 12;

  WalkLocksContract(LockTableContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("L-24 forEach goes in the order of ids by code point, then of lock ids.")
  final void rowsComeInOrder() {
    for (String lock : List.of("\ud83d\ude00", "\uffff", "b", "a_", "aB", "@run:a", "a", "B")) {
      plant(lock, PLUGIN, "", 5);
      announce(lock, ours(2));
      announce(lock, ours(1));
    }

    List<String> expected = new ArrayList<>();
    for (String lock : List.of("@run:a", "B", "a", "aB", "a_", "b", "\uffff", "\ud83d\ude00")) {
      expected.add(Texts.printable(lock) + " " + ours(1) + " of the kit");
      expected.add(Texts.printable(lock) + " " + ours(2) + " of the kit");
      expected.add(Texts.printable(lock) + " " + PLUGIN + " of ");
    }
    assertThat(all(StateIdGlob.ALL).stream().map(LockTopic::named).toList())
        .as("the rows in the order of the walk")
        .isEqualTo(expected);
  }

  @Test
  @DisplayName("L-25 forEach meets every row once, however often renewed, and what look shows.")
  final void everyRowIsMetOnce() {
    plant(LOCK, ours(1), "alice", 30);
    announce(LOCK, ours(2));
    renew(LOCK, ours(1));
    renew(LOCK, ours(1));
    renew(LOCK, ours(2));
    announce(LOCK, ours(3));
    withdraw(LOCK, ours(3));
    plant("dev:old", PLUGIN, "", EXPIRED);

    List<LockCandidate> met = all(StateIdGlob.ALL);
    List<LockCandidate> seen = new ArrayList<>(look("dev:old"));
    seen.addAll(look(LOCK));
    assertThat(met.stream().map(LockTopic::named).toList())
        .as("the rows of the walk")
        .isEqualTo(seen.stream().map(LockTopic::named).toList())
        .hasSize(3);
    assertThat(met)
        .as("the times of the rows of the walk")
        .extracting(LockCandidate::lockedAt)
        .isEqualTo(seen.stream().map(LockCandidate::lockedAt).toList());
    assertAge(met.get(0), EXPIRED);
    assertAge(met.get(1), 0);
  }

  @Test
  @DisplayName("L-26 forEach meets exactly the locks that the glob picks.")
  final void globPicksTheLocks() {
    List<String> all =
        List.of(
            "dev:tap",
            "dev:tap_a",
            "dev:tapXa",
            "dev:tap%a",
            "dev:tap*a",
            "@run:dev:tap",
            "DEV:tap");
    all.forEach(lock -> announce(lock, ours(1)));

    for (String text :
        List.of("*", "dev:*", "dev:tap_a", "dev:tap_*", "dev:tap%*", "dev:tap[*]a", "@run:*", "")) {
      StateIdGlob glob = StateIdGlob.of(text);
      assertSameIds(
          "the locks that the glob " + Texts.printable(text) + " picks",
          all(glob).stream().map(row -> row.id().text()).toList(),
          all.stream().filter(id -> glob.matches(id(id))).sorted().toArray(String[]::new));
    }
  }

  @Test
  @DisplayName("L-27 forEach calls its action in the calling thread, and it may use the table.")
  final void actionMayUseTheTable() {
    List<String> locks = List.of("dev:a", "dev:b", "dev:c");
    locks.forEach(lock -> announce(lock, ours(1)));

    Thread caller = Thread.currentThread();
    List<String> met = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    Throwable thrown =
        catchThrowable(
            () ->
                locks()
                    .forEach(
                        StateIdGlob.ALL,
                        row -> {
                          threads.add(Thread.currentThread());
                          met.add(row.id().text());
                          assertSeen(row.id().text(), ours(1));
                          renew(row.id().text(), ours(1));
                          withdraw(row.id().text(), ours(1));
                        }));

    if (thrown != null) {
      fail("an action that uses the table must be let, but the walk ended with " + thrown, thrown);
    }
    assertThat(threads).as("the threads in which the action was called").containsOnly(caller);
    assertThat(met).as("the locks that the action was called with").isEqualTo(locks);
    assertThat(all(StateIdGlob.ALL)).as("the rows after the action withdrew each").isEmpty();
  }

  @Test
  @DisplayName("L-28 What the action of forEach throws ends the walk and arrives unchanged.")
  final void whatTheActionThrowsArrives() {
    List.of("dev:a", "dev:b", "dev:c").forEach(lock -> announce(lock, ours(1)));

    Throwable failed =
        catchThrowable(
            () ->
                assertTimeoutPreemptively(
                    PATIENCE,
                    () -> {
                      for (int i = 0; i < ENDED_WALKS; i++) {
                        checkArrives(new IllegalStateException("by the action"));
                      }
                      announce("dev:d", ours(1));
                    }));
    if (failed != null) {
      fail("walks that an action ends must leave the table in use, but: " + failed, failed);
    }
  }

  private void checkArrives(RuntimeException thrown) {
    List<String> met = new ArrayList<>();
    Throwable arrived =
        catchThrowable(
            () ->
                locks()
                    .forEach(
                        StateIdGlob.ALL,
                        row -> {
                          met.add(row.id().text());
                          if (met.size() == 2) {
                            throw thrown;
                          }
                        }));
    assertThat(arrived).as("what the walk threw when its action threw").isSameAs(thrown);
    assertThat(met).as("the locks up to the throw").containsExactly("dev:a", "dev:b");
  }
}
