package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.json.JsonObject;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockMode;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import dev.statectl.usecase.SaveState;
import dev.statectl.usecase.StateLock;
import dev.statectl.usecase.StateSession;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@link StateSession} makes of many checkpoints, over the store and its table of locks. */
abstract class SessionContract extends LockTopic {
  private static final String SESSION = "dev:session";
  private static final String SINGLE = "dev:single";
  private static final int ROUNDS = 6;
  private static final int CHECKPOINTS = 16;
  private static final Duration INTERVAL = Duration.ofMillis(100);

  private static final LockTerms TERMS =
      new LockTerms(
          LockMode.IMMEDIATE,
          STALE_TIME,
          Duration.ofSeconds(1),
          Duration.ZERO,
          Duration.ofMillis(20));

  // What a value may be replaced by or merged with, in the spellings of other programs.
  private static final List<String> VALUES =
      List.of(
          "1",
          "1.0",
          "1e3",
          "-0",
          "NaN",
          "123456789012345678901234567890",
          "null",
          "true",
          "\"caf\\u00e9\"",
          "\"\\ud83d\"",
          "\"it's\"",
          "[ ]",
          "[1, {\"a\":2}]",
          "{}",
          "{ }");

  private final Random random = seeded();
  private final List<Runnable> due = new ArrayList<>();
  private long nanos;

  SessionContract(LockTableContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("L-63 What a session coalesced is stored byte for byte as single saves leave it.")
  final void sessionLeavesTheBytesOfSingleSaves() {
    SaveState saveState = new SaveState(store(), locks("single"));
    for (int round = 1; round <= ROUNDS; round++) {
      State expected = State.of(id(SINGLE), JsonObject.EMPTY, JsonObject.EMPTY);
      store().delete(id(SESSION));
      store().delete(id(SINGLE));
      if (random.nextBoolean()) {
        expected = checkpoint(SINGLE);
        store().save(expected);
        store().save(named(SESSION, expected));
      }
      try (StateLock single = locks("single").acquire(id(SINGLE));
          StateSession session = open("session")) {
        for (int n = 1; n <= CHECKPOINTS; n++) {
          State checkpoint = checkpoint(SINGLE);
          expected = expected.updatedBy(checkpoint);
          saveState.save(checkpoint, single);
          session.save(named(SESSION, checkpoint));
          switch (random.nextInt(6)) {
            case 0 -> {
              session.flush();
              assertFound(expected);
              assertFound(named(SESSION, expected));
            }
            case 1, 2 -> passInterval();
            default -> {
              // More is saved before anything is written.
            }
          }
        }
      }
      assertFound(expected);
      assertFound(named(SESSION, expected));
      assertSeen(SESSION);
    }
  }

  @Test
  @DisplayName("L-64 A session whose lock is another's by now stores nothing more, and says so.")
  final void sessionStoresNothingUnderALostLock() {
    StateSession session = open("alice");
    LockId lost = only(SESSION).lockId();
    session.save(state(SESSION, "{\"by\":\"alice\"}"));
    session.flush();
    withdraw(SESSION, lost);
    StateLock successor = locks("alice").acquire(id(SESSION));
    State others = state(SESSION, "{\"by\":\"her successor\"}");
    store().save(others, successor.fence());
    session.save(state(SESSION, "{\"by\":\"alice again\"}"));

    failure(StateFailure.LockLost.class, "a flush after the lock was lost", session::flush);
    StateFailure.LockLost told =
        failure(StateFailure.LockLost.class, "close after the lock was lost", session::close);
    assertThat(told)
        .as("the failure of close")
        .hasMessageEndingWith("1 accepted checkpoint of 'dev:session' is not stored");
    assertFound(others);
    assertSeen(SESSION, successor.lockId());
    successor.close();
  }

  private StateSession open(String holder) {
    return StateSession.open(id(SESSION), store(), locks(holder), INTERVAL, means());
  }

  private AcquireLock locks(String holder) {
    return new AcquireLock(locks(), TERMS, means(), holder);
  }

  private LockMeans means() {
    return new LockMeans(
        () -> LockId.of(Instant.now(), random.nextInt()),
        () -> nanos,
        duration -> nanos += duration.toNanos(),
        random::nextDouble,
        (delay, task) -> {
          // Renewals are due later than any test lasts.
          if (delay.compareTo(INTERVAL) <= 0) {
            due.add(task);
          }
          return () -> due.remove(task);
        });
  }

  private void passInterval() {
    nanos += INTERVAL.toNanos();
    List<Runnable> tasks = List.copyOf(due);
    due.clear();
    tasks.forEach(Runnable::run);
  }

  private static State named(String id, State state) {
    return State.of(id(id), state.completed(), state.partial());
  }

  /** Mostly without a completed half, sometimes with both, now and then with none. */
  private State checkpoint(String id) {
    int kind = random.nextInt(10);
    JsonObject completed = kind < 2 ? document() : JsonObject.EMPTY;
    JsonObject partial = kind == 0 || kind == 9 ? JsonObject.EMPTY : document();
    return State.of(id(id), completed, partial);
  }

  private JsonObject document() {
    return JsonObject.parse(object(3));
  }

  private String object(int depth) {
    String space = random.nextBoolean() ? " " : "";
    List<String> members = new ArrayList<>();
    for (int n = random.nextInt(4); n > 0; n--) {
      // Few names, so that objects meet in each other.
      String name = String.valueOf((char) ('a' + random.nextInt(4)));
      members.add("\"" + name + "\":" + space + value(depth - 1));
    }
    return "{" + space + String.join("," + space, members) + space + "}";
  }

  private String value(int depth) {
    return depth > 0 && random.nextInt(3) > 0
        ? object(depth)
        : VALUES.get(random.nextInt(VALUES.size()));
  }
}
