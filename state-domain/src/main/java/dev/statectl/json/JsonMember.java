package dev.statectl.json;

/**
 * One member of an object. Immutable; the text form shows no value.
 *
 * @param name the member's name, decoded
 * @param kind the kind of its value
 * @param valueText the value's text, byte for byte as it stands in the object
 */
public record JsonMember(String name, JsonKind kind, String valueText) {

  /** Tells the name and the kind, not the value. */
  @Override
  public String toString() {
    return "JsonMember[" + name + ": " + kind.described() + "]";
  }
}
