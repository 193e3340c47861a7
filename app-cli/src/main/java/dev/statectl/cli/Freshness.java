package dev.statectl.cli;

import dev.statectl.port.StoredState;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which states were stored within an age, by the clock that gave them their times. */
final class Freshness {
  private final Duration maxAge;
  private final List<OldState> old = new ArrayList<>();
  private long count;
  private Duration oldest = Duration.ZERO;

  private Freshness(Duration maxAge) {
    this.maxAge = maxAge;
  }

  /**
   * A state that was not stored within the age.
   *
   * @param updatedAt when it was; null when it cannot be read
   */
  private record OldState(StateId id, @Nullable String updatedAt, @Nullable Duration age) {
    String reason() {
      return age == null ? "unreadable" : DurationText.of(age);
    }
  }

  static Freshness of(BackendComponent component, StateIdGlob glob, Duration maxAge) {
    Freshness freshness = new Freshness(maxAge);
    Instant now = component.backend().now();
    component.states().forEachState(glob, stored -> freshness.add(stored, now));
    return freshness;
  }

  private void add(StoredState stored, Instant now) {
    count++;
    if (!(stored instanceof StoredState.Readable readable)) {
      old.add(new OldState(stored.id(), null, null));
      return;
    }
    Duration age = Duration.between(readable.state().version().updatedAt(), now);
    oldest = age.compareTo(oldest) > 0 ? age : oldest;
    if (age.compareTo(maxAge) > 0) {
      old.add(new OldState(stored.id(), readable.state().version().toString(), age));
    }
  }

  /** Tells whether there are states, and all were stored within the age. */
  boolean isGood() {
    return count > 0 && old.isEmpty();
  }

  /** Prints the states that were not. */
  void print(DataOutput out, OutputFormat format, boolean colored) {
    switch (format) {
      case text -> old.forEach(state -> out.line(PrintableText.escaped(state.id().text())));
      case table -> {
        TextTable table = new TextTable("ID", "UPDATED", "AGE");
        old.forEach(
            state ->
                table.add(
                    state.id().text(),
                    state.updatedAt() == null ? "-" : state.updatedAt(),
                    state.reason()));
        table.print(out, colored);
      }
      case json, ndjson -> {
        JsonOutput json = new JsonOutput(out, format);
        for (OldState state : old) {
          json.add(
              to -> {
                to.writeStringField("id", state.id().text());
                to.writeStringField("updated_at", state.updatedAt());
                if (state.age() == null) {
                  to.writeNullField("age_seconds");
                } else {
                  to.writeNumberField("age_seconds", state.age().toSeconds());
                }
              });
        }
        json.end();
      }
    }
  }

  /** As in {@code 2 of 7 states in … are older than 24 h or unreadable}. */
  String result(String target) {
    if (count == 0) {
      return "no state matches in " + target;
    }
    String states = StateDescription.counted(count, "state") + " in " + target;
    return old.isEmpty()
        ? states + ", none older than " + DurationText.of(maxAge)
        : old.size()
            + " of "
            + states
            + " older than "
            + DurationText.of(maxAge)
            + " or unreadable";
  }

  /**
   * One line: the service, the status, the text, and behind the bar the values.
   *
   * @see <a href="https://nagios-plugins.org/doc/guidelines.html">the guidelines for Nagios
   *     plugins</a>
   */
  String summary() {
    String text =
        count == 0
            ? "no state matches"
            : StateDescription.counted(count, "state")
                + ", "
                + old.size()
                + " older than "
                + DurationText.of(maxAge)
                + " or unreadable, the oldest "
                + DurationText.of(Duration.ofSeconds(oldest.toSeconds()));
    return "STATES "
        + (isGood() ? "OK" : "WARNING")
        + " - "
        + text
        + " | states="
        + count
        + " old="
        + old.size()
        + ";0 oldest="
        + Math.max(0, oldest.toSeconds())
        + "s;"
        + maxAge.toSeconds();
  }
}
