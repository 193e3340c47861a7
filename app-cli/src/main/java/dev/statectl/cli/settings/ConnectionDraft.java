package dev.statectl.cli.settings;

import dev.statectl.cli.settings.BackendLocation.ClickHouseLocation;
import dev.statectl.clickhouse.ClickHouseSettings;
import dev.statectl.clickhouse.Consistency;
import dev.statectl.clickhouse.LockPeers;
import dev.statectl.clickhouse.Replicated;
import dev.statectl.clickhouse.ReplicationSettings;
import dev.statectl.clickhouse.ServerAddress;
import dev.statectl.clickhouse.TlsSettings;
import dev.statectl.clickhouse.TlsSettings.Verification;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.SaveRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Connection settings in the making. A new draft holds values that are right, so one setting can be
 * tried alone and its mistake told by its own place.
 */
final class ConnectionDraft {
  private static final int LONGEST_TIMEOUT = 86_400;
  // More than twice the settle time, and not more than the lock table's TTL, which removes the row.
  private static final int SHORTEST_STALE = 3;
  private static final int LONGEST_STALE = 300;
  // An IPv6 address is in brackets there.
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("(\\[[^\\]]*]|[^:\\[\\]]+)(?::(.*))?");
  private static final Pattern NO_HOST = Pattern.compile("[\\s/@?#\\\\\\[\\]]");

  /** A host of several; without a port of its own it is 0. */
  private record Host(String host, int port) {}

  private String host = "localhost";
  private int port = ClickHouseSettings.DEFAULT_PORT;
  private List<Host> hosts = List.of();
  private boolean secure;
  private Verification verification = Verification.FULL;
  private TlsSettings tls = TlsSettings.DEFAULT;
  private String database = "default";
  private String user = "default";
  private String password = "";
  private String schema = ClickHouseSettings.DEFAULT_SCHEMA;
  private String table = ClickHouseSettings.DEFAULT_TABLE;
  private Duration connectTimeout = ClickHouseSettings.DEFAULT_CONNECT_TIMEOUT;
  private Duration requestTimeout = ClickHouseSettings.DEFAULT_REQUEST_TIMEOUT;

  private String cluster = "";
  private Replicated replicated = Replicated.AUTO;
  private Consistency consistency = Consistency.AUTO;
  private LockChoice lockChoice = LockChoice.AUTO;
  private LockTerms locks = LockTerms.DEFAULT;
  private LockPeers peers = LockPeers.PLUGIN;
  private long maxStateBytes = SaveRules.MAX_STATE_BYTES;

  /**
   * Takes in a value.
   *
   * @throws IllegalArgumentException when it is wrong; the message shows no value
   */
  void set(Setting setting, String text) {
    switch (setting) {
      case HOST -> host = host(text);
      case PORT -> port = number(text, 1, 65_535);
      case HOSTS -> hosts = hosts(text);
      case DATABASE -> database = text;
      case USER -> user = text;
      case PASSWORD -> password = text;
      case SECURE -> secure = truth(text);
      case VERIFY -> verification = choice(text, Verification.values());
      case CA_CERT, CLIENT_CERT, CLIENT_CERT_KEY -> {
        // Files, which are right or wrong together.
      }
      case SCHEMA -> schema = text;
      case TABLE -> table = text;
      case CONNECT_TIMEOUT -> connectTimeout = Duration.ofSeconds(number(text, 1, LONGEST_TIMEOUT));
      case REQUEST_TIMEOUT -> requestTimeout = Duration.ofSeconds(number(text, 1, LONGEST_TIMEOUT));
      case CLUSTER -> cluster = text;
      case REPLICATED -> replicated = replicated(text);
      case CONSISTENCY -> consistency = choice(text, Consistency.values());
      case LOCK_MODE -> lockChoice = choice(text, LockChoice.values());
      case LOCK_PEERS -> peers = choice(text, LockPeers.values());
      case LOCK_TIMEOUT ->
          locks = locks.withTimeout(Duration.ofSeconds(number(text, 0, LONGEST_TIMEOUT)));
      case LOCK_STALE -> locks = withStale(locks, number(text, SHORTEST_STALE, LONGEST_STALE));
      case MAX_STATE_BYTES ->
          maxStateBytes = number(text, 1, Math.toIntExact(SaveRules.MAX_STATE_BYTES));
      case ENVIRONMENT, URI -> throw new AssertionError(setting);
    }
  }

