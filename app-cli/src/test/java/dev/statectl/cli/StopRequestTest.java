package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StopRequestTest {
  private static final Duration SHORT = Duration.ofMillis(5);

  private final List<StopSignal> ended = new ArrayList<>();
  private final StopRequest stop = new StopRequest(new Signals());

  @Test
  void withoutASignalAPauseTakesItsTime() throws InterruptedException {
    long start = System.nanoTime();
    stop.pause(SHORT);
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SHORT.toNanos());
  }

  @Test
  void aSignalEndsAPause() {
    CompletableFuture<Void> signalled =
        CompletableFuture.runAsync(() -> stop.receive(StopSignal.TERM));
    assertThatThrownBy(() -> stop.pause(Duration.ofHours(1)))
        .isInstanceOf(InterruptedException.class);
    signalled.join();
    assertThat(stop.signal()).hasValue(StopSignal.TERM);
    assertThat(ended).isEmpty();
  }

  @Test
  void oneSignalEndsOnePauseOnlySoThatALockCanBeReleasedWithPatience() {
    stop.receive(StopSignal.TERM);
    assertThatThrownBy(() -> stop.pause(SHORT)).isInstanceOf(InterruptedException.class);
    assertThatCode(() -> stop.pause(SHORT)).doesNotThrowAnyException();
  }

  @Test
  void aSecondSignalEndsTheProcessUnlessSignalsArePassedOn() {
    stop.receive(StopSignal.TERM);
    stop.receive(StopSignal.INT);
    assertThat(ended).containsExactly(StopSignal.INT);
  }

  @Test
  void whereSignalsArePassedOnEachEndsAPause() {
    List<StopSignal> passed = new ArrayList<>();
    stop.passTo(passed::add);
    stop.receive(StopSignal.TERM);
    assertThatThrownBy(() -> stop.pause(SHORT)).isInstanceOf(InterruptedException.class);
    stop.receive(StopSignal.INT);
    assertThatThrownBy(() -> stop.pause(SHORT)).isInstanceOf(InterruptedException.class);
    assertThat(passed).containsExactly(StopSignal.TERM, StopSignal.INT);
    assertThat(stop.signal()).hasValue(StopSignal.TERM);
    assertThat(ended).isEmpty();
  }

  private final class Signals implements StopSignals {
    @Override
    public Registration take(Consumer<StopSignal> handler) {
      return () -> {};
    }

    @Override
    public boolean reachesChildren(StopSignal signal) {
      return false;
    }

    @Override
    public void end(StopSignal signal) {
      ended.add(signal);
    }
  }
}
