package dev.statectl.cli;

import dev.statectl.state.StateVersion;
import java.time.DateTimeException;
import java.time.Instant;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A version of a state on the command line, as 'history' shows it. */
final class VersionConverter implements ITypeConverter<StateVersion> {
  @Override
  public StateVersion convert(String text) {
    try {
      return new StateVersion(Instant.parse(text));
    } catch (DateTimeException | IllegalArgumentException e) {
      throw new TypeConversionException(
          "write a version as 'history' shows it, such as 2026-11-29T12:00:00.123Z");
    }
  }
}
