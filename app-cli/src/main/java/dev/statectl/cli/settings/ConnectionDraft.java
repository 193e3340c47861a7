package dev.statectl.cli.settings;

import dev.statectl.clickhouse.ClickHouseSettings;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Connection settings in the making. A new draft holds values that are right, so one setting can be
 * tried alone and its mistake told by its own place.
 */
final class ConnectionDraft {
  private static final int LONGEST_TIMEOUT = 86_400;
  private static final Pattern NO_HOST = Pattern.compile("[\\s/@?#\\\\\\[\\]]");

  private String host = "localhost";
  private int port = ClickHouseSettings.DEFAULT_PORT;
  private boolean secure;
  private String database = "default";
  private String user = "default";
  private String password = "";
  private String schema = ClickHouseSettings.DEFAULT_SCHEMA;
  private String table = ClickHouseSettings.DEFAULT_TABLE;
  private Duration connectTimeout = ClickHouseSettings.DEFAULT_CONNECT_TIMEOUT;
  private Duration requestTimeout = ClickHouseSettings.DEFAULT_REQUEST_TIMEOUT;

  /**
   * Takes in a value.
   *
   * @throws IllegalArgumentException when it is wrong; the message shows no value
   */
  void set(Setting setting, String text) {
    switch (setting) {
      case HOST -> host = host(text);
      case PORT -> port = number(text, 65_535);
      case DATABASE -> database = text;
      case USER -> user = text;
      case PASSWORD -> password = text;
      case SECURE -> secure = truth(text);
      case SCHEMA -> schema = text;
      case TABLE -> table = text;
      case CONNECT_TIMEOUT -> connectTimeout = Duration.ofSeconds(number(text, LONGEST_TIMEOUT));
      case REQUEST_TIMEOUT -> requestTimeout = Duration.ofSeconds(number(text, LONGEST_TIMEOUT));
      case ENVIRONMENT, URI -> throw new AssertionError(setting);
    }
  }

  boolean secure() {
    return secure;
  }

  /**
   * Makes the settings.
   *
   * @throws IllegalArgumentException when the adapter does not take a value; the message may show
   *     it, but no password
   */
  ClickHouseSettings build() {
    return new ClickHouseSettings(
        host,
        port,
        secure,
        database,
        user,
        password,
        schema,
        table,
        connectTimeout,
        requestTimeout);
  }

  private static String host(String text) {
    boolean bracketed = text.startsWith("[") && text.endsWith("]");
    String host = bracketed ? text.substring(1, text.length() - 1) : text;
    boolean oneColon = host.indexOf(':') >= 0 && host.indexOf(':') == host.lastIndexOf(':');
    if (host.isEmpty() || oneColon || NO_HOST.matcher(host).find()) {
      throw new IllegalArgumentException("must be a host's name or address alone");
    }
    return host;
  }

  private static int number(String text, int largest) {
    String digits = text.strip();
    if (digits.matches("[0-9]{1,9}")) {
      int number = Integer.parseInt(digits);
      if (number >= 1 && number <= largest) {
        return number;
      }
    }
    throw new IllegalArgumentException("must be a whole number from 1 to " + largest);
  }

  private static boolean truth(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on", "1" -> true;
      case "false", "no", "off", "0" -> false;
      default -> throw new IllegalArgumentException("must be true or false");
    };
  }
}
