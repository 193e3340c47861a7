package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.state.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What many threads see of each other. */
abstract class ConcurrencyContract extends ContractTopic {
  private static final int WRITERS = 8;

  ConcurrencyContract(StateStoreContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("S-63 Of states that many threads save under different ids none is lost.")
  final void writersOfDifferentIdsLoseNothing() throws InterruptedException {
    Random random = seeded();
    List<State> all = new ArrayList<>();
    try (Threads threads = new Threads()) {
      for (int writer = 0; writer < WRITERS; writer++) {
        List<State> own = new ArrayList<>();
        for (int n = 0; n < 25; n++) {
          own.add(state("dev:" + n + "-of-" + writer, "{\"n\":" + random.nextInt() + "}"));
        }
        all.addAll(own);
        Collections.shuffle(own, random);
        threads.add(
            () -> {
              own.subList(0, 20).forEach(store()::save);
              store().saveAll(own.subList(20, 25));
            });
      }
      threads.start();
      threads.join();
    }

    all.sort(Comparator.comparing(State::id));
    assertHoldsExactly(all.toArray(State[]::new));
  }

  @Test
  @DisplayName("S-64 A walk meets in order, and once, all that was saved before it began.")
  final void walkMeetsAllThatWasSavedBefore() throws InterruptedException {
    Set<String> saved = ConcurrentHashMap.newKeySet();
    try (Threads threads = new Threads()) {
      for (int writer = 0; writer < 4; writer++) {
        String name = "-of-" + writer;
        threads.add(
            () -> {
              for (int n = 0; n < 15; n++) {
                State state = state("dev:" + n + name, "{\"n\":" + n + "}");
                store().save(state);
                saved.add(state.id().text());
                assertFound(state);
              }
            });
      }
      threads.start();
      boolean running;
      do {
        running = threads.running();
        checkWalk(saved);
      } while (running);
      threads.join();
    }
  }

  private void checkWalk(Set<String> saved) {
    Set<String> before = new HashSet<>(saved);
    List<String> met = ids();
    assertThat(met)
        .as("the ids of a walk while others save")
        .containsAll(before)
        .doesNotHaveDuplicates()
        .isSortedAccordingTo(Comparator.comparing(BackendTopic::id));
  }

  @Test
  @DisplayName("S-65 Of states that many threads save under one id, a whole one is found.")
  final void oneOfTheStatesIsFoundWhole() throws InterruptedException {
    int saves = 6;
    store().save(both("before"));
    try (Threads threads = new Threads()) {
      for (int writer = 0; writer < WRITERS; writer++) {
        String name = "-of-" + writer;
        threads.add(
            () -> {
              for (int n = 1; n <= saves; n++) {
                store().save(both(n + name));
              }
            });
      }
      threads.start();
      while (threads.running()) {
        checkWhole();
      }
      threads.join();
    }

    checkWhole();
    assertThat(found("dev:tap-to-target").completed().text())
        .as("the state at the end, which one of the threads saved last")
        .matches("\\{\"by\":\"" + saves + "-of-[0-7]\"}");
  }

  private static State both(String by) {
    String half = "{\"by\":\"" + by + "\"}";
    return state("dev:tap-to-target", half, half);
  }

  private void checkWhole() {
    State found = found("dev:tap-to-target");
    assertThat(found.partial().text())
        .as("the partial half, which was saved with the same text as the completed one")
        .isEqualTo(found.completed().text());
  }
}
