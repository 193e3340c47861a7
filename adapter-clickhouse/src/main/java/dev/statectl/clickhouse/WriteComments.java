package dev.statectl.clickhouse;

import dev.statectl.json.JsonQuoting;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateVersion;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Says with a write of states who makes it and what for: in the setting {@code log_comment}, which
 * changes nothing but is there for the view that records history. Thread-safe.
 *
 * @see <a
 *     href="https://clickhouse.com/docs/operations/settings/settings#log_comment">log_comment</a>
 */
final class WriteComments {
  private static final int SETTING_CONSTRAINT_VIOLATION = 452;

  private final String author;
  // Set once a user was seen who may not change this setting.
  private volatile boolean refused;

  WriteComments(String author) {
    this.author = author;
  }

  /** Makes a write with the settings that it is given. Nothing is said where nothing is to say. */
  void write(Optional<StateVersion> reverts, Consumer<Map<String, String>> write) {
    if (refused || author.isEmpty() && reverts.isEmpty()) {
      write.accept(Map.of());
      return;
    }
    try {
      write.accept(Map.of("log_comment", comment(reverts)));
    } catch (StateFailure.Denied e) {
      // The server answers so before it begins. Whether it was this setting shows without it.
      if (!(e.getCause() instanceof WithheldException cause)
          || cause.serverCode() != SETTING_CONSTRAINT_VIOLATION) {
        throw e;
      }
      write.accept(Map.of());
      refused = true;
    }
  }

  private String comment(Optional<StateVersion> reverts) {
    StringBuilder comment = new StringBuilder("{\"statectl\":{\"author\":");
    comment.append(JsonQuoting.quoted(author));
    reverts.ifPresent(
        version -> comment.append(",\"reverts\":").append(version.updatedAt().toEpochMilli()));
    return comment.append("}}").toString();
  }
}
