package dev.statectl.clickhouse;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Locale;

/**
 * Where a ClickHouse server is, who asks, and which tables are used. Immutable; the text form shows
 * no password.
 *
 * @param host the server's name or address; an IPv6 address with or without brackets
 * @param port the port of its HTTP or HTTPS interface, 1 to 65535
 * @param secure whether to speak TLS
 * @param database the database that the user is connected to; it must exist
 * @param user the user's name
 * @param password the user's password; empty for none
 * @param schema the database of the two tables; created on the first write if missing
 * @param table the name of the state table; the lock table's is {@code <table>_lock}
 * @param connectTimeout how long connecting may take
 * @param requestTimeout how long one statement may take, from when it is sent until all of its
 *     answer is here, with all that is tried again; in a walk, until its first row and for each one
 *     after
 * @param tls whom TLS trusts; {@link TlsSettings#DEFAULT} without TLS
 * @param replication how the tables are used where several servers hold them
 */
public record ClickHouseSettings(
    String host,
    int port,
    boolean secure,
    String database,
    String user,
    String password,
    String schema,
    String table,
    Duration connectTimeout,
    Duration requestTimeout,
    TlsSettings tls,
    ReplicationSettings replication) {
  /** The default of {@link #schema}. */
  public static final String DEFAULT_SCHEMA = "meltano";

  /** The default of {@link #table}. */
  public static final String DEFAULT_TABLE = "state";

  /** The port of a server's HTTP interface. */
  public static final int DEFAULT_PORT = 8123;

  /** The port of a server's HTTPS interface. */
  public static final int DEFAULT_SECURE_PORT = 8443;

  /** The default of {@link #connectTimeout}: 60 s, since a sleeping Cloud service must wake up. */
  public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(60);

  /** The default of {@link #requestTimeout}: 30 s. */
  public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(30);

  /**
   * Checks the settings.
   *
   * @param host the server's name or address; an IPv6 address with or without brackets
   * @param port the port of its HTTP or HTTPS interface, 1 to 65535
   * @param secure whether to speak TLS
   * @param database the database that the user is connected to; it must exist
   * @param user the user's name
   * @param password the user's password; empty for none
   * @param schema the database of the two tables; created on the first write if missing
   * @param table the name of the state table; the lock table's is {@code <table>_lock}
   * @param connectTimeout how long connecting may take
   * @param requestTimeout how long one statement may take, from when it is sent until all of its
   *     answer is here, with all that is tried again; in a walk, until its first row and for each
   *     one after
   * @param tls whom TLS trusts; {@link TlsSettings#DEFAULT} without TLS
   * @param replication how the tables are used where several servers hold them
   * @throws IllegalArgumentException when a text other than the password is blank, the host cannot
   *     be one, the port is out of range, a timeout is not positive, or schema or table is a name
   *     that cannot be used: one with a backtick, a control character, or half of a surrogate pair,
   *     or one that is longer than ClickHouse can store; or when TLS is set up but not spoken
   */
  public ClickHouseSettings {
    requireText("host", host);
    requireHost(host);
    requireText("database", database);
    requireHeader("database", database);
    requireText("user", user);
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("port must be from 1 to 65535, not " + port);
    }
    TableNames.check(schema, table);
    requirePositive("connectTimeout", connectTimeout);
    requirePositive("requestTimeout", requestTimeout);
    if (!secure && !tls.equals(TlsSettings.DEFAULT)) {
      throw new IllegalArgumentException("tls is set up, but secure is false");
    }
  }

  /**
   * Makes settings for tables that are used as the server says.
   *
   * @param host the server's name or address; an IPv6 address with or without brackets
   * @param port the port of its HTTP or HTTPS interface, 1 to 65535
   * @param secure whether to speak TLS
   * @param database the database that the user is connected to; it must exist
   * @param user the user's name
   * @param password the user's password; empty for none
   * @param schema the database of the two tables; created on the first write if missing
   * @param table the name of the state table; the lock table's is {@code <table>_lock}
   * @param connectTimeout how long connecting may take
   * @param requestTimeout how long one statement may take, from when it is sent until all of its
   *     answer is here, with all that is tried again; in a walk, until its first row and for each
   *     one after
   * @param tls whom TLS trusts; {@link TlsSettings#DEFAULT} without TLS
   * @throws IllegalArgumentException as the other constructor does
   */
  public ClickHouseSettings(
      String host,
      int port,
      boolean secure,
      String database,
      String user,
      String password,
      String schema,
      String table,
      Duration connectTimeout,
      Duration requestTimeout,
      TlsSettings tls) {
    this(
        host,
        port,
        secure,
        database,
        user,
        password,
        schema,
        table,
        connectTimeout,
        requestTimeout,
        tls,
        ReplicationSettings.DEFAULT);
  }

  /**
   * Makes settings that trust whom Java trusts, where they speak TLS.
   *
   * @param host the server's name or address; an IPv6 address with or without brackets
   * @param port the port of its HTTP or HTTPS interface, 1 to 65535
   * @param secure whether to speak TLS
   * @param database the database that the user is connected to; it must exist
   * @param user the user's name
   * @param password the user's password; empty for none
   * @param schema the database of the two tables; created on the first write if missing
   * @param table the name of the state table; the lock table's is {@code <table>_lock}
   * @param connectTimeout how long connecting may take
   * @param requestTimeout how long one statement may take, from when it is sent until all of its
   *     answer is here, with all that is tried again; in a walk, until its first row and for each
   *     one after
   * @throws IllegalArgumentException as the other constructor does
   */
  public ClickHouseSettings(
      String host,
      int port,
      boolean secure,
      String database,
      String user,
      String password,
      String schema,
      String table,
      Duration connectTimeout,
      Duration requestTimeout) {
    this(
        host,
        port,
        secure,
        database,
        user,
        password,
        schema,
        table,
        connectTimeout,
        requestTimeout,
        TlsSettings.DEFAULT);
  }

  /**
   * Makes settings with the default schema, table and timeouts.
   *
   * @param host the server's name or address
   * @param port the port of its HTTP or HTTPS interface
   * @param secure whether to speak TLS
   * @param database the database that the user is connected to
   * @param user the user's name
   * @param password the user's password; empty for none
   * @return the settings
   * @throws IllegalArgumentException as the constructor does
   */
  public static ClickHouseSettings of(
      String host, int port, boolean secure, String database, String user, String password) {
    return new ClickHouseSettings(
        host,
        port,
        secure,
        database,
        user,
        password,
        DEFAULT_SCHEMA,
        DEFAULT_TABLE,
        DEFAULT_CONNECT_TIMEOUT,
        DEFAULT_REQUEST_TIMEOUT);
  }

  /**
   * Changes the password.
   *
   * @param password the user's password; empty for none
   * @return settings that differ in that
   */
  public ClickHouseSettings withPassword(String password) {
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
        requestTimeout,
        tls,
        replication);
  }

  /**
   * Changes whom TLS trusts.
   *
   * @param tls whom TLS trusts
   * @return settings that differ in that
   * @throws IllegalArgumentException when TLS is set up but not spoken
   */
  public ClickHouseSettings withTls(TlsSettings tls) {
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
        requestTimeout,
        tls,
        replication);
  }

  /**
   * Changes how the tables are used where several servers hold them.
   *
   * @param replication how they are used there
   * @return settings that differ in that
   */
  public ClickHouseSettings withReplication(ReplicationSettings replication) {
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
        requestTimeout,
        tls,
        replication);
  }

  /**
   * Tells whether the host is this machine itself, so that nobody on the way can listen. By its
   * name alone; nothing is looked up.
   *
   * @return true when the host is {@code localhost}, a name below that, or a loopback address
   */
  public boolean isLoopback() {
    String name = host.toLowerCase(Locale.ROOT);
    return name.equals("localhost")
        || name.endsWith(".localhost")
        || name.matches("127(\\.[0-9]{1,3}){3}")
        || name.matches("\\[?(0*:)+0*1]?");
  }

  /** Gives all settings but the password. */
  @Override
  public String toString() {
    return "ClickHouseSettings[%s:%d, secure=%s, database=%s, user=%s, schema=%s, table=%s]"
        .formatted(host, port, secure, database, user, schema, table);
  }

  /** These settings with other timeouts. */
  ClickHouseSettings within(Duration connecting, Duration requests) {
    return new ClickHouseSettings(
        host,
        port,
        secure,
        database,
        user,
        password,
        schema,
        table,
        connecting,
        requests,
        tls,
        replication);
  }

  /** Names the server for people and in URLs, as in {@code ch.example.com:8443}. */
  String place() {
    return bracketed(host) + ":" + port;
  }

  private static void requireText(String name, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(name + " must not be blank");
    }
  }

  // The driver sends the name in a header of HTTP, and one that does not fit there not at all.
  private static void requireHeader(String name, String value) {
    if (!value.chars().allMatch(c -> c >= 0x20 && c < 0x7F)) {
      throw new IllegalArgumentException(
          name
              + " must be of printable ASCII characters, since requests carry it in a header;"
              + " connect to another database (the tables' own is the schema)");
    }
  }

  private static void requireHost(String host) {
    try {
      if (bracketed(host).equals(new URI("http://" + bracketed(host) + ":1/").getHost())) {
        return;
      }
    } catch (URISyntaxException e) {
      // Reported below, like a host that is not one.
    }
    throw new IllegalArgumentException(
        "host must be a name of letters, digits, '-' and '.', or an address, not '" + host + "'");
  }

  private static String bracketed(String host) {
    return host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
  }

  private static void requirePositive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " must be positive, not " + value);
    }
  }
}
