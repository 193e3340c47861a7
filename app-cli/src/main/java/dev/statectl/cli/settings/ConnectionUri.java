package dev.statectl.cli.settings;

import dev.statectl.cli.settings.PercentDecoding.MalformedEncoding;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code clickhouse://USER:PASSWORD@HOST:PORT/DATABASE?PARAMETER=VALUE&…}, taken apart. Each part
 * may be left out and is percent-decoded. As in Meltano's plugin, the last {@code @} before the
 * first {@code /}, {@code ?} or {@code #} ends user and password, and the first colon before it
 * begins the password.
 *
 * <p>No message shows a piece of the text: what was meant as the password can stand anywhere in a
 * URI that is wrong.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc3986">RFC 3986</a>
 */
final class ConnectionUri {
  static final String SCHEME = "clickhouse://";

  private static final Set<Setting> PARAMETERS =
      Set.of(
          Setting.SECURE,
          Setting.VERIFY,
          Setting.CA_CERT,
          Setting.CLIENT_CERT,
          Setting.CLIENT_CERT_KEY,
          Setting.SCHEMA,
          Setting.TABLE,
          Setting.CLUSTER,
          Setting.REPLICATED,
          Setting.CONSISTENCY,
          Setting.CONNECT_TIMEOUT,
          Setting.REQUEST_TIMEOUT,
          Setting.LOCK_MODE,
          Setting.LOCK_PEERS,
          Setting.LOCK_TIMEOUT,
          Setting.LOCK_STALE,
          Setting.MAX_STATE_BYTES);
  private static final String KNOWN_PARAMETERS =
      PARAMETERS.stream().sorted().map(Setting::shortName).collect(Collectors.joining(", "));
  private static final Pattern ADDRESS = Pattern.compile("[0-9A-Fa-f:.]+(%.+)?");
  private static final String ENCODE =
      "percent-encode what is meant as text (% is %25, @ is %40, / is %2F, ? is %3F, # is %23,"
          + " : is %3A), or give the password as "
          + Setting.PASSWORD.variable()
          + ", as it is";

  /**
   * A mistake.
   *
   * @param index where in the text it is
   */
  record Mistake(int index, String what, String remedy) {}

  private final String text;
  private final Map<Setting, String> parts = new EnumMap<>(Setting.class);
  private final List<Mistake> mistakes = new ArrayList<>();

  private ConnectionUri(String text) {
    this.text = text;
  }

  /** Takes a text apart that begins with {@link #SCHEME} in any case. */
  static ConnectionUri parse(String text) {
    ConnectionUri uri = new ConnectionUri(text);
    uri.parse();
    return uri;
  }

  static boolean isConnectionUri(String text) {
    return text.toLowerCase(Locale.ROOT).startsWith(SCHEME);
  }

  /** The parts that are there, decoded. */
  Map<Setting, String> parts() {
    return parts;
  }

  List<Mistake> mistakes() {
    return mistakes;
  }

  /** Gives the text with what stands before the {@code @} masked; for a text without mistakes. */
  String masked() {
    int at = text.lastIndexOf('@');
    return at < 0 ? text : SCHEME + "***" + text.substring(at);
  }

  @Override
  public String toString() {
    return "ConnectionUri" + parts.keySet();
  }

  private void parse() {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isISOControl(text.charAt(i))) {
        mistakes.add(new Mistake(i, "a control character stands there", "remove it"));
        return;
      }
    }
    int start = SCHEME.length();
    int end = firstOf("/?#", start, text.length());
    if (text.lastIndexOf('@') > end) {
      mistakes.add(new Mistake(end, "this character may not stand before an @ as it is", ENCODE));
      return;
    }
    int at = text.lastIndexOf('@', end);
    if (at >= start) {
      parseCredentials(start, at);
      start = at + 1;
    }
    parseAddress(start, end);
    int question = firstOf("?#", end, text.length());
    if (end < question) {
      parseDatabase(end + 1, question);
    }
    if (question < text.length()) {
      if (text.charAt(question) == '#') {
        mistakes.add(new Mistake(question, "a fragment has no meaning here", ENCODE));
      } else {
        parseParameters(question + 1);
      }
    }
  }

  private void parseCredentials(int start, int end) {
    int colon = firstOf(":", start, end);
    put(Setting.USER, start, colon);
    if (colon < end) {
      put(Setting.PASSWORD, colon + 1, end);
    }
  }

  private void parseAddress(int start, int end) {
    if (firstOf(",", start, end) < end) {
      put(Setting.HOSTS, start, end);
      return;
    }
    int hostEnd;
    if (start < end && text.charAt(start) == '[') {
      int bracket = firstOf("]", start, end);
      String address = bracket < end ? decode(start + 1, bracket) : null;
      if (bracket == end || address == null || !ADDRESS.matcher(address).matches()) {
        mistakes.add(
            new Mistake(
                start, "no IPv6 address in brackets stands there", "write it as [2001:db8::1]"));
        return;
      }
      parts.put(Setting.HOST, address);
      hostEnd = bracket + 1;
    } else {
      hostEnd = firstOf(":", start, end);
      put(Setting.HOST, start, hostEnd);
    }
    if (hostEnd == end) {
      return;
    }
    int port = hostEnd + 1;
    if (text.charAt(hostEnd) != ':') {
      mistakes.add(new Mistake(hostEnd, "a colon and a port must follow the ]", "remove the rest"));
    } else if (port == end || !text.substring(port, end).chars().allMatch(ConnectionUri::isDigit)) {
      mistakes.add(
          new Mistake(
              port,
              "the port must be a number",
              "write HOST:PORT, an IPv6 address in brackets, and user and password before an @"));
    } else {
      parts.put(Setting.PORT, text.substring(port, end));
    }
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private void parseDatabase(int start, int end) {
    int slash = firstOf("/", start, end);
    if (slash < end) {
      mistakes.add(
          new Mistake(
              slash,
              "the database is one name",
              "remove the rest, or write %2F for a / in the name"));
    } else {
      put(Setting.DATABASE, start, end);
    }
  }

  private void parseParameters(int start) {
    int end = firstOf("#", start, text.length());
    if (end < text.length()) {
      mistakes.add(new Mistake(end, "a fragment has no meaning here", ENCODE));
    }
    for (int from = start; from < end; ) {
      int to = firstOf("&", from, end);
      if (from < to) {
        parseParameter(from, to);
      }
      from = to + 1;
    }
  }

  private void parseParameter(int start, int end) {
    int equals = firstOf("=", start, end);
    String name = decode(start, equals);
    if (name == null) {
      return;
    }
    Setting setting =
        PARAMETERS.stream().filter(each -> each.shortName().equals(name)).findFirst().orElse(null);
    if (setting == null) {
      mistakes.add(
          new Mistake(
              start, "there is no such parameter", "the parameters are " + KNOWN_PARAMETERS));
    } else if (parts.containsKey(setting)) {
      mistakes.add(new Mistake(start, name + " is given twice", "remove one of the two"));
    } else if (equals == end) {
      mistakes.add(new Mistake(end, name + " has no value", "write " + name + "=VALUE"));
    } else {
      put(setting, equals + 1, end);
      parts.putIfAbsent(setting, "");
    }
  }

  /** Takes in a part unless it is empty. */
  private void put(Setting setting, int start, int end) {
    String value = decode(start, end);
    if (value != null && !value.isEmpty()) {
      parts.put(setting, value);
    }
  }

  private @Nullable String decode(int start, int end) {
    try {
      return PercentDecoding.decode(text.substring(start, end));
    } catch (MalformedEncoding e) {
      mistakes.add(
          new Mistake(
              start + e.index(), "a % stands there that encodes no character in UTF-8", ENCODE));
      return null;
    }
  }

  private int firstOf(String characters, int start, int end) {
    for (int i = start; i < end; i++) {
      if (characters.indexOf(text.charAt(i)) >= 0) {
        return i;
      }
    }
    return end;
  }
}
