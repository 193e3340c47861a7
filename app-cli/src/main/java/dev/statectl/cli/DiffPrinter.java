package dev.statectl.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.statectl.stream.BookmarkChange;
import dev.statectl.stream.StateDiff;
import dev.statectl.stream.StreamChange;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/** What changed between two states, as text or JSON. */
final class DiffPrinter {
  private final StateDiff diff;
  private final boolean removal;
  private final DataOutput out;

  /**
   * Makes a printer.
   *
   * @param removal whether there is no state at all on one side, so that no single place beside the
   *     streams is worth a line
   */
  DiffPrinter(StateDiff diff, boolean removal, DataOutput out) {
    this.diff = diff;
    this.removal = removal;
    this.out = out;
  }

  /** Prints a line for each stream and, indented, for each bookmark; nothing without a change. */
  void printText() {
    for (StreamChange change : diff.streams()) {
      out.line(word(change.kind()) + " " + PrintableText.escaped(change.stream()));
      change.bookmarks().forEach(bookmark -> out.line("  " + line(bookmark)));
    }
    if (!removal) {
      diff.elsewhere().forEach(place -> out.line("changed " + PrintableText.escaped("" + place)));
    }
    if (diff.halvesOnly()) {
      out.line("changed only what is completed and what is partial");
    }
  }

  /** Prints an object for each stream. */
  void printJson(OutputFormat format) {
    JsonOutput json = new JsonOutput(out, format);
    for (StreamChange change : diff.streams()) {
      json.add(
          to -> {
            to.writeStringField("stream", change.stream());
            to.writeStringField("change", change.kind().name().toLowerCase(Locale.ROOT));
            to.writeArrayFieldStart("bookmarks");
            for (BookmarkChange bookmark : change.bookmarks()) {
              to.writeStartObject();
              to.writeStringField("path", bookmark.path());
              write(to, "before", bookmark.before());
              write(to, "after", bookmark.after());
              to.writeBooleanField("backwards", bookmark.isBackwards());
              to.writeEndObject();
            }
            to.writeEndArray();
          });
    }
    json.end();
  }

  private static String line(BookmarkChange change) {
    String path = change.path().isEmpty() ? "" : change.path() + ": ";
    return PrintableText.escaped(
        path
            + change.before().orElse("(none)")
            + " -> "
            + change.after().orElse("(none)")
            + (change.isBackwards() ? "  BACK" : ""));
  }

  private static String word(StreamChange.Kind kind) {
    return switch (kind) {
      case ADDED -> "added";
      case LOST -> "LOST";
      case CHANGED -> "changed";
    };
  }

  private static void write(JsonGenerator json, String field, Optional<String> value)
      throws IOException {
    json.writeFieldName(field);
    if (value.isEmpty()) {
      json.writeNull();
    } else {
      JsonOutput.writeValue(json, value.get());
    }
  }
}
