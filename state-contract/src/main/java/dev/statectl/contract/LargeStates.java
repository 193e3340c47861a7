package dev.statectl.contract;

import dev.statectl.json.JsonObject;
import dev.statectl.port.SaveRules;
import dev.statectl.state.State;
import dev.statectl.state.StateId;

/** The largest states, made once: a document of that size costs some time and memory. */
final class LargeStates {
  // Both halves count, and bytes count, not chars: each half alone is small enough, and so is the
  // number of chars.
  private static final JsonObject COMPLETED = ofBytes(SaveRules.MAX_STATE_BYTES - 99);
  private static final JsonObject PARTIAL = ofBytes(100);

  private LargeStates() {}

  /** A state whose two halves together are one byte larger than may be written. */
  static State oneByteTooLarge(String id) {
    return State.of(StateId.ofStored(id), COMPLETED, PARTIAL);
  }

  private static JsonObject ofBytes(long bytes) {
    int room = Math.toIntExact(bytes) - "{\"a\":\"\"}".length();
    return JsonObject.parse("{\"a\":\"" + "é".repeat(room / 2) + "x".repeat(room % 2) + "\"}");
  }
}
