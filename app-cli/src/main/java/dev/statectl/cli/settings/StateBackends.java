package dev.statectl.cli.settings;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names of state backends that are not ours, to tell a user where a project's state lives. See <a
 * href="https://docs.meltano.com/concepts/state_backends">Meltano's state backends</a>.
 */
final class StateBackends {
  static final String SYSTEM_DATABASE = "systemdb";

  private static final Map<String, String> BY_SCHEME =
      Map.of(
          "s3", "Amazon S3",
          "gs", "Google Cloud Storage",
          "azure", "Azure Blob Storage",
          "file", "files",
          "postgresql", "PostgreSQL",
          "postgres", "PostgreSQL",
          "snowflake", "Snowflake",
          "bigquery", "BigQuery",
          "mssql", "Microsoft SQL Server",
          "sqlite", "SQLite");

  /** With a host or bucket, perhaps a port, and no more before the path. */
  private static final Pattern SHOWABLE =
      Pattern.compile("(?i)[a-z0-9+]+://(?:\\*{3}@)?[\\w.-]*(?::[0-9]+)?(?:/[^\\p{Cntrl}]*)?");

  /** What users of other tools write for ClickHouse. */
  private static final Set<String> LOOK_ALIKES =
      Set.of(
          "clickhouse",
          "clickhouses",
          "clickhousedb",
          "clickhouse+http",
          "clickhouse+https",
          "clickhouse+native",
          "clickhouse+tcp",
          "clickhouse+connect",
          "clickhousedb+connect",
          "jdbc",
          "ch",
          "http",
          "https",
          "tcp");

  private StateBackends() {}

  /**
   * Gives the scheme in lower case, or an empty text. It may be anything, so is not to be shown.
   */
  static String scheme(String uri) {
    int colon = uri.indexOf(':');
    return colon < 0 ? "" : uri.substring(0, colon).toLowerCase(Locale.ROOT);
  }

  static boolean looksLikeClickHouse(String uri) {
    return LOOK_ALIKES.contains(scheme(uri));
  }

  /** Whether it names a backend of Meltano that is known here. */
  static boolean isKnown(String uri) {
    return uri.equals(SYSTEM_DATABASE) || name(uri) != null;
  }

  /**
   * Gives the backend's name and where it is, or a general word if it is not known.
   *
   * @param systemDatabase where that one is
   */
  static String describe(String uri, String systemDatabase) {
    if (uri.equals(SYSTEM_DATABASE)) {
      return "Meltano's system database, " + systemDatabase;
    }
    String name = name(uri);
    return name == null ? "a backend that is not known here" : name + ", " + masked(uri);
  }

  /**
   * Gives a URI as it may be shown: without what stands before the last {@code @}, and without
   * parameters, which may be keys. Of one whose form is another only the scheme is shown; where
   * that is not known either it may be anything, so nothing.
   */
  static String masked(String uri) {
    String scheme = scheme(uri);
    String start = name(uri) == null ? "" : scheme + ":";
    int end = firstOf(uri, "?#");
    int at = uri.lastIndexOf('@');
    boolean masked = at >= 0;
    String shown = masked ? uri.substring(at + 1) : uri.substring(0, end);
    if (masked) {
      shown = scheme + "://***@" + shown.substring(0, firstOf(shown, "?#"));
    }
    return !start.isEmpty() && SHOWABLE.matcher(shown).matches() ? shown : start + "***";
  }

  /** The system database's URI may name a driver behind a plus sign. */
  private static @Nullable String name(String uri) {
    String scheme = scheme(uri);
    int plus = scheme.indexOf('+');
    return BY_SCHEME.get(plus < 0 ? scheme : scheme.substring(0, plus));
  }

  private static int firstOf(String text, String characters) {
    int at = 0;
    while (at < text.length() && characters.indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return at;
  }
}
