package dev.statectl.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.statectl.port.HistoryEntry;
import dev.statectl.port.HistoryRecord;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.stream.StateDiff;
import dev.statectl.stream.StreamChange;
import dev.statectl.stream.Streams;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Versions of a state, newest first. */
final class HistoryListing {
  private static final int NAMED = 3;

  private final List<HistoryRecord> records;
  private final int shown;
  private final Instant now;

  /**
   * Makes a listing.
   *
   * @param records the newest records; the one behind those that are shown only tells what the last
   *     of them changed
   * @param limit how many are shown
   * @param now the server's time
   */
  HistoryListing(List<HistoryRecord> records, int limit, Instant now) {
    this.records = records;
    this.shown = Math.min(limit, records.size());
    this.now = now;
  }

  void printVersions(DataOutput out) {
    for (int i = 0; i < shown; i++) {
      out.line(entry(i).version().toString());
    }
  }

  /**
   * Prints a table.
   *
   * @param colored whether the heads are bold
   */
  void printTable(DataOutput out, boolean colored) {
    TextTable table = new TextTable("VERSION", "AGE", "SIZE", "STREAMS", "CHANGE", "BY");
    for (int i = 0; i < shown; i++) {
      HistoryEntry entry = entry(i);
      boolean deleted = entry.kind() == HistoryEntry.Kind.DELETED;
      table.add(
          entry.version().toString(),
          DurationText.of(Duration.between(entry.recordedAt(), now)),
          deleted ? "-" : ByteCount.of(bytes(entry)),
          state(i).map(state -> String.valueOf(streams(state))).orElse("-"),
          deleted ? "removed" : change(i),
          by(entry));
    }
    table.print(out, colored);
  }

  void printJson(DataOutput out, OutputFormat format) {
    JsonOutput json = new JsonOutput(out, format);
    for (int i = 0; i < shown; i++) {
      int index = i;
      json.add(to -> write(index, to));
    }
    json.end();
  }

  private void write(int i, JsonGenerator json) throws IOException {
    HistoryEntry entry = entry(i);
    boolean deleted = entry.kind() == HistoryEntry.Kind.DELETED;
    json.writeStringField("version", entry.version().toString());
    json.writeStringField("recorded_at", entry.recordedAt().toString());
    json.writeStringField("kind", deleted ? "removed" : "written");
    json.writeStringField("by", entry.author().isEmpty() ? null : entry.author());
    json.writeStringField("account", entry.account().isEmpty() ? null : entry.account());
    json.writeNumberField("bytes", bytes(entry));
    Optional<State> state = state(i);
    if (state.isPresent()) {
      json.writeNumberField("streams", streams(state.get()));
    } else {
      json.writeNullField("streams");
    }
    json.writeStringField(
        "undid_to", entry.revertedTo().map(version -> version.toString()).orElse(null));
    Optional<StateDiff> diff = diff(i);
    writeNames(json, "added", diff, StreamChange.Kind.ADDED);
    writeNames(json, "changed", diff, StreamChange.Kind.CHANGED);
    writeNames(json, "lost", diff, StreamChange.Kind.LOST);
  }

  private static void writeNames(
      JsonGenerator json, String field, Optional<StateDiff> diff, StreamChange.Kind kind)
      throws IOException {
    if (diff.isEmpty()) {
      json.writeNullField(field);
      return;
    }
    json.writeArrayFieldStart(field);
    for (StreamChange change : diff.get().streams()) {
      if (change.kind() == kind) {
        json.writeString(change.stream());
      }
    }
    json.writeEndArray();
  }

  private String change(int i) {
    if (state(i).isEmpty()) {
      return "unreadable";
    }
    String undo = entry(i).revertedTo().isPresent() ? "undo: " : "";
    Optional<StateDiff> diff = diff(i);
    if (diff.isEmpty()) {
      return undo + (i + 1 < records.size() ? "stored" : "the first that is known");
    }
    return undo + words(diff.get());
  }

  private static String words(StateDiff diff) {
    if (diff.isEmpty()) {
      return "nothing";
    }
    List<String> words = new ArrayList<>();
    addNames("lost ", diff, StreamChange.Kind.LOST, words);
    addNames("changed ", diff, StreamChange.Kind.CHANGED, words);
    addNames("added ", diff, StreamChange.Kind.ADDED, words);
    if (diff.streams().stream().anyMatch(StreamChange::isBackwards)) {
      words.add("went back");
    }
    if (!diff.elsewhere().isEmpty()) {
      words.add("beside the streams");
    }
    return words.isEmpty() ? "completed or partial only" : String.join("; ", words);
  }

  private static void addNames(
      String verb, StateDiff diff, StreamChange.Kind kind, List<String> words) {
    List<String> names =
        diff.streams().stream()
            .filter(change -> change.kind() == kind)
            .map(StreamChange::stream)
            .toList();
    if (!names.isEmpty()) {
      String some = String.join(", ", names.subList(0, Math.min(NAMED, names.size())));
      words.add(
          verb + some + (names.size() > NAMED ? " and " + (names.size() - NAMED) + " more" : ""));
    }
  }

  private Optional<StateDiff> diff(int i) {
    Optional<State> after = state(i);
    Optional<State> before = i + 1 < records.size() ? state(i + 1) : Optional.empty();
    return before.isPresent() && after.isPresent()
        ? Optional.of(StateDiff.between(before.get(), after.get()))
        : Optional.empty();
  }

  private Optional<State> state(int i) {
    return records
        .get(i)
        .state()
        .flatMap(
            stored ->
                stored instanceof StoredState.Readable readable
                    ? Optional.of(readable.state())
                    : Optional.empty());
  }

  private HistoryEntry entry(int i) {
    return records.get(i).entry();
  }

  private static int streams(State state) {
    return Streams.count(state.merged()).orElse(0);
  }

  private static long bytes(HistoryEntry entry) {
    return entry.completedBytes() + entry.partialBytes();
  }

  private static String by(HistoryEntry entry) {
    if (!entry.author().isEmpty()) {
      return entry.author();
    }
    @Nullable String account = entry.account().isEmpty() ? null : entry.account();
    return account == null ? "-" : "the account " + account;
  }
}
