package dev.statectl.usecase;

import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.stream.Doubt;
import dev.statectl.stream.Doubts;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Keeps a change of a state from being made by mistake: asked under the id's lock, about the state
 * that is really replaced, they let the change pass or refuse it with {@link
 * StateFailure.Doubtful}. What is doubted is told by {@link Doubts}. Meant for changes by hand; a
 * pipeline saves without.
 *
 * <p>Immutable, and thread-safe if what is told of doubts is.
 */
public final class GuardRails {
  /** Doubts nothing. */
  public static final GuardRails NONE =
      new GuardRails(Set.of(), Long.MAX_VALUE, Map.of(), false, (id, doubt) -> {});

  private final Set<Doubt.Kind> kinds;
  private final long maxBytes;
  private final Map<StateId, Set<Doubt>> accepted;
  private final boolean overruled;
  private final BiConsumer<? super StateId, ? super Doubt> told;

  private GuardRails(
      Set<Doubt.Kind> kinds,
      long maxBytes,
      Map<StateId, Set<Doubt>> accepted,
      boolean overruled,
      BiConsumer<? super StateId, ? super Doubt> told) {
    this.kinds = kinds;
    this.maxBytes = maxBytes;
    this.accepted = accepted;
    this.overruled = overruled;
    this.told = told;
  }

  /**
   * Makes guard rails that refuse every change about which there is a doubt that stops it.
   *
   * @param maxStateBytes how long a state may become, both halves together, in bytes of UTF-8; a
   *     store has a limit of its own, which is kept to whatever this is ({@link
   *     dev.statectl.port.SaveRules#MAX_STATE_BYTES})
   * @return the guard rails, which tell nobody of a doubt that does not stop a change
   */
  public static GuardRails of(long maxStateBytes) {
    return new GuardRails(
        EnumSet.allOf(Doubt.Kind.class), maxStateBytes, Map.of(), false, (id, doubt) -> {});
  }

  /**
   * Gives guard rails that look only at whether the state becomes too long.
   *
   * @return the same, with no other doubt
   */
  public GuardRails forLengthOnly() {
    Set<Doubt.Kind> kept = EnumSet.of(Doubt.Kind.TOO_LARGE);
    kept.retainAll(kinds);
    return new GuardRails(kept, maxBytes, accepted, overruled, told);
  }

  /**
   * Gives guard rails that let doubts pass to which somebody agreed: these very ones, about these
   * ids. A doubt of {@link Doubt.Severity#REFUSED} refuses all the same.
   *
   * @param doubts what was agreed to, of each id; not told again
   * @return the same, with these doubts accepted and no others
   */
  public GuardRails accepting(Map<StateId, List<Doubt>> doubts) {
    Map<StateId, Set<Doubt>> copy = new HashMap<>();
    doubts.forEach((id, list) -> copy.put(id, Set.copyOf(list)));
    return new GuardRails(kinds, maxBytes, copy, overruled, told);
  }

  /**
   * Gives guard rails that refuse nothing and only tell their doubts.
   *
   * @return the same, overruled
   */
  public GuardRails overruled() {
    return new GuardRails(kinds, maxBytes, accepted, true, told);
  }

  /**
   * Gives guard rails that tell of the doubts with which a change is made.
   *
   * @param listener is told each such doubt and the id of its state, right before the change is
   *     written, while the id's lock is held
   * @return the same, with this listener
   */
  public GuardRails telling(BiConsumer<? super StateId, ? super Doubt> listener) {
    return new GuardRails(kinds, maxBytes, accepted, overruled, listener);
  }

  /**
   * Lists what speaks against a change, accepted or not. Tells nobody and refuses nothing.
   *
   * @param before what is stored, or empty when nothing is that could be read
   * @param after what would be stored
   * @return the doubts; none for an ordinary change
   */
  public List<Doubt> doubts(Optional<State> before, State after) {
    if (kinds.isEmpty()) {
      return List.of();
    }
    return Doubts.about(before, after, maxBytes).stream()
        .filter(doubt -> kinds.contains(doubt.kind()))
        .toList();
  }

  /**
   * Lets a change pass, or refuses it. To be called under the id's lock.
   *
   * @param before what is stored, or empty when nothing is that could be read
   * @param after what is about to be stored
   * @throws StateFailure.Doubtful when there are doubts that stop the change and were not accepted
   */
  public void check(Optional<State> before, State after) {
    List<Doubt> open =
        doubts(before, after).stream().filter(doubt -> !isAccepted(after.id(), doubt)).toList();
    List<Doubt> stopping = open.stream().filter(Doubt::stops).toList();
    if (!overruled && !stopping.isEmpty()) {
      throw new StateFailure.Doubtful(after.id(), stopping);
    }
    open.forEach(doubt -> told.accept(after.id(), doubt));
  }

  /** The same for what a store has under the id; it is read only when there may be doubts. */
  void check(StateStore store, State after) {
    if (!kinds.isEmpty()) {
      check(new Presence(store).find(after.id()).state(), after);
    }
  }

  /** Tells whether there may be doubts at all. */
  boolean areUp() {
    return !kinds.isEmpty();
  }

  private boolean isAccepted(StateId id, Doubt doubt) {
    return doubt.kind().severity() != Doubt.Severity.REFUSED
        && accepted.getOrDefault(id, Set.of()).contains(doubt);
  }
}
