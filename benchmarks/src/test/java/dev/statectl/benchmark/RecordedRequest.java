package dev.statectl.benchmark;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request as it was sent, and how large its answer was.
 *
 * @param target path and parameters
 * @param headers names and values, in order
 * @param body the body, without the frames of its chunks; empty where only counts are kept
 * @param beginningOfSql the first characters of its statement
 * @param bytesSent all bytes of it
 * @param bytesReceived all bytes of the answer
 */
record RecordedRequest(
    String target,
    List<Map.Entry<String, String>> headers,
    byte[] body,
    String beginningOfSql,
    long bytesSent,
    long bytesReceived) {

  /** The parameters of the URL, decoded. */
  Map<String, String> parameters() {
    return parameters(target);
  }

  static Map<String, String> parameters(String target) {
    Map<String, String> parameters = new LinkedHashMap<>();
    int question = target.indexOf('?');
    for (String pair : question < 0 ? new String[0] : target.substring(question + 1).split("&")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        parameters.put(
            URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
            URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
      }
    }
    return parameters;
  }

  /** The statement, where all of it is text that a driver can be given. */
  Optional<String> sql() {
    Map<String, String> parameters = parameters();
    boolean encoded =
        parameters.containsKey("decompress")
            || headers.stream().anyMatch(h -> h.getKey().equalsIgnoreCase("content-encoding"));
    String query = parameters.get("query");
    if (encoded || (query != null && body.length > 0)) {
      return Optional.empty();
    }
    return Optional.of(query != null ? query : new String(body, StandardCharsets.UTF_8));
  }

  /** Whether it stores states: told from inserts of locks by the columns that it names. */
  boolean insertsStates() {
    return beginningOfSql.regionMatches(true, 0, "INSERT", 0, "INSERT".length())
        && beginningOfSql.contains("completed_state");
  }
}
