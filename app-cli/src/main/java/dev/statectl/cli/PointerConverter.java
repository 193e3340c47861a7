package dev.statectl.cli;

import dev.statectl.json.JsonPointer;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A JSON Pointer on the command line: to a place within the document. */
final class PointerConverter implements ITypeConverter<JsonPointer> {
  @Override
  public JsonPointer convert(String text) {
    JsonPointer pointer;
    try {
      pointer = JsonPointer.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
    if (pointer.names().isEmpty()) {
      throw new TypeConversionException(
          "the whole document is set with 'set' and removed with 'clear'");
    }
    return pointer;
  }
}
