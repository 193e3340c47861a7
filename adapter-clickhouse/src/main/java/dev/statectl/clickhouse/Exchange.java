package dev.statectl.clickhouse;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, as the thread that waits for it sees them: it knows whether anything
 * was sent, and ends the request when its time is over. The driver's own timeout is one of silence,
 * which an answer that trickles never meets. Thread-safe.
 *
 * <p>The time is counted from when the statement begins to be sent, so that connecting, which has a
 * timeout of its own, is not part of it; later steps, which read on in a long answer, have a time
 * of their own each.
 */
final class Exchange {
  private final Duration connectTimeout;
  private final Duration limit;
  private final Duration stepLimit;
  private final ServerAddress server;
  private final Map<String, String> settings;
  private @Nullable HttpPost request;
  private @Nullable CompletableFuture<@Nullable Void> timer;
  private @Nullable Rows rows;
  private boolean sent;
  private boolean outOfTime;

  /**
   * An exchange that has not begun.
   *
   * @param limit how long the step may take in which the statement is sent
   * @param stepLimit how long each later step may take; at least as long
   * @param server where it goes
   * @param settings settings that go into the request, beside its statement; names and values are
   *     of letters, digits and underscores
   */
  Exchange(
      Duration connectTimeout,
      Duration limit,
      Duration stepLimit,
      ServerAddress server,
      Map<String, String> settings) {
    this.connectTimeout = connectTimeout;
    this.limit = limit;
    this.stepLimit = stepLimit;
    this.server = server;
    this.settings = settings;
  }

  /** Where it goes. */
  ServerAddress server() {
    return server;
  }

  /** What goes into the request. */
  Map<String, String> settings() {
    return settings;
  }

  Duration connectTimeout() {
    return connectTimeout;
  }

  /** How long the server may keep silent at most; the time as a whole is kept here. */
  Duration silence() {
    return stepLimit;
  }

  /** Runs a part of the exchange that waits for the server. */
  <T> T step(Callable<T> work) throws Exception {
    rearm();
    try {
      return work.call();
    } finally {
      disarm();
    }
  }

  /** Has rows sent behind the statement. */
  synchronized void send(Rows behind) {
    rows = behind;
  }

  /** What is sent behind the statement. */
  synchronized @Nullable Rows rows() {
    return rows;
  }

  /** Takes the request that will be ended when the time is over. */
  synchronized void begins(HttpPost post) {
    request = post;
  }

  /** Is told when the first byte of the statement leaves. */
  synchronized void sending() {
    if (!sent) {
      sent = true;
      arm(limit);
    }
  }

  synchronized Progress progress() {
    if (outOfTime) {
      return Progress.OUT_OF_TIME;
    }
    return sent ? Progress.SENT : Progress.NOT_SENT;
  }

  private synchronized void rearm() {
    if (sent) {
      arm(stepLimit);
    }
  }

  private void arm(Duration time) {
    // One thread of the JDK waits for all of them; none has to be started or ended here.
    CompletableFuture<@Nullable Void> started = new CompletableFuture<>();
    timer = started;
    started.completeOnTimeout(null, time.toNanos(), TimeUnit.NANOSECONDS);
    started.thenRun(() -> expire(started));
  }

  private void disarm() {
    CompletableFuture<@Nullable Void> armed;
    synchronized (this) {
      armed = timer;
      timer = null;
    }
    if (armed != null) {
      // Not cancelled, which would leave its entry with the JDK's thread until its time is over.
      // https://bugs.openjdk.org/browse/JDK-8303742
      armed.complete(null);
    }
  }

  private void expire(CompletableFuture<@Nullable Void> fired) {
    HttpPost late;
    synchronized (this) {
      if (timer != fired) {
        return;
      }
      outOfTime = true;
      late = request;
    }
    if (late != null) {
      late.cancel();
    }
  }
}
