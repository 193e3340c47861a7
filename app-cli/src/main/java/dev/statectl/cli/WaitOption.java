package dev.statectl.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How long a command waits for a lock. */
final class WaitOption {
  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description =
          "How long to wait for the lock while somebody else holds it: 0 (not at all), 500ms, 10s,"
              + " 2m. Default: the setting lock_timeout, 30s. As long, by default 10s, for the file"
              + " of an embedded store that another statectl uses.")
  private @Nullable Duration duration;

  /** What was given, or the other. */
  Duration or(Duration other) {
    return duration == null ? other : duration;
  }

  /** A number and a unit; seconds without one. */
  static final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,8})(ms|s|m|h)?");
    private static final Duration LONGEST = Duration.ofDays(1);

    @Override
    public Duration convert(String text) {
      Matcher matcher = FORM.matcher(text);
      if (matcher.matches()) {
        Duration duration = of(Integer.parseInt(matcher.group(1)), matcher.group(2));
        if (duration.compareTo(LONGEST) <= 0) {
          return duration;
        }
      }
      throw new TypeConversionException("write 0, 500ms, 10s, 2m or 1h, not more than 24h");
    }

    private static Duration of(int number, @Nullable String unit) {
      return switch (unit == null ? "s" : unit) {
        case "ms" -> Duration.ofMillis(number);
        case "m" -> Duration.ofMinutes(number);
        case "h" -> Duration.ofHours(number);
        default -> Duration.ofSeconds(number);
      };
    }
  }
}
