package dev.statectl.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;

/**
 * Objects on standard output as they come: the elements of one array, or one a line. Begun when it
 * is made; {@link #end} it behind the last object, so that an array that was cut off can be told.
 */
final class JsonOutput {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final Pattern PYTHON_NUMBER = Pattern.compile("-?(NaN|Infinity)");

  private final DataOutput out;
  private final boolean array;
  private boolean first = true;

  /**
   * Begins.
   *
   * @param format {@link OutputFormat#json} for an array, {@link OutputFormat#ndjson} for lines
   */
  JsonOutput(DataOutput out, OutputFormat format) {
    this.out = out;
    this.array = format == OutputFormat.json;
    if (array) {
      out.append('[');
    }
  }

  /** Writes the members of an object. */
  @FunctionalInterface
  interface Members {
    void writeTo(JsonGenerator json) throws IOException;
  }

  /** Adds an object. */
  void add(Members members) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      json.writeStartObject();
      members.writeTo(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (array) {
      out.append(first ? "\n" : ",\n").append(text.getBuffer());
    } else {
      out.line(text.toString());
    }
    first = false;
  }

  /**
   * Writes a value as it is stored. NaN and Infinity, which are Python's and no JSON that other
   * readers take, become strings.
   *
   * @param text the value's JSON text
   */
  static void writeValue(JsonGenerator json, String text) throws IOException {
    if (PYTHON_NUMBER.matcher(text).matches()) {
      json.writeString(text);
    } else {
      json.writeRawValue(text);
    }
  }

  /** Ends the array. */
  void end() {
    if (array) {
      out.append(first ? "]\n" : "\n]\n");
    }
  }
}
