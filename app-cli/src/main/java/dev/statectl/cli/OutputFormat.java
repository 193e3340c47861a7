package dev.statectl.cli;

import java.util.Set;

/** The forms of what goes to standard output; named as they are typed. */
enum OutputFormat {
  /** The plainest form, for people and for {@code xargs}. */
  text,
  /** Columns with heads, for people. */
  table,
  /** One JSON value. */
  json,
  /** A JSON value a line. */
  ndjson;

  private static final Set<String> OPTIONS = Set.of("-o", "--format");
  private static final Set<String> JSON = Set.of("json", "ndjson");

  /**
   * Tells whether a command line asks for JSON, also one that cannot be parsed: whoever reads JSON
   * wants to read failures so, too.
   */
  static boolean isJsonAskedFor(String[] args) {
    for (int i = 0; i < args.length && !args[i].equals("--"); i++) {
      String arg = args[i];
      if (OPTIONS.contains(arg) && i + 1 < args.length && JSON.contains(args[i + 1])) {
        return true;
      }
      String value =
          arg.startsWith("--format=")
              ? arg.substring("--format=".length())
              : arg.startsWith("-o") ? arg.substring(2).replaceFirst("^=", "") : "";
      if (JSON.contains(value)) {
        return true;
      }
    }
    return false;
  }
}
