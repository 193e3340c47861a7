package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.Settlement.Finding;
import dev.statectl.port.StateFailure;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SettlementTest {
  private final AtomicInteger changes = new AtomicInteger();
  private final AtomicInteger looks = new AtomicInteger();
  private final Settlement settlement =
      new Settlement(new Backoff(() -> 0.5, pause -> {}, this::now), Duration.ofSeconds(15));
  private long now;

  @Test
  void whatWasNotSeenIsMadeAgain() {
    settlement.repeat(change(lost()), look(Finding.NOT_DONE));
    assertThat(changes).hasValue(2);
  }

  @Test
  void whatTookItsTimeIsNotMadeAgain() {
    StateFailure.OutcomeUnknown late = lost();
    assertThatThrownBy(
            () ->
                settlement.repeat(
                    () -> {
                      changes.incrementAndGet();
                      now += Duration.ofSeconds(15).toNanos();
                      throw late;
                    },
                    look(Finding.NOT_DONE)))
        .isSameAs(late);
    assertThat(changes).hasValue(1);
    assertThat(looks).hasValue(1);
  }

  @Test
  void whatWasSeenIsDone() {
    settlement.repeat(change(lost()), look(Finding.DONE));
    assertThat(changes).hasValue(1);
  }

  @Test
  void theOutcomeStaysUnknownWhenALaterTryWasRefused() {
    StateFailure.OutcomeUnknown first = lost();
    for (RuntimeException refused :
        List.of(
            new StateFailure.Unavailable("nobody listens", null),
            new StateFailure.Denied("no right", null),
            new IllegalStateException("closed"))) {
      changes.set(0);
      assertThatThrownBy(() -> settlement.repeat(change(first, refused), look(Finding.NOT_DONE)))
          .isSameAs(first);
      assertThat(changes).hasValue(2);
    }
  }

  @Test
  void aRefusalOfTheFirstTryIsOne() {
    StateFailure refused = new StateFailure.Unavailable("nobody listens", null);
    assertThatThrownBy(() -> settlement.repeat(change(refused), look())).isSameAs(refused);
  }

  @Test
  void whatTheServerMayStillBeAtIsNotMadeAgain() {
    StateFailure.OutcomeUnknown late = unknown(new IOException(), false);
    assertThatThrownBy(
            () ->
                settlement.repeat(
                    change(late), look(Finding.NOT_DONE, Finding.NOT_DONE, Finding.NOT_DONE)))
        .isSameAs(late);
    assertThat(changes).hasValue(1);
    assertThat(looks).hasValue(3);
    changes.set(0);
    settlement.repeat(change(late), look(Finding.NOT_DONE, Finding.DONE));
    assertThat(changes).hasValue(1);
  }

  @Test
  void whatTheServerReportedIsMadeAgainOnlyWhereNothingOfItIsSeen() {
    StateFailure.OutcomeUnknown reported = unknown(new SQLException("", "", 999), true);
    assertThatThrownBy(() -> settlement.repeat(change(reported), look(Finding.DONE)))
        .isSameAs(reported);
    assertThat(changes).hasValue(1);
    changes.set(0);
    settlement.repeat(change(reported), look(Finding.NOT_DONE));
    assertThat(changes).hasValue(2);
  }

  @Test
  void whatTheServerReportedForGoodIsNotLookedFor() {
    StateFailure.OutcomeUnknown reported = unknown(new SQLException("", "", 241), false);
    assertThatThrownBy(() -> settlement.repeat(change(reported), look())).isSameAs(reported);
    assertThatThrownBy(() -> settlement.await(change(reported), look())).isSameAs(reported);
    assertThat(looks).hasValue(0);
  }

  /** Fails with these, one after the other, then not. */
  private Runnable change(RuntimeException... failures) {
    Deque<RuntimeException> left = new ArrayDeque<>(Arrays.asList(failures));
    return () -> {
      changes.incrementAndGet();
      if (!left.isEmpty()) {
        throw left.removeFirst();
      }
    };
  }

  private long now() {
    return now;
  }

  private Supplier<Finding> look(Finding... findings) {
    Deque<Finding> left = new ArrayDeque<>(Arrays.asList(findings));
    return () -> {
      looks.incrementAndGet();
      return left.removeFirst();
    };
  }

  private static StateFailure.OutcomeUnknown lost() {
    return unknown(new IOException(), true);
  }

  private static StateFailure.OutcomeUnknown unknown(Exception below, boolean passing) {
    return new StateFailure.OutcomeUnknown("unknown", WithheldException.of(below, passing));
  }
}
