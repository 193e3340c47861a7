package dev.statectl.benchmark;

import dev.statectl.json.JsonObject;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import java.util.Locale;
import java.util.SplittableRandom;

/** Documents as taps write them: streams with bookmarks, no two alike. */
final class Documents {
  // So that all keys are equally long.
  private static final int FIRST_CUSTOMER = 100_000;
  private static final String OPENING = "{\"singer_state\": {\"bookmarks\": {";

  private Documents() {}

  /** A document of about so many bytes; the same number gives the same one. */
  static JsonObject ofSize(int bytes, int number) {
    SplittableRandom random = new SplittableRandom(number);
    StringBuilder text = new StringBuilder(bytes + 200).append(OPENING);
    for (int stream = 0; stream == 0 || text.length() + 130 < bytes; stream++) {
      text.append(stream == 0 ? "" : ", ").append(stream(stream, random.nextLong()));
    }
    return JsonObject.parse(text.append("}}}").toString());
  }

  /** A document with one stream that has so many partitions, as a map of small values. */
  static JsonObject ofKeys(int keys, int number) {
    SplittableRandom random = new SplittableRandom(number);
    StringBuilder text = new StringBuilder(OPENING).append("\"orders\": {\"seen\": {");
    for (int key = 0; key < keys; key++) {
      text.append(key == 0 ? "" : ", ")
          .append("\"customer_")
          .append(FIRST_CUSTOMER + key)
          .append("\": ")
          .append(random.nextInt(1_000_000_000));
    }
    return JsonObject.parse(text.append("}}}}}").toString());
  }

  static State completed(StateId id, JsonObject document) {
    return State.of(id, document, JsonObject.EMPTY);
  }

  static State partial(StateId id, JsonObject document) {
    return State.of(id, JsonObject.EMPTY, document);
  }

  /** The id of a number; ids sort as their numbers. */
  static StateId id(long number) {
    return StateId.of(String.format(Locale.ROOT, "dev:tap-%07d-to-target", number));
  }

  /** SQL for the id of the column {@code number}, as {@link #id} makes it. */
  static String idSql() {
    return "concat('dev:tap-', leftPad(toString(number), 7, '0'), '-to-target')";
  }

  /** SQL for a document of about 1 KB of the column {@code number}. */
  static String documentSql() {
    return "concat('"
        + OPENING
        + "', arrayStringConcat(arrayMap(i -> concat('\"stream_', toString(i),"
        + " '\": {\"replication_key\": \"updated_at\", \"replication_key_value\":"
        + " \"2026-11-29T12:00:00Z\", \"cursor\": \"', lower(hex(sipHash64(number, i))), '\"}'),"
        + " range(8)), ', '), '}}}')";
  }

  private static String stream(int number, long value) {
    return String.format(
        Locale.ROOT,
        "\"stream_%d\": {\"replication_key\": \"updated_at\", \"replication_key_value\":"
            + " \"2026-11-29T12:00:00Z\", \"cursor\": \"%016x\"}",
        number,
        value);
  }
}
