package dev.statectl.cli.settings;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

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
          "mssql", "Microsoft SQL Server");

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

  /** Gives the backend's name, or a general word if it is not known. */
  static String describe(String uri) {
    if (uri.equals(SYSTEM_DATABASE)) {
      return "Meltano's system database";
    }
    String scheme = scheme(uri);
    String name = BY_SCHEME.get(scheme);
    return name == null ? "a backend that is not known here" : "%s (%s:)".formatted(name, scheme);
  }
}
