package dev.statectl.clickhouse;

import dev.statectl.state.StateId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Cuts many ids into portions that one statement each can name: between VALUES a statement may be
 * of any length, elsewhere of 256 KB.
 *
 * @see <a
 *     href="https://clickhouse.com/docs/operations/settings/settings#max_query_size">max_query_size</a>
 */
final class IdPortions {
  private static final int MAX_BYTES = 200_000;
  // Two quotes and a comma.
  private static final int BYTES_BESIDES = 3;

  private IdPortions() {}

  /** Gives the texts of the ids that the server can hold, portion by portion. */
  static List<List<String>> of(Collection<StateId> ids) {
    List<List<String>> portions = new ArrayList<>();
    List<String> portion = new ArrayList<>();
    int bytes = 0;
    for (StateId id : ids) {
      String text = id.text();
      if (!Narrowing.isStorable(text)) {
        continue;
      }
      // Each byte may be escaped by another one.
      int more = 2 * text.getBytes(StandardCharsets.UTF_8).length + BYTES_BESIDES;
      if (bytes + more > MAX_BYTES && !portion.isEmpty()) {
        portions.add(portion);
        portion = new ArrayList<>();
        bytes = 0;
      }
      portion.add(text);
      bytes += more;
    }
    if (!portion.isEmpty()) {
      portions.add(portion);
    }
    return portions;
  }
}
