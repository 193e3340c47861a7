package dev.statectl.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.stream.Streams;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * States with what is known of each: in a table, or as JSON. Besides the table's rows it keeps the
 * locks that are held, and no more than one state at a time.
 */
final class StateListing {
  private final BackendComponent component;
  private final DataOutput out;

  StateListing(BackendComponent component, DataOutput out) {
    this.component = component;
    this.out = out;
  }

  /**
   * Prints a table.
   *
   * @param colored whether the heads are bold
   * @param progress is told how many states were read
   */
  void printTable(StateIdGlob glob, boolean colored, ProgressLine progress) {
    TextTable table =
        new TextTable("ID", "UPDATED", "AGE", "SIZE", "STREAMS", "STATE", "LOCKED BY");
    Facts facts = facts(glob);
    long[] read = {0};
    component
        .states()
        .forEachState(
            glob,
            stored -> {
              progress.report(++read[0], 0);
              table.add(facts.cells(stored));
            });
    progress.close();
    table.print(out, colored);
  }

  /** Prints JSON, each state as it is read. */
  void printJson(StateIdGlob glob, OutputFormat format) {
    Facts facts = facts(glob);
    JsonOutput json = new JsonOutput(out, format);
    component.states().forEachState(glob, stored -> json.add(to -> facts.write(stored, to)));
    json.end();
  }

  private Facts facts(StateIdGlob glob) {
    LockTerms terms = component.locking().terms();
    Map<StateId, LockDescription> holders = new HashMap<>();
    component
        .locks()
        .forEach(
            glob,
            row -> {
              if (!row.isStale(terms)) {
                holders.merge(row.id(), new LockDescription(row, terms), Facts::older);
              }
            });
    return new Facts(component.backend().now(), holders);
  }

  /**
   * What is known beside the states.
   *
   * @param now the server's time
   * @param holders who holds a lock, by its id
   */
  private record Facts(Instant now, Map<StateId, LockDescription> holders) {

    // The one that has been there longest holds the lock, if anybody does.
    static LockDescription older(LockDescription one, LockDescription other) {
      Instant since = one.candidate().since();
      int order = since.compareTo(other.candidate().since());
      if (order == 0) {
        order = one.candidate().lockId().compareTo(other.candidate().lockId());
      }
      return order <= 0 ? one : other;
    }

    String[] cells(StoredState stored) {
      LockDescription holder = holders.get(stored.id());
      String lockedBy = holder == null ? "-" : holder.holder();
      String id = stored.id().text();
      if (stored instanceof StoredState.Readable readable) {
        State state = readable.state();
        OptionalInt streams = Streams.count(state.merged());
        return new String[] {
          id,
          state.version().toString(),
          DurationText.of(age(state)),
          ByteCount.of(state.utf8Length()),
          streams.isPresent() ? String.valueOf(streams.getAsInt()) : "-",
          halves(state),
          lockedBy
        };
      }
      return new String[] {id, "-", "-", "-", "-", "unreadable", lockedBy};
    }

    void write(StoredState stored, JsonGenerator json) throws IOException {
      State state = stored instanceof StoredState.Readable readable ? readable.state() : null;
      json.writeStringField("id", stored.id().text());
      json.writeStringField("updated_at", state == null ? null : state.version().toString());
      writeNumber(json, "age_seconds", state == null ? null : age(state).toSeconds());
      writeNumber(json, "bytes", state == null ? null : state.utf8Length());
      writeNumber(json, "streams", state == null ? null : streams(state));
      json.writeStringField("state", state == null ? "unreadable" : halves(state));
      json.writeStringField(
          "fault",
          stored instanceof StoredState.Unreadable unreadable ? fault(unreadable.failure()) : null);
      writeHolder(json, holders.get(stored.id()));
    }

    private static void writeHolder(JsonGenerator json, @Nullable LockDescription holder)
        throws IOException {
      if (holder == null) {
        json.writeNullField("locked_by");
        return;
      }
      LockCandidate row = holder.candidate();
      json.writeObjectFieldStart("locked_by");
      json.writeStringField("holder", row.holder());
      json.writeStringField("whose", row.lockId().isOurs() ? "ours" : "plugin");
      json.writeStringField("since", row.since().toString());
      json.writeStringField("lock_id", row.lockId().text());
      json.writeEndObject();
    }

    private Duration age(State state) {
      return Duration.between(state.version().updatedAt(), now);
    }

    private static String halves(State state) {
      if (state.isEmpty()) {
        return "empty";
      }
      if (state.partial().isEmpty()) {
        return "complete";
      }
      return state.completed().isEmpty() ? "partial" : "complete+partial";
    }

    private static @Nullable Long streams(State state) {
      OptionalInt count = Streams.count(state.merged());
      return count.isPresent() ? Long.valueOf(count.getAsInt()) : null;
    }

    private static String fault(StateFailure.UnreadableState failure) {
      return "column " + failure.column() + ": " + failure.reason();
    }

    private static void writeNumber(JsonGenerator json, String name, @Nullable Long number)
        throws IOException {
      if (number == null) {
        json.writeNullField(name);
      } else {
        json.writeNumberField(name, number);
      }
    }
  }
}
