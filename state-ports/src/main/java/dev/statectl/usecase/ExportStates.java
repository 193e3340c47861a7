package dev.statectl.usecase;

import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.port.StoredState;
import dev.statectl.state.ExportFormat;
import dev.statectl.state.StateIdGlob;
import java.util.function.Consumer;

/**
 * Exports states in Meltano's format, one after the other: memory does not grow with their number,
 * as far as the store can help it. Takes no locks; a state that changes meanwhile is exported as it
 * was or as it is. Thread-safe.
 */
public final class ExportStates {
  private final StateStore store;

  /**
   * Makes the use case.
   *
   * @param store where states are kept
   */
  public ExportStates(StateStore store) {
    this.store = store;
  }

  /**
   * What an export holds.
   *
   * @param exported how many states
   * @param unreadable how many could not be read and are missing
   */
  public record Exported(long exported, long unreadable) {}

  /**
   * Exports the states that a glob picks, in the order of their ids.
   *
   * @param glob picks the ids
   * @param text takes the document piece by piece; what it throws ends the export and reaches the
   *     caller
   * @param unreadable is told of each state that cannot be read, which the document leaves out
   * @return how many states the document holds
   * @throws StateFailure as {@link StateStore#forEachState} does; the document is not complete then
   */
  public Exported export(
      StateIdGlob glob,
      Consumer<? super String> text,
      Consumer<? super StateFailure.UnreadableState> unreadable) {
    Writing writing = new Writing(text, unreadable);
    store.forEachState(glob, writing::add);
    if (writing.exported == 0) {
      text.accept(ExportFormat.OPENING);
    }
    text.accept(ExportFormat.CLOSING);
    return new Exported(writing.exported, writing.unreadable);
  }

  private static final class Writing {
    private final Consumer<? super String> text;
    private final Consumer<? super StateFailure.UnreadableState> told;
    private long exported;
    private long unreadable;

    Writing(
        Consumer<? super String> text, Consumer<? super StateFailure.UnreadableState> unreadable) {
      this.text = text;
      this.told = unreadable;
    }

    void add(StoredState stored) {
      if (stored instanceof StoredState.Unreadable failed) {
        unreadable++;
        told.accept(failed.failure());
      } else if (stored instanceof StoredState.Readable readable) {
        // The brace comes with the first state: a store that does not answer leaves no text at all.
        text.accept(exported == 0 ? ExportFormat.OPENING : ExportFormat.SEPARATOR);
        ExportFormat.entry(readable.state(), text);
        exported++;
      }
    }
  }
}
