package dev.statectl.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.statectl.inmemory.Planting;
import dev.statectl.json.JsonObject;
import dev.statectl.lock.Fence;
import dev.statectl.lock.LockCandidate;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StoredRow;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class StateSessionTest {
  private static final StateId ID = LockFixture.ID;
  private static final Duration INTERVAL = Duration.ofMillis(100);

  private final LockFixture fixture = new LockFixture();
  private final MovedTime time = fixture.time;
  private final FaultyStateStore store =
      new FaultyStateStore(fixture.store(), time.storeClock::instant);

  @Test
  void aCheckpointIsAcceptedFirstAndStoredByTheTimer() {
    StateSession session = open();
    CompletableFuture<StateVersion> stage = save(session, "{\"n\":1}", "{}");

    assertThat(fixture.store().find(ID)).isEmpty();
    assertThat(stage).isNotDone();
    time.pass(Duration.ZERO);
    assertThat(stage).isCompletedWithValue(stored().version());
    assertThat(stored().completed().text()).isEqualTo("{\"n\":1}");
  }

  @Test
  void whatFollowsIsWrittenTogetherAtTheEndOfTheInterval() {
    StateSession session = open();
    save(session, "{\"n\":1}", "{}");
    time.pass(Duration.ZERO);
    CompletableFuture<StateVersion> second = save(session, "{\"n\":2}", "{}");
    time.pass(Duration.ofMillis(60));
    CompletableFuture<StateVersion> third = save(session, "{\"n\":3}", "{}");
    time.pass(Duration.ofMillis(39));

    assertThat(written()).containsExactly("{\"n\":1}");
    assertThat(second).isNotDone();
    time.pass(Duration.ofMillis(1));
    assertThat(written()).containsExactly("{\"n\":1}", "{\"n\":3}");
    assertThat(second).isCompletedWithValue(stored().version());
    assertThat(third).isCompletedWithValue(stored().version());
  }

  @Test
  void thereIsAtMostOneWriteInAnInterval() {
    StateSession session = open();
    for (int n = 1; n <= 1_000; n++) {
      save(session, "{\"n\":" + n + "}", "{}");
      time.pass(Duration.ofMillis(1));
    }
    session.close();

    List<Instant> times = store.tried().stream().map(FaultyStateStore.Tried::at).toList();
    assertThat(times).hasSize(11);
    for (int i = 1; i < times.size(); i++) {
      assertThat(Duration.between(times.get(i - 1), times.get(i)))
          .as("between write %d and the next", i)
          .isGreaterThanOrEqualTo(INTERVAL);
    }
    assertThat(stored().completed().text()).isEqualTo("{\"n\":1000}");
  }

  @Test
  void theIntervalBeginsWhenAWriteEnds() {
    StateSession session = open();
    store.disturbNext(() -> time.passStopped(Duration.ofSeconds(1)), () -> {});
    save(session, "{\"n\":1}", "{}");
    time.pass(Duration.ZERO);
    save(session, "{\"n\":2}", "{}");

    time.pass(Duration.ofMillis(99));
    assertThat(written()).hasSize(1);
    time.pass(Duration.ofMillis(1));
    assertThat(written()).hasSize(2);
  }

  @Test
  void aCheckpointAfterTheIntervalIsWrittenAtOnce() {
    StateSession session = open();
    save(session, "{\"n\":1}", "{}");
    time.pass(Duration.ofMillis(100));
    save(session, "{\"n\":2}", "{}");
    time.pass(Duration.ZERO);

    assertThat(written()).containsExactly("{\"n\":1}", "{\"n\":2}");
  }

  @Test
  void withoutAnIntervalEachIsWrittenAtOnce() {
    StateSession session = open(Duration.ZERO);
    for (int n = 1; n <= 3; n++) {
      save(session, "{\"n\":" + n + "}", "{}");
      time.pass(Duration.ZERO);
    }

    assertThat(written()).containsExactly("{\"n\":1}", "{\"n\":2}", "{\"n\":3}");
  }

  @Test
  void whatIsSavedDuringAWriteGoesIntoTheNext() {
    StateSession session = open();
    List<CompletableFuture<StateVersion>> during = new ArrayList<>();
    store.disturbNext(() -> during.add(save(session, "{\"n\":2}", "{}")), () -> {});
    CompletableFuture<StateVersion> first = save(session, "{\"n\":1}", "{}");
    time.pass(Duration.ofMillis(99));

    assertThat(written()).containsExactly("{\"n\":1}");
    assertThat(first).isCompleted();
    assertThat(during.get(0)).isNotDone();
    time.pass(Duration.ofMillis(1));
    assertThat(written()).containsExactly("{\"n\":1}", "{\"n\":2}");
    assertThat(during.get(0)).isCompletedWithValue(stored().version());
  }

  @Test
  void aPartialCheckpointIsMergedIntoWhatIsStoredAndWhatIsPending() {
    fixture.store().save(State.of(ID, json("{ \"done\": 1 }"), json("{\"a\": {\"x\": 1.0}}")));
    StateSession session = open();
    save(session, "{}", "{\"a\":{\"y\":2}}");
    save(session, "{}", "{\"b\":3}");
    session.close();

    assertThat(stored().completed().text()).isEqualTo("{ \"done\": 1 }");
    assertThat(stored().partial().text()).isEqualTo("{\"a\": {\"x\": 1.0, \"y\":2}, \"b\":3}");
    assertThat(store.finds()).isEqualTo(1);
  }

  @Test
  void nothingIsReadWhereTheFirstCheckpointIsWhole() {
    StateSession session = open();
    save(session, "{\"n\":1}", "{}");
    save(session, "{}", "{\"p\":1}");
    session.close();

    assertThat(stored().partial().text()).isEqualTo("{\"p\":1}");
    assertThat(store.finds()).isZero();
  }

  @Test
  void flushStoresAtOnceAndSaysWhichVersionHoldsIt() {
    StateSession session = open();
    assertThat(session.flush()).isEqualTo(StateVersion.NONE);
    CompletableFuture<StateVersion> stage = save(session, "{\"n\":1}", "{}");
    StateVersion version = session.flush();

    assertThat(stored().version()).isEqualTo(version);
    assertThat(stage).isCompletedWithValue(version);
    assertThat(session.flush()).isEqualTo(version);
    time.pass(Duration.ofMillis(500));
    assertThat(written()).hasSize(1);
  }

  @Test
  void flushDoesNotWaitForTheIntervalAndBeginsANewOne() {
    StateSession session = open();
    save(session, "{\"n\":1}", "{}");
    time.pass(Duration.ofMillis(50));
    save(session, "{\"n\":2}", "{}");
    session.flush();
    save(session, "{\"n\":3}", "{}");
    time.pass(Duration.ofMillis(99));

    assertThat(written()).containsExactly("{\"n\":1}", "{\"n\":2}");
    time.pass(Duration.ofMillis(1));
    assertThat(written()).hasSize(3);
  }

  @Test
  void flushWaitsForTheWriteThatIsUnderWayAndThenStoresTheRest() throws Exception {
    StateSession session = open();
    CountDownLatch underWay = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    store.disturbNext(
        () -> {
          underWay.countDown();
          await(goOn);
        },
        () -> {});
    save(session, "{\"n\":1}", "{}");
    CompletableFuture<StateVersion> first = CompletableFuture.supplyAsync(session::flush);
    await(underWay);
    save(session, "{\"n\":2}", "{}");
    AtomicBoolean interrupted = new AtomicBoolean();
    CompletableFuture<StateVersion> second = new CompletableFuture<>();
    Thread flushing =
        new Thread(
            () -> {
              second.complete(session.flush());
              interrupted.set(Thread.interrupted());
            });
    flushing.start();
    flushing.interrupt();
    awaitWaiting(flushing);
    assertThat(second).isNotDone();
    goOn.countDown();
    flushing.join(10_000);

    assertThat(second.get(10, TimeUnit.SECONDS))
        .isEqualTo(stored().version())
        .isGreaterThanOrEqualTo(first.get(10, TimeUnit.SECONDS));
    assertThat(interrupted).isTrue();
    assertThat(written()).containsExactly("{\"n\":1}", "{\"n\":2}");
    assertThat(store.overlapped()).isFalse();
  }

  @Test
  void everyWriteIsFencedByTheLockThatTheSessionHolds() {
    StateSession session = open();
    LockCandidate row = fixture.rows().get(0);
    save(session, "{\"n\":1}", "{}");
    time.pass(Duration.ofHours(1));
    save(session, "{\"n\":2}", "{}");
    session.flush();

    assertThat(store.tried())
        .extracting(FaultyStateStore.Tried::fence)
        .containsOnly(new Fence(ID, row.lockId(), Duration.ofSeconds(300)))
        .hasSize(2);
    assertThat(row.holder()).isEqualTo("alice");
    session.close();
    assertThat(fixture.rows()).isEmpty();
    assertThat(time.tasks()).isZero();
  }

  @Test
  void closeStoresTheRestAndLetsGoOfTheLock() {
    StateSession session = open();
    save(session, "{\"n\":1}", "{}");
    time.pass(Duration.ofMillis(50));
    CompletableFuture<StateVersion> last = save(session, "{\"n\":2}", "{}");
    session.close();

    assertThat(last).isCompletedWithValue(stored().version());
    assertThat(stored().completed().text()).isEqualTo("{\"n\":2}");
    assertThat(fixture.rows()).isEmpty();
    assertThat(time.tasks()).isZero();
    assertThatCode(session::close).doesNotThrowAnyException();
    assertThat(written()).hasSize(2);
  }

  @Test
  void aClosedSessionAcceptsNothing() {
    StateSession session = open();
    session.close();

    assertThatThrownBy(() -> save(session, "{\"n\":1}", "{}"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the session of 'dev:tap-to-target' was closed");
    assertThatThrownBy(session::flush)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the session of 'dev:tap-to-target' was closed");
    assertThat(fixture.store().find(ID)).isEmpty();
  }

  @Test
  void aSessionThatNothingWasSavedInWritesNothing() {
    open().close();

    assertThat(written()).isEmpty();
    assertThat(store.finds()).isZero();
    assertThat(fixture.rows()).isEmpty();
  }

  @Test
  void aFailedWriteIsToldByTheNextSaveWhichIsNotAccepted() {
    StateSession session = open();
    store.loseNextRequest(down());
    CompletableFuture<StateVersion> stage = save(session, "{\"n\":1}", "{}");
    save(session, "{\"n\":2}", "{}");
    time.pass(Duration.ZERO);

    assertThatThrownBy(() -> save(session, "{\"n\":3}", "{}"))
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessage(
            "the checkpoint was not accepted: 2 accepted checkpoints of 'dev:tap-to-target' are not"
                + " stored yet: the line is down; look at the line")
        .satisfies(
            e -> assertThat(((StateFailure) e).advice()).isEqualTo(down().advice()).isPresent());
    assertThat(stage).isNotDone();
    session.close();
    assertThat(stored().completed().text()).isEqualTo("{\"n\":2}");
    assertThat(stage).isCompletedWithValue(stored().version());
  }

  @Test
  void whatCouldNotBeStoredIsTriedAgainASecondLaterAndThenSavesAreAcceptedAgain() {
    StateSession session = open();
    store.loseNextRequest(down());
    store.loseNextRequest(down());
    CompletableFuture<StateVersion> stage = save(session, "{\"n\":1}", "{}");
    time.pass(Duration.ofMillis(999));
    assertThat(written()).hasSize(1);
    time.pass(Duration.ofMillis(1));
    assertThat(written()).hasSize(2);
    assertThat(stage).isNotDone();
    time.pass(Duration.ofMillis(1_000));

    assertThat(written()).hasSize(3);
    assertThat(stage).isCompletedWithValue(stored().version());
    assertThat(save(session, "{\"n\":2}", "{}")).isNotDone();
    session.close();
    assertThat(stored().completed().text()).isEqualTo("{\"n\":2}");
  }

  @Test
  void itIsTriedAgainNoEarlierThanTheIntervalSays() {
    StateSession session = open(Duration.ofSeconds(5));
    store.loseNextRequest(down());
    save(session, "{\"n\":1}", "{}");
    time.pass(Duration.ofMillis(4_999));
    assertThat(written()).hasSize(1);
    time.pass(Duration.ofMillis(1));
    assertThat(written()).hasSize(2);
  }

  @Test
  void whatWasSavedDuringAWriteThatFailedIsKeptToo() {
    StateSession session = open();
    List<CompletableFuture<StateVersion>> during = new ArrayList<>();
    store.disturbNext(
        () -> {
          during.add(save(session, "{}", "{\"q\":2}"));
          throw down();
        },
        () -> {});
    during.add(save(session, "{}", "{\"p\":1}"));
    time.pass(Duration.ofSeconds(1));

    assertThat(stored().partial().text()).isEqualTo("{\"p\":1, \"q\":2}");
    assertThat(during)
        .allSatisfy(stage -> assertThat(stage).isCompletedWithValue(stored().version()));
  }

  @Test
  void aWriteOfUnknownOutcomeIsMadeAgain() {
    StateSession session = open();
    store.loseNextAnswer(new StateFailure.OutcomeUnknown("the answer was lost", null));
    CompletableFuture<StateVersion> stage = save(session, "{}", "{\"p\":1}");
    time.pass(Duration.ZERO);
    StateVersion first = stored().version();

    assertThatThrownBy(() -> save(session, "{}", "{\"q\":2}"))
        .isInstanceOf(StateFailure.OutcomeUnknown.class)
        .hasMessage(
            "the checkpoint was not accepted: 1 accepted checkpoint of 'dev:tap-to-target' is"
                + " perhaps not stored yet: the answer was lost");
    time.pass(Duration.ofSeconds(1));
    assertThat(stage).isCompletedWithValue(stored().version());
    assertThat(stored().version()).isGreaterThan(first);
    assertThat(stored().partial().text()).isEqualTo("{\"p\":1}");
  }

  @Test
  void whatMayBeStoredIsNotCalledUnchangedAfterALaterFailure() {
    StateSession session = open();
    store.loseNextAnswer(new StateFailure.OutcomeUnknown("the answer was lost", null));
    store.loseNextRequest(down());
    save(session, "{}", "{\"p\":1}");
    time.pass(Duration.ZERO);

    assertThatThrownBy(session::close)
        .isInstanceOf(StateFailure.OutcomeUnknown.class)
        .hasMessage(
            "1 accepted checkpoint of 'dev:tap-to-target' is perhaps not stored: the line is down;"
                + " look at the line");
  }

  @Test
  void aFailureOfFlushIsThrownAndWhatIsPendingTriedAgain() {
    StateSession session = open();
    store.loseNextRequest(new StateFailure.Denied("INSERT is missing", "grant INSERT", null));
    CompletableFuture<StateVersion> stage = save(session, "{\"n\":1}", "{}");

    assertThatThrownBy(session::flush)
        .isInstanceOf(StateFailure.Denied.class)
        .hasMessage(
            "1 accepted checkpoint of 'dev:tap-to-target' is not stored yet: INSERT is missing")
        .satisfies(e -> assertThat(((StateFailure) e).advice()).hasValue("grant INSERT"));
    time.pass(Duration.ofSeconds(1));
    assertThat(stage).isCompletedWithValue(stored().version());
    assertThat(session.flush()).isEqualTo(stored().version());
  }

  @Test
  void flushTriesAgainAtOnceAfterAFailure() {
    StateSession session = open();
    store.loseNextRequest(down());
    save(session, "{\"n\":1}", "{}");
    time.pass(Duration.ZERO);

    assertThat(session.flush()).isEqualTo(stored().version());
    time.pass(Duration.ofSeconds(10));
    assertThat(written()).hasSize(2);
  }

  @Test
  void aFailureOfTheLastWriteIsThrownByCloseAndTheLockReleasedAllTheSame() {
    StateSession session = open();
    store.loseNextRequest(new StateFailure.WrongSchema("no such table", "make it", null));
    CompletableFuture<StateVersion> stage = save(session, "{\"n\":1}", "{}");

    Throwable thrown = catchThrowable(session::close);
    assertThat(thrown)
        .isInstanceOf(StateFailure.WrongSchema.class)
        .hasMessage("1 accepted checkpoint of 'dev:tap-to-target' is not stored: no such table");
    assertThat(failureOf(stage)).isSameAs(thrown);
    assertThat(fixture.rows()).isEmpty();
    assertThat(time.tasks()).isZero();
    assertThatCode(session::close).doesNotThrowAnyException();
  }

  @Test
  void aFailureToReleaseIsSuppressedByThatOfTheLastWrite() {
    StateSession session = open();
    store.loseNextRequest(down());
    for (int i = 0; i < 1_000; i++) {
      fixture.table.loseNextRequest();
    }
    save(session, "{\"n\":1}", "{}");

    assertThatThrownBy(session::close)
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessageEndingWith("the line is down; look at the line")
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .hasSize(1)
                    .allSatisfy(s -> assertThat(s).hasMessage("the line is down")));
  }

  @Test
  void aFailureToReleaseSaysThatAllIsStored() {
    StateSession session = open();
    for (int i = 0; i < 1_000; i++) {
      fixture.table.loseNextRequest();
    }
    save(session, "{\"n\":1}", "{}");

    assertThatThrownBy(session::close)
        .isInstanceOf(StateFailure.OutcomeUnknown.class)
        .hasMessage(
            "all checkpoints of 'dev:tap-to-target' are stored, but the lock could not be released:"
                + " the line is down");
    assertThat(stored().completed().text()).isEqualTo("{\"n\":1}");
  }

  @Test
  void otherFailuresSurfaceWithoutTheirWords() {
    StateSession session = open();
    store.loseNextRequest(new IllegalArgumentException("{\"secret\": 1}"));
    save(session, "{\"n\":1}", "{}");
    time.pass(Duration.ZERO);

    assertThatThrownBy(() -> save(session, "{\"n\":2}", "{}"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the checkpoint was not accepted: 1 accepted checkpoint of 'dev:tap-to-target' is not"
                + " stored yet: IllegalArgumentException");
    session.close();
    assertThat(stored().completed().text()).isEqualTo("{\"n\":1}");
  }

  @Test
  void anErrorInTheTimersThreadSurfacesToo() {
    StateSession session = open();
    store.disturbNext(
        () -> {
          throw new OutOfMemoryError();
        },
        () -> {});
    save(session, "{\"n\":1}", "{}");
    time.pass(Duration.ZERO);

    assertThatThrownBy(() -> save(session, "{\"n\":2}", "{}"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageEndingWith(" is not stored yet: OutOfMemoryError");
    session.close();
    assertThat(stored().completed().text()).isEqualTo("{\"n\":1}");
  }

  @Test
  void aBackendThatWasClosedBeforeIsToldOf() {
    StateSession session = open();
    save(session, "{\"n\":1}", "{}");
    fixture.backend.close();

    assertThatThrownBy(session::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("1 accepted checkpoint of 'dev:tap-to-target' is not stored: ")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
  }

  @Test
  void aLockThatAnotherRemovedEndsTheSessionAtTheNextWrite() {
    StateSession session = open();
    save(session, "{\"n\":1}", "{}");
    session.flush();
    fixture.backend.locks().withdraw(ID, fixture.rows().get(0).lockId());
    StateLock successor = fixture.acquire("bob").acquire(ID);
    CompletableFuture<StateVersion> second = save(session, "{\"n\":2}", "{}");
    save(session, "{\"n\":3}", "{}");
    time.pass(INTERVAL);

    String lost =
        "the lock of 'dev:tap-to-target' was lost: its row is gone or stale; nothing was changed;"
            + " 2 accepted checkpoints of 'dev:tap-to-target' are not stored";
    assertThat(failureOf(second)).isInstanceOf(StateFailure.LockLost.class).hasMessage(lost);
    assertThatThrownBy(() -> save(session, "{\"n\":4}", "{}"))
        .isInstanceOf(StateFailure.LockLost.class)
        .hasMessage(lost);
    assertThatThrownBy(session::flush).isInstanceOf(StateFailure.LockLost.class).hasMessage(lost);
    assertThatThrownBy(session::close).isInstanceOf(StateFailure.LockLost.class).hasMessage(lost);
    assertThat(written()).hasSize(2);
    assertThat(stored().completed().text()).isEqualTo("{\"n\":1}");
    assertThat(successor.isValid()).isTrue();
    assertThat(fixture.rows())
        .extracting(LockCandidate::lockId)
        .containsExactly(successor.lockId());
  }

  @Test
  void aLockThatWasNotRenewedEndsTheSessionAtOnce() {
    StateSession session = open(Duration.ofHours(1));
    save(session, "{\"n\":1}", "{}");
    session.flush();
    CompletableFuture<StateVersion> second = save(session, "{\"n\":2}", "{}");
    fixture.backend.locks().withdraw(ID, fixture.rows().get(0).lockId());
    time.pass(Duration.ofSeconds(150));

    String lost =
        "the lock of 'dev:tap-to-target' was lost: its row was removed or became stale; 1 accepted"
            + " checkpoint of 'dev:tap-to-target' is not stored";
    assertThat(failureOf(second)).isInstanceOf(StateFailure.LockLost.class).hasMessage(lost);
    assertThatThrownBy(session::close).isInstanceOf(StateFailure.LockLost.class).hasMessage(lost);
    assertThat(written()).hasSize(1);
    assertThat(time.tasks()).isZero();
  }

  @Test
  void aLockThatWasLostWhenAllWasStoredIsNoFailureOfClose() {
    StateSession session = open();
    save(session, "{\"n\":1}", "{}");
    session.flush();
    fixture.backend.locks().withdraw(ID, fixture.rows().get(0).lockId());
    time.pass(Duration.ofSeconds(150));

    assertThatThrownBy(() -> save(session, "{\"n\":2}", "{}"))
        .isInstanceOf(StateFailure.LockLost.class)
        .hasMessage(
            "the lock of 'dev:tap-to-target' was lost: its row was removed or became stale");
    assertThat(session.flush()).isEqualTo(stored().version());
    assertThatCode(session::close).doesNotThrowAnyException();
  }

  @Test
  void aLockThatIsLostDuringAWriteDoesNotUndoIt() {
    StateSession session = open();
    store.disturbNext(
        () -> {},
        () -> {
          fixture.backend.locks().withdraw(ID, fixture.rows().get(0).lockId());
          time.pass(Duration.ofSeconds(150));
        });
    CompletableFuture<StateVersion> stage = save(session, "{\"n\":1}", "{}");
    time.pass(Duration.ZERO);

    assertThat(stage).isCompletedWithValue(stored().version());
    assertThatThrownBy(() -> save(session, "{\"n\":2}", "{}"))
        .isInstanceOf(StateFailure.LockLost.class);
    assertThatCode(session::close).doesNotThrowAnyException();
  }

  @Test
  void anUnreadableStateIsNotMergedIntoButReplaced() {
    Planting.plant(
        fixture.backend,
        new StoredRow(ID, "[1]", null, UseCaseFixture.version("2026-01-01T00:00:00Z")));
    StateSession session = open();

    assertThatThrownBy(() -> save(session, "{}", "{\"p\":1}"))
        .isInstanceOf(StateFailure.UnreadableState.class);
    save(session, "{\"n\":1}", "{}");
    save(session, "{}", "{\"p\":1}");
    session.close();
    assertThat(stored().completed().text()).isEqualTo("{\"n\":1}");
    assertThat(stored().partial().text()).isEqualTo("{\"p\":1}");
    assertThat(written()).hasSize(1);
  }

  @Test
  void aReadThatFailsIsThrownAndMadeAgainByTheNextSave() {
    fixture.store().save(State.of(ID, json("{\"n\":1}"), JsonObject.EMPTY));
    StateSession session = open();
    store.disturbReads(
        () -> {
          throw down();
        });
    assertThatThrownBy(() -> save(session, "{}", "{\"p\":1}"))
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessage("the line is down; look at the line");
    store.disturbReads(() -> {});
    save(session, "{}", "{\"q\":2}");
    session.close();

    assertThat(stored().completed().text()).isEqualTo("{\"n\":1}");
    assertThat(stored().partial().text()).isEqualTo("{\"q\":2}");
  }

  @Test
  void aCheckpointThatMakesTheStateTooLargeIsRefusedAndTheRestStored() {
    String half = "x".repeat(40 * 1024 * 1024);
    StateSession session = open();
    save(session, "{}", "{\"a\":\"" + half + "\"}");

    assertThatThrownBy(() -> save(session, "{}", "{\"b\":\"" + half + "\"}"))
        .isInstanceOf(StateFailure.TooLarge.class)
        .hasMessage(
            "the state of 'dev:tap-to-target' has 83886096 bytes, more than the 67108864 that may be"
                + " written; nothing was changed");
    save(session, "{}", "{\"a\":2}");
    session.close();
    assertThat(stored().partial().text()).isEqualTo("{\"a\":2}");
  }

  @Test
  void aStateOfAnotherIdIsRefused() {
    try (StateSession session = open()) {
      State other = State.of(StateId.of("dev:other"), json("{\"n\":1}"), JsonObject.EMPTY);
      assertThatThrownBy(() -> session.save(other))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "a state of 'dev:other' cannot be saved in the session of 'dev:tap-to-target'");
    }
    assertThat(written()).isEmpty();
  }

  @Test
  void aSessionThatCannotBeTakesNoLock() {
    AcquireLock locks = fixture.acquire("alice");
    assertThatThrownBy(
            () -> StateSession.open(StateId.ofStored(" "), store, locks, INTERVAL, fixture.means()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a state id must not be blank");
    assertThatThrownBy(
            () -> StateSession.open(ID, store, locks, Duration.ofMillis(-1), fixture.means()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("interval must not be negative, is PT-0.001S");
    assertThat(fixture.rows()).isEmpty();
    StateLock held = fixture.acquire("bob").acquire(ID);
    assertThatThrownBy(this::open).isInstanceOf(StateFailure.LockHeld.class);
    held.close();
  }

  @Test
  void whoIsToldThatItIsStoredMayUseTheSession() {
    StateSession session = open();
    List<String> told = new ArrayList<>();
    save(session, "{\"n\":1}", "{}")
        .thenAccept(
            version -> {
              save(session, "{\"n\":2}", "{}").thenAccept(second -> told.add("second"));
              session.flush();
              told.add(stored().completed().text());
              session.close();
              told.add("closed");
            });
    time.pass(Duration.ZERO);

    assertThat(told).containsExactly("{\"n\":2}", "closed", "second");
    assertThat(fixture.rows()).isEmpty();
  }

  @Test
  void whoDependsOnCheckpointsIsToldInTheirOrderAndBeforeFlushReturns() {
    StateSession session = open();
    List<Integer> told = new ArrayList<>();
    for (int n = 1; n <= 5; n++) {
      int number = n;
      save(session, "{\"n\":" + n + "}", "{}").thenAccept(version -> told.add(number));
    }
    session.flush();

    assertThat(told).containsExactly(1, 2, 3, 4, 5);
  }

  @Test
  void flushWaitsForThoseWhoAreToldByAnotherThread() throws Exception {
    StateSession session = open();
    CountDownLatch telling = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    List<Integer> told = new CopyOnWriteArrayList<>();
    save(session, "{\"n\":1}", "{}")
        .thenAccept(
            version -> {
              telling.countDown();
              await(goOn);
              told.add(1);
            });
    CompletableFuture<StateVersion> first = CompletableFuture.supplyAsync(session::flush);
    await(telling);
    save(session, "{\"n\":2}", "{}").thenAccept(version -> told.add(2));
    Thread closing = new Thread(session::close);
    closing.start();
    awaitWaiting(closing);

    assertThat(stored().completed().text()).isEqualTo("{\"n\":2}");
    assertThat(told).isEmpty();
    goOn.countDown();
    closing.join(10_000);
    assertThat(told).containsExactly(1, 2);
    assertThat(first).succeedsWithin(10, TimeUnit.SECONDS);
    assertThat(fixture.rows()).isEmpty();
  }

  @Test
  void whoGivesUpWaitingForACheckpointStopsNobodyElse() {
    StateSession session = open();
    save(session, "{\"n\":1}", "{}").cancel(true);
    CompletableFuture<StateVersion> second = save(session, "{\"n\":2}", "{}");
    session.flush();

    assertThat(second).isCompletedWithValue(stored().version());
  }

  @Test
  void closeFromAnInterruptedThreadStoresTheRestAndKeepsTheInterrupt() {
    StateSession session = open();
    save(session, "{\"n\":1}", "{}");
    List<Boolean> interrupted = new ArrayList<>();
    store.disturbNext(() -> interrupted.add(Thread.currentThread().isInterrupted()), () -> {});
    fixture.table.delayNext(() -> interrupted.add(Thread.currentThread().isInterrupted()));
    Thread.currentThread().interrupt();
    session.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(interrupted).as("at the write and at the release").containsExactly(false, false);
    assertThat(stored().completed().text()).isEqualTo("{\"n\":1}");
    assertThat(fixture.rows()).isEmpty();
  }

  @Test
  void aTimerThatWasShutDownIsNoWayToLoseACheckpoint() {
    AtomicBoolean shutDown = new AtomicBoolean();
    LockMeans means = fixture.means();
    Timer timer =
        (delay, task) -> {
          if (shutDown.get()) {
            throw new RejectedExecutionException("shut down");
          }
          return means.timer().after(delay, task);
        };
    LockMeans mortal =
        new LockMeans(means.lockIds(), means.nanoTime(), means.pause(), means.random(), timer);
    StateSession session = StateSession.open(ID, store, fixture.acquire("alice"), INTERVAL, mortal);
    store.disturbNext(
        () -> {
          save(session, "{\"n\":2}", "{}");
          shutDown.set(true);
        },
        () -> {});
    save(session, "{\"n\":1}", "{}");
    time.pass(Duration.ZERO);

    assertThatThrownBy(() -> save(session, "{\"n\":3}", "{}"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the checkpoint was not accepted: 1 accepted checkpoint of 'dev:tap-to-target' is not"
                + " stored yet: RejectedExecutionException");
    session.flush();
    assertThat(stored().completed().text()).isEqualTo("{\"n\":2}");
    assertThatThrownBy(() -> save(session, "{\"n\":3}", "{}"))
        .isInstanceOf(RejectedExecutionException.class);
    session.close();
    assertThat(stored().completed().text()).isEqualTo("{\"n\":2}");
  }

  private StateSession open() {
    return open(INTERVAL);
  }

  private StateSession open(Duration interval) {
    return StateSession.open(ID, store, fixture.acquire("alice"), interval, fixture.means());
  }

  private static CompletableFuture<StateVersion> save(
      StateSession session, String completed, String partial) {
    return session.save(State.of(ID, json(completed), json(partial)));
  }

  private static JsonObject json(String text) {
    return JsonObject.parse(text);
  }

  private State stored() {
    return fixture.store().find(ID).orElseThrow();
  }

  /** The completed halves of the writes that were tried. */
  private List<String> written() {
    return store.tried().stream().map(tried -> tried.state().completed().text()).toList();
  }

  private static StateFailure.Unavailable down() {
    return new StateFailure.Unavailable(
        "the line is down; look at the line", "look at the line", null);
  }

  private static Throwable failureOf(CompletableFuture<StateVersion> stage) {
    assertThat(stage).isCompletedExceptionally();
    Throwable thrown = catchThrowable(stage::join);
    return thrown instanceof CompletionException ? thrown.getCause() : thrown;
  }

  private static void awaitWaiting(Thread thread) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.BLOCKED) {
      assertThat(System.nanoTime()).as("%s waits", thread).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
