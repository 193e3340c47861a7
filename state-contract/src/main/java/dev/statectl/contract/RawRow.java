package dev.statectl.contract;

import dev.statectl.state.StateVersion;
import org.jspecify.annotations.Nullable;

/**
 * A row as another program may have stored it: nothing about it was checked. Of the rows with one
 * id the one with the latest version is the state; of equally late ones the last that was stored.
 *
 * @param id the id's text, which may be empty, blank or longer than an id that is written
 * @param completed the text of the completed half, which may be anything, or null for none
 * @param partial the text of the partial half, which may be anything, or null for none
 * @param version the version, which may lie in the future
 */
public record RawRow(
    String id, @Nullable String completed, @Nullable String partial, StateVersion version) {

  /** Names the id only. */
  @Override
  public String toString() {
    return "RawRow[" + Texts.printable(id) + "]";
  }
}