  boolean secure() {
    return secure;
  }

  /** Takes in what the files for TLS hold. */
  void setTls(TlsSettings files) {
    tls = files;
  }

  /**
   * Makes the connection, with how to lock.
   *
   * @throws IllegalArgumentException when the adapter does not take a value; the message may show
   *     it, but no password
   */
  ClickHouseLocation build() {
    List<ServerAddress> servers =
        hosts.isEmpty()
            ? List.of(new ServerAddress(host, port))
            : hosts.stream()
                .map(each -> new ServerAddress(each.host(), each.port() == 0 ? port : each.port()))
                .toList();
    ClickHouseSettings settings =
        new ClickHouseSettings(
            servers.get(0).host(),
            servers.get(0).port(),
            secure,
            database,
            user,
            password,
            schema,
            table,
            connectTimeout,
            requestTimeout,
            // A mistake in the use of these is told by the setting that was given without TLS.
            secure ? tls.withVerification(verification) : TlsSettings.DEFAULT,
            replication(),
            servers.subList(1, servers.size()));
    return new ClickHouseLocation(
        settings, peers, locks.withMode(lockChoice.mode()), maxStateBytes);
  }

  /** How the tables are to be used where several servers hold them. */
  ReplicationSettings replication() {
    return new ReplicationSettings(cluster, replicated, consistency, lockChoice.keeperLocks());
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

  private static List<Host> hosts(String text) {
    List<Host> hosts = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      Matcher entry = HOST_AND_PORT.matcher(each.strip());
      if (!entry.matches()) {
        throw new IllegalArgumentException(
            "must be hosts with commas between them, each with its port behind a colon or without");
      }
      String port = entry.group(2);
      Host host = new Host(host(entry.group(1)), port == null ? 0 : portOf(port));
      if (hosts.contains(host)) {
        throw new IllegalArgumentException("has a host twice");
      }
      hosts.add(host);
    }
    return hosts;
  }

  private static int portOf(String text) {
    try {
      return number(text, 1, 65_535);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("a host's port " + e.getMessage(), e);
    }
  }

  private static LockTerms withStale(LockTerms terms, int seconds) {
    return new LockTerms(
        terms.mode(), Duration.ofSeconds(seconds), terms.settle(), terms.timeout(), terms.retry());
  }

  private static <E extends Enum<E>> E choice(String text, E[] choices) {
    for (E choice : choices) {
      if (choice.name().equalsIgnoreCase(text.strip())) {
        return choice;
      }
    }
    throw new IllegalArgumentException(
        "must be "
            + Arrays.stream(choices)
                .map(choice -> choice.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(" or ")));
  }

  // YAML has other words for on and off, and a variable is often set to one of them.
  private static Replicated replicated(String text) {
    try {
      return truth(text) ? Replicated.ON : Replicated.OFF;
    } catch (IllegalArgumentException e) {
      return choice(text, Replicated.values());
    }
  }

  private static int number(String text, int smallest, int largest) {
    String digits = text.strip();
    if (digits.matches("[0-9]{1,9}")) {
      int number = Integer.parseInt(digits);
      if (number >= smallest && number <= largest) {
        return number;
      }
    }
    throw new IllegalArgumentException(
        "must be a whole number from " + smallest + " to " + largest);
  }

  /** Whether it is a truth value that says yes. */
  static boolean isTrue(@Nullable String text) {
    try {
      return text != null && truth(text);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean truth(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on", "1" -> true;
      case "false", "no", "off", "0" -> false;
      default -> throw new IllegalArgumentException("must be true or false");
    };
  }
}
