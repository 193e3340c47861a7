package dev.statectl.clickhouse.engine;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An error as a ClickHouse server answers it: {@code Code: 60. DB::Exception: … (NAME)}. */
final class ServerError extends Exception {
  private static final long serialVersionUID = 1L;

  private static final Pattern FORM = Pattern.compile("(?s)Code: (\\d+)\\..*\\(([A-Z0-9_]+)\\)");
  // The engine wraps an error once or twice into itself; a server does not.
  private static final Pattern WRAPPED =
      Pattern.compile(
          "(?s)Code: (\\d+)\\. DB::Exception: (Code: \\1\\. .*) \\(version [^)]*\\)\\. \\(\\w+\\)");

  private static final Set<String> FORBIDDEN =
      Set.of(
          "UNKNOWN_USER",
          "WRONG_PASSWORD",
          "AUTHENTICATION_FAILED",
          "SET_NON_GRANTED_ROLE",
          "ACCESS_DENIED");
  private static final Set<String> BAD_REQUEST =
      Set.of(
          "BAD_ARGUMENTS",
          "CANNOT_COMPILE_REGEXP",
          "CANNOT_PARSE_TEXT",
          "CANNOT_PARSE_ESCAPE_SEQUENCE",
          "CANNOT_PARSE_QUOTED_STRING",
          "CANNOT_PARSE_DATE",
          "CANNOT_PARSE_DATETIME",
          "CANNOT_PARSE_NUMBER",
          "CANNOT_PARSE_DOMAIN_VALUE_FROM_STRING",
          "CANNOT_PARSE_IPV4",
          "CANNOT_PARSE_IPV6",
          "CANNOT_PARSE_INPUT_ASSERTION_FAILED",
          "CANNOT_PARSE_UUID",
          "DUPLICATE_COLUMN",
          "ILLEGAL_COLUMN",
          "UNKNOWN_ELEMENT_IN_AST",
          "UNKNOWN_TYPE_OF_AST_NODE",
          "THERE_IS_NO_COLUMN",
          "TOO_DEEP_AST",
          "TOO_BIG_AST",
          "UNEXPECTED_AST_STRUCTURE",
          "SYNTAX_ERROR",
          "INCORRECT_DATA",
          "TYPE_MISMATCH",
          "VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE");
  private static final Set<String> NOT_FOUND =
      Set.of(
          "UNKNOWN_TABLE",
          "UNKNOWN_FUNCTION",
          "UNKNOWN_IDENTIFIER",
          "UNKNOWN_TYPE",
          "UNKNOWN_STORAGE",
          "UNKNOWN_DATABASE",
          "UNKNOWN_SETTING",
          "UNKNOWN_DIRECTION_OF_SORTING",
          "UNKNOWN_AGGREGATE_FUNCTION",
          "UNKNOWN_FORMAT",
          "UNKNOWN_DATABASE_ENGINE",
          "UNKNOWN_TYPE_OF_QUERY",
          "UNKNOWN_ROLE");
  private static final Map<String, Integer> OTHERS =
      Map.of(
          "REQUIRED_PASSWORD", 401,
          "TIMEOUT_EXCEEDED", 408,
          "HTTP_LENGTH_REQUIRED", 411,
          "QUERY_IS_TOO_LARGE", 413,
          "UNSUPPORTED_MEDIA_TYPE", 415,
          "NOT_IMPLEMENTED", 501,
          "SOCKET_TIMEOUT", 503,
          "CANNOT_OPEN_FILE", 503,
          "CANNOT_SCHEDULE_TASK", 503);

  private final int code;
  private final String name;

  private ServerError(int code, String name, String message) {
    super(message);
    this.code = code;
    this.name = name;
  }

  static ServerError of(int code, String name, String text) {
    return new ServerError(
        code,
        name,
        String.format(Locale.ROOT, "Code: %d. DB::Exception: %s. (%s)", code, text, name));
  }

  /** Takes the code and its name out of the engine's own message. */
  static ServerError of(String message) {
    String text = message;
    for (Matcher m = WRAPPED.matcher(text); m.matches(); m = WRAPPED.matcher(text)) {
      text = m.group(2);
    }
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? new ServerError(Integer.parseInt(form.group(1)), form.group(2), text)
        : of(1002, "UNKNOWN_EXCEPTION", text);
  }

  int code() {
    return code;
  }

  /**
   * The HTTP status that a server answers with this error.
   *
   * @see <a
   *     href="https://github.com/ClickHouse/ClickHouse/blob/master/src/Server/HTTP/exceptionCodeToHTTPStatus.cpp">exceptionCodeToHTTPStatus.cpp</a>
   */
  int httpStatus() {
    if (FORBIDDEN.contains(name)) {
      return 403;
    }
    if (BAD_REQUEST.contains(name)) {
      return 400;
    }
    if (NOT_FOUND.contains(name)) {
      return 404;
    }
    return OTHERS.getOrDefault(name, 500);
  }
}
