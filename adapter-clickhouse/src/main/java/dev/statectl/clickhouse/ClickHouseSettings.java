package dev.statectl.clickhouse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

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
 * @param fallbacks further servers with the same tables, which are asked in this order when no
 *     connection to the one before can be made; empty for none
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
    ReplicationSettings replication,
    List<ServerAddress> fallbacks) {
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
   * @param fallbacks further servers with the same tables, which are asked in this order when no
   *     connection to the one before can be made; empty for none
   * @throws IllegalArgumentException when a text other than the password is blank, the host cannot
   *     be one, the port is out of range, a timeout is not positive, or schema or table is a name
   *     that cannot be used: one with a backtick, a control character, or half of a surrogate pair,
   *     or one that is longer than ClickHouse can store; or when TLS is set up but not spoken
   */
  public ClickHouseSettings {
    new ServerAddress(host, port);
    requireText("database", database);
    requireHeader("database", database);
    requireText("user", user);
    TableNames.check(schema, table);
    requirePositive("connectTimeout", connectTimeout);
    requirePositive("requestTimeout", requestTimeout);
    if (!secure && !tls.equals(TlsSettings.DEFAULT)) {
      throw new IllegalArgumentException("tls is set up, but secure is false");
    }
    fallbacks = List.copyOf(fallbacks);
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
        ReplicationSettings.DEFAULT,
        List.of());
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
    return with(password, connectTimeout, requestTimeout, tls, replication, fallbacks);
  }

  /**
   * Changes whom TLS trusts.
   *
   * @param tls whom TLS trusts
   * @return settings that differ in that
   * @throws IllegalArgumentException when TLS is set up but not spoken
   */
  public ClickHouseSettings withTls(TlsSettings tls) {
    return with(password, connectTimeout, requestTimeout, tls, replication, fallbacks);
  }

  /**
   * Changes how the tables are used where several servers hold them.
   *
   * @param replication how they are used there
   * @return settings that differ in that
   */
  public ClickHouseSettings withReplication(ReplicationSettings replication) {
    return with(password, connectTimeout, requestTimeout, tls, replication, fallbacks);
  }

  /**
   * Changes who is asked when no connection can be made.
   *
   * @param fallbacks further servers with the same tables, in the order in which they are asked
   * @return settings that differ in that
   */
  public ClickHouseSettings withFallbacks(List<ServerAddress> fallbacks) {
    return with(password, connectTimeout, requestTimeout, tls, replication, fallbacks);
  }

  /**
   * Tells whether all servers are this machine itself, so that nobody on the way can listen. By
   * their names alone; nothing is looked up.
   *
   * @return true when each host is {@code localhost}, a name below that, or a loopback address
   */
  public boolean isLoopback() {
    return servers().stream().allMatch(ServerAddress::isLoopback);
  }

  /** Gives all settings but the password. */
  @Override
  public String toString() {
    return "ClickHouseSettings[%s, secure=%s, database=%s, user=%s, schema=%s, table=%s]"
        .formatted(place(), secure, database, user, schema, table);
  }

  /** These settings with other timeouts. */
  ClickHouseSettings within(Duration connecting, Duration requests) {
    return with(password, connecting, requests, tls, replication, fallbacks);
  }

  // All that may be changed, in one place.
  private ClickHouseSettings with(
      String password,
      Duration connectTimeout,
      Duration requestTimeout,
      TlsSettings tls,
      ReplicationSettings replication,
      List<ServerAddress> fallbacks) {
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
        replication,
        fallbacks);
  }

  /** All servers, in the order in which they are asked. */
  List<ServerAddress> servers() {
    List<ServerAddress> servers = new ArrayList<>();
    servers.add(new ServerAddress(host, port));
    servers.addAll(fallbacks);
    return servers;
  }

  /** Names the servers for people, as in {@code ch1.example.com:8443,ch2.example.com:8443}. */
  String place() {
    return servers().stream().map(ServerAddress::toString).collect(Collectors.joining(","));
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

  private static void requirePositive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " must be positive, not " + value);
    }
  }
}
