package dev.statectl.state;

import dev.statectl.json.JsonKind;
import dev.statectl.json.JsonMember;
import dev.statectl.json.JsonObject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The shape that a document must have to be a pipeline's state: an object with the member {@code
 * singer_state}, itself an object. What stands beside and below it is the tap's own business.
 */
public final class StateShape {
  private static final String SINGER_STATE = "singer_state";

  private StateShape() {}

  /**
   * Looks for the fault in a document's shape.
   *
   * @param document the document
   * @return the fault with the JSON Pointer of its place, or empty when the shape is right
   */
  public static Optional<String> fault(JsonObject document) {
    @Nullable JsonKind kind = null;
    for (JsonMember member : document.members()) {
      if (member.name().equals(SINGER_STATE)) {
        kind = member.kind();
      }
    }
    if (kind == null) {
      return Optional.of("at /" + SINGER_STATE + ": missing at the top of the document");
    }
    if (kind != JsonKind.OBJECT) {
      return Optional.of("at /" + SINGER_STATE + ": expected an object, found " + kind.described());
    }
    return Optional.empty();
  }
}
