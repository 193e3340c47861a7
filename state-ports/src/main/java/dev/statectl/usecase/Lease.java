package dev.statectl.usecase;

import dev.statectl.lock.LockTerms;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How long rows of one candidate hold their locks: from when they were sent until they are stale,
 * and longer with each renewal. It renews by itself when half of the stale time has passed, until
 * it is ended, and knows which rows are lost.
 *
 * <p>The time counts from before the last renewal was sent, by the local monotonic clock, so the
 * holder knows of its end no later than anybody else. Thread-safe.
 */
final class Lease {
  private final UnaryOperator<Set<StateId>> renewal;
  private final LockTerms terms;
  private final LockMeans means;

  // Held while a renewal is sent, so that none can arrive after the rows were withdrawn.
  private final Object sending = new Object();

  // Guards the fields below.
  private final Object guard = new Object();
  private final Set<StateId> held;
  private final Map<StateId, String> losses = new HashMap<>();
  private long validUntil;
  private boolean ended;
  private final List<Consumer<StateFailure.LockLost>> listeners = new ArrayList<>();
  private Runnable cancelRenewal = () -> {};

  private Lease(
      Set<StateId> ids,
      long sentAt,
      UnaryOperator<Set<StateId>> renewal,
      LockTerms terms,
      LockMeans means) {
    this.held = new LinkedHashSet<>(ids);
    this.renewal = renewal;
    this.terms = terms;
    this.means = means;
    this.validUntil = sentAt + terms.stale().toNanos();
  }

  /**
   * Begins.
   *
   * @param ids whose locks are held
   * @param sentAt when their rows were sent, by the monotonic clock
   * @param renewal renews the rows of the given locks and tells of which it could
   */
  static Lease of(
      Set<StateId> ids,
      long sentAt,
      UnaryOperator<Set<StateId>> renewal,
      LockTerms terms,
      LockMeans means) {
    Lease lease = new Lease(ids, sentAt, renewal, terms, means);
    lease.renewInTime(sentAt);
    return lease;
  }

  boolean isHeld(StateId id) {
    synchronized (guard) {
      return !ended && held.contains(id) && !hasRunOut();
    }
  }

  boolean isEnded() {
    synchronized (guard) {
      return ended;
    }
  }

  /** Tells why the lock of an id is lost; null when it is not. Who asks is one who finds out. */
  @Nullable String lossOf(StateId id) {
    synchronized (guard) {
      if (ended || !hasRunOut()) {
        return losses.get(id);
      }
    }
    loseAll("it was not renewed in time");
    synchronized (guard) {
      return losses.get(id);
    }
  }

  /** Has somebody told of each loss, at once of those that were before. */
  void onLost(Consumer<StateFailure.LockLost> listener) {
    Map<StateId, String> before;
    synchronized (guard) {
      before = Map.copyOf(losses);
      listeners.add(listener);
    }
    tell(before, List.of(listener));
  }

  /** Ends the renewals; false when they were ended before. */
  boolean end() {
    synchronized (guard) {
      if (ended) {
        return false;
      }
      ended = true;
      cancelRenewal.run();
      return true;
    }
  }

  /** Does something when no renewal is under way. */
  <T> T betweenRenewals(Supplier<T> work) {
    synchronized (sending) {
      return work.get();
    }
  }

  private void renewAfter(Duration delay) {
    synchronized (guard) {
      if (!ended && !held.isEmpty()) {
        cancelRenewal = means.timer().after(delay, this::renew);
      }
    }
  }

  // The time counts from when the row was sent, as its age does: the answer may have taken long.
  private void renewInTime(long sentAt) {
    Duration past = Duration.ofNanos(means.nanoTime().getAsLong() - sentAt);
    Duration left = terms.renewAfter().minus(past);
    renewAfter(left.isNegative() ? Duration.ZERO : left);
  }

  private void renew() {
    Map<StateId, String> lost;
    synchronized (sending) {
      lost = tryToRenew();
    }
    // Not before: a listener may wait for another thread that closes the lock.
    lose(lost);
  }

  // Gives what is lost, and why.
  private Map<StateId, String> tryToRenew() {
    Set<StateId> wanted;
    synchronized (guard) {
      if (ended || held.isEmpty()) {
        return Map.of();
      }
      wanted = new LinkedHashSet<>(held);
    }
    long sentAt = means.nanoTime().getAsLong();
    Set<StateId> renewed;
    try {
      renewed = renewal.apply(wanted);
    } catch (StateFailure e) {
      return retryUnlessOver(wanted, e);
    } catch (RuntimeException e) {
      return all(wanted, "it could not be renewed: " + e.getClass().getSimpleName());
    }
    if (!renewed.isEmpty()) {
      synchronized (guard) {
        validUntil = sentAt + terms.stale().toNanos();
      }
      renewInTime(sentAt);
    }
    Map<StateId, String> lost = all(wanted, "its row was removed or became stale");
    lost.keySet().removeAll(renewed);
    return lost;
  }

  private Map<StateId, String> retryUnlessOver(Set<StateId> wanted, StateFailure failure) {
    synchronized (guard) {
      if (hasRunOut()) {
        return all(wanted, "it could not be renewed in time: " + failure.getMessage());
      }
    }
    renewAfter(terms.stale().dividedBy(20));
    return Map.of();
  }

  private void loseAll(String reason) {
    Map<StateId, String> lost;
    synchronized (guard) {
      lost = all(held, reason);
    }
    lose(lost);
  }

  private void lose(Map<StateId, String> lost) {
    Map<StateId, String> news = new HashMap<>();
    List<Consumer<StateFailure.LockLost>> told;
    synchronized (guard) {
      if (ended) {
        return;
      }
      lost.forEach(
          (id, reason) -> {
            if (held.remove(id)) {
              losses.put(id, reason);
              news.put(id, reason);
            }
          });
      told = List.copyOf(listeners);
    }
    tell(news, told);
  }

  private static void tell(
      Map<StateId, String> losses, List<Consumer<StateFailure.LockLost>> listeners) {
    losses.forEach(
        (id, reason) -> listeners.forEach(l -> l.accept(new StateFailure.LockLost(id, reason))));
  }

  private static Map<StateId, String> all(Set<StateId> ids, String reason) {
    Map<StateId, String> lost = new HashMap<>();
    ids.forEach(id -> lost.put(id, reason));
    return lost;
  }

  private boolean hasRunOut() {
    return means.nanoTime().getAsLong() - validUntil >= 0;
  }
}
