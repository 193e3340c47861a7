package dev.statectl.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.statectl.stream.Bookmark;
import dev.statectl.stream.BookmarkTime;
import dev.statectl.stream.StreamState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The streams of a state: their names, in a table, or as JSON. */
final class StreamListing {
  private static final int SHOWN = 3;
  private static final int WIDEST = 80;

  private final List<StreamState> streams;
  private final Instant now;
  private final DataOutput out;

  /**
   * Makes a listing.
   *
   * @param now the server's time
   */
  StreamListing(List<StreamState> streams, Instant now, DataOutput out) {
    this.streams = streams;
    this.now = now;
    this.out = out;
  }

  void printNames() {
    streams.forEach(stream -> out.line(PrintableText.escaped(stream.name())));
  }

  /**
   * Prints a table.
   *
   * @param colored whether the heads are bold
   */
  void printTable(boolean colored) {
    TextTable table = new TextTable("STREAM", "BOOKMARKS", "PARTITIONS", "SIZE", "AGE", "HALF");
    for (StreamState stream : streams) {
      table.add(
          stream.name(),
          bookmarks(stream),
          stream.partitions() == 0 ? "-" : String.valueOf(stream.partitions()),
          ByteCount.of(stream.utf8Length()),
          age(stream).map(DurationText::of).orElse("-"),
          half(stream));
    }
    table.print(out, colored);
  }

  void printJson(OutputFormat format) {
    JsonOutput json = new JsonOutput(out, format);
    streams.forEach(stream -> json.add(to -> write(stream, to)));
    json.end();
  }

  private void write(StreamState stream, JsonGenerator json) throws IOException {
    json.writeStringField("stream", stream.name());
    json.writeArrayFieldStart("bookmarks");
    for (Bookmark bookmark : stream.bookmarks()) {
      json.writeStartObject();
      json.writeStringField("path", bookmark.path());
      json.writeFieldName("value");
      JsonOutput.writeValue(json, bookmark.valueText());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberField("partitions", stream.partitions());
    json.writeNumberField("bytes", stream.utf8Length());
    Optional<Duration> age = age(stream);
    if (age.isPresent()) {
      json.writeNumberField("age_seconds", age.get().toSeconds());
    } else {
      json.writeNullField("age_seconds");
    }
    json.writeStringField("half", half(stream));
  }

  // What a Singer SDK keeps is a key and its value; anything else is shown by its path.
  private static String bookmarks(StreamState stream) {
    List<Bookmark> all = stream.bookmarks();
    Optional<String> key = value(all, "/replication_key");
    Optional<String> value = value(all, "/replication_key_value");
    if (key.isPresent() && value.isPresent() && all.size() == 2) {
      return shortened(unquoted(key.get()) + "=" + unquoted(value.get()));
    }
    if (all.isEmpty()) {
      return "-";
    }
    StringBuilder shown = new StringBuilder();
    for (Bookmark bookmark : all.subList(0, Math.min(SHOWN, all.size()))) {
      shown.append(shown.isEmpty() ? "" : ", ");
      if (!bookmark.path().isEmpty()) {
        shown.append(bookmark.path(), 1, bookmark.path().length()).append('=');
      }
      shown.append(unquoted(bookmark.valueText()));
    }
    String some = shortened(shown.toString());
    return all.size() > SHOWN ? some + " and " + (all.size() - SHOWN) + " more" : some;
  }

  private static Optional<String> value(List<Bookmark> bookmarks, String path) {
    return bookmarks.stream()
        .filter(bookmark -> bookmark.path().equals(path))
        .map(Bookmark::valueText)
        .findFirst();
  }

  private static String unquoted(String value) {
    boolean plain = value.length() > 1 && value.charAt(0) == '"' && value.indexOf('\\') < 0;
    return plain ? value.substring(1, value.length() - 1) : value;
  }

  private static String shortened(String text) {
    return text.codePointCount(0, text.length()) <= WIDEST
        ? text
        : text.substring(0, text.offsetByCodePoints(0, WIDEST - 1)) + "…";
  }

  // A bookmark can be ahead of the clock; it is 0 s old then.
  private Optional<Duration> age(StreamState stream) {
    return stream.bookmarks().stream()
        .flatMap(bookmark -> BookmarkTime.of(bookmark.valueText()).stream())
        .max(Instant::compareTo)
        .map(latest -> Duration.between(latest, now))
        .map(age -> age.isNegative() ? Duration.ZERO : age);
  }

  private static String half(StreamState stream) {
    if (stream.inCompleted() && stream.inPartial()) {
      return "both";
    }
    return stream.inPartial() ? "partial" : "completed";
  }
}
