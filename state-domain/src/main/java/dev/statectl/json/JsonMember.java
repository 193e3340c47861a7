package dev.statectl.json;

import java.util.List;

/**
 * One member of an object. Immutable; the text form shows no value.
 *
 * @param name the member's name, decoded
 * @param kind the kind of its value
 * @param valueText the value's text, byte for byte as it stands in the object
 */
public record JsonMember(String name, JsonKind kind, String valueText) {

  /**
   * Lists what the value holds, if it is an object or a list. The values of a list are named by
   * their number, from 0.
   *
   * @return the members in the order of the text, unmodifiable; none for any other value
   */
  public List<JsonMember> children() {
    return kind == JsonKind.OBJECT || kind == JsonKind.ARRAY
        ? JsonObject.children(valueText)
        : List.of();
  }

  /**
   * Gives the value as an object. Its text was checked with the whole, and is not once more.
   *
   * @return the object
   * @throws IllegalStateException when the value is of another kind
   */
  public JsonObject object() {
    if (kind != JsonKind.OBJECT) {
      throw new IllegalStateException("not an object: " + this);
    }
    return JsonObject.ofValid(valueText);
  }

  /** Tells the name and the kind, not the value. */
  @Override
  public String toString() {
    return "JsonMember[" + name + ": " + kind.described() + "]";
  }
}
