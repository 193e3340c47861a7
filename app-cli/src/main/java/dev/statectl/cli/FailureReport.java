package dev.statectl.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is said of a failure.
 *
 * @param code the exit code
 * @param errors what went wrong; none when nothing is to be said
 * @param advice what to do next, as lines of their own
 * @param hint what to do next, where the errors say it too
 */
record FailureReport(int code, List<String> errors, List<String> advice, @Nullable String hint) {

  static FailureReport of(ExitCode code, String error) {
    return new FailureReport(code.code(), List.of(error), List.of(), null);
  }

  FailureReport withAdvice(List<String> lines) {
    return new FailureReport(code, errors, lines, hint);
  }

  FailureReport withHint(@Nullable String next) {
    return new FailureReport(code, errors, advice, next);
  }

  /** For people. */
  List<String> lines() {
    return Stream.concat(errors.stream(), advice.stream()).toList();
  }

  /** For programs: an object with {@code error}, {@code code} and {@code hint}, on one line. */
  Optional<String> json() {
    if (errors.isEmpty()) {
      return Optional.empty();
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("error", String.join("; ", errors));
      json.writeNumberField("code", code);
      json.writeStringField("hint", advice.isEmpty() ? hint : String.join("; ", advice));
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Optional.of(text.toString());
  }
}
