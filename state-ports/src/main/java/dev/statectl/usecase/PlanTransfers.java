package dev.statectl.usecase;

import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdRewrite;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Plans what {@link CopyState} or {@link MoveState} is to do: which state becomes which, and what
 * is overwritten by it. Changes nothing and takes no locks. Thread-safe.
 */
public final class PlanTransfers {
  private final StateStore store;
  private final Presence presence;

  /**
   * Makes the use case.
   *
   * @param store where states are kept
   */
  public PlanTransfers(StateStore store) {
    this.store = store;
    this.presence = new Presence(store);
  }

  /**
   * Plans one transfer.
   *
   * @param source whose state it is
   * @param destination whose state it becomes
   * @return the plan
   * @throws StateFailure.NotFound when there is no state under the source
   * @throws StateFailure.UnreadableState when what is stored under the source cannot be read
   * @throws StateFailure as {@link StateStore#find} does
   * @throws IllegalArgumentException as {@link Transfer} does
   */
  public Transfer plan(StateId source, StateId destination) {
    Transfer overwriting = new Transfer(source, destination, true);
    store.find(source).orElseThrow(() -> new StateFailure.NotFound(source));
    return presence.of(destination) ? overwriting : new Transfer(source, destination, false);
  }

  /**
   * Plans a transfer for each id that a rewrite renames.
   *
   * @param rewrite says which ids, and what they become
   * @return the plan, in the order of the sources; empty when no id is picked
   * @throws StateFailure as {@link StateStore#forEachId} does
   * @throws IllegalArgumentException when a new id may not be written or is the old one, or is
   *     itself to be transferred, so that the order would decide what is lost
   */
  public List<Transfer> plan(StateIdRewrite rewrite) {
    Set<StateId> sources = new HashSet<>();
    List<StateId> inOrder = new ArrayList<>();
    store.forEachId(
        rewrite.sources(),
        id -> {
          sources.add(id);
          inOrder.add(id);
        });
    Set<StateId> taken = new HashSet<>();
    if (!inOrder.isEmpty()) {
      store.forEachId(rewrite.destinations(), taken::add);
    }
    List<Transfer> transfers = new ArrayList<>();
    for (StateId source : inOrder) {
      StateId destination = rewrite.apply(source);
      Transfer transfer;
      try {
        transfer = new Transfer(source, destination, taken.contains(destination));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("'" + source + "': " + e.getMessage(), e);
      }
      if (sources.contains(destination)) {
        throw new IllegalArgumentException(
            transfer + ": the destination is picked as a source, too; take a narrower pattern");
      }
      transfers.add(transfer);
    }
    return List.copyOf(transfers);
  }
}
