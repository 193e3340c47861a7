package dev.statectl.benchmark;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of the table: an operation, and what it takes with and without statectl.
 *
 * @param group the name of its group
 * @param operation what was done
 * @param ours how long it took through statectl
 * @param driver how long the same statements took through the bare driver, where it can send them
 * @param raw how long the same requests took through the JDK's HTTP client
 * @param value what was measured where it is no time, as text
 * @param ratio what is compared with the target: the median of ours to that of raw, unless the note
 *     says otherwise
 * @param requests the requests of one operation
 * @param bytesSent what they came to, heads included
 * @param bytesReceived what their answers came to, heads included
 * @param target what is wanted of the ratio, as text
 * @param met whether the ratio is as wanted
 * @param facts what was counted besides
 * @param note what the reader must know
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Row(
    String group,
    String operation,
    @Nullable Timing ours,
    @Nullable Timing driver,
    @Nullable Timing raw,
    @Nullable String value,
    @Nullable Double ratio,
    @Nullable Double requests,
    @Nullable Double bytesSent,
    @Nullable Double bytesReceived,
    @Nullable String target,
    @Nullable Boolean met,
    Map<String, Double> facts,
    String note) {

  static Draft of(String operation) {
    return new Draft(operation);
  }

  /** A row that is being filled in. */
  static final class Draft {
    private final String operation;
    private final Map<String, Double> facts = new LinkedHashMap<>();
    private @Nullable Timing ours;
    private @Nullable Timing driver;
    private @Nullable Timing raw;
    private @Nullable String value;
    private @Nullable Double ratio;
    private @Nullable Traffic traffic;
    private @Nullable Target target;
    private String note = "";

    private Draft(String operation) {
      this.operation = operation;
    }

    /** How long it took, and how long the same without statectl; the ratio is of the medians. */
    Draft timed(Timing measured, @Nullable Timing bareDriver, @Nullable Timing bareHttp) {
      ours = measured;
      driver = bareDriver;
      raw = bareHttp;
      if (bareHttp != null) {
        ratio = measured.p50() / bareHttp.p50();
      }
      return this;
    }

    Draft timed(Comparison.Outcome outcome) {
      traffic = outcome.traffic();
      return timed(outcome.ours(), outcome.driver(), outcome.raw());
    }

    /** What was measured, where it is no time. */
    Draft value(String shown) {
      value = shown;
      return this;
    }

    /** Another ratio than that of the medians; the note has to say of what. */
    Draft ratio(double other) {
      ratio = other;
      return this;
    }

    Draft traffic(Traffic passed) {
      traffic = passed;
      return this;
    }

    Draft wanted(Target wanted) {
      target = wanted;
      return this;
    }

    Draft fact(String name, double counted) {
      facts.put(name, counted);
      return this;
    }

    Draft note(String text) {
      note = text;
      return this;
    }

    Row in(String group) {
      if (ratio != null && !Double.isFinite(ratio)) {
        throw new IllegalStateException(operation + " has a ratio of " + ratio);
      }
      if (target != null && ratio == null) {
        throw new IllegalStateException(operation + " has a target and nothing to judge by");
      }
      return new Row(
          group,
          operation,
          ours,
          driver,
          raw,
          value,
          ratio,
          traffic == null ? null : (Double) traffic.requests(),
          traffic == null ? null : (Double) traffic.bytesSent(),
          traffic == null ? null : (Double) traffic.bytesReceived(),
          target == null ? null : target.shown(),
          target == null ? null : (Boolean) target.isMet(ratio),
          new LinkedHashMap<>(facts),
          note);
    }
  }
}
