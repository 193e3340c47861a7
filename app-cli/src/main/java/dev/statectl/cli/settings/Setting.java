package dev.statectl.cli.settings;

import dev.statectl.clickhouse.ClickHouseSettings;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.SaveRules;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What can be set, with the names that Meltano gives it. The order is that of reports.
 *
 * <p>Meltano derives the name of a setting's environment variable from its key: see <a
 * href="https://docs.meltano.com/guide/configuration">Meltano's guide to configuration</a>.
 */
public enum Setting {
  /** The environment of the Meltano project; none when the project names none. */
  ENVIRONMENT("environment", null, Secrecy.PUBLIC),
  /** Which backend, and where: {@code clickhouse://…}, {@code memory:} or {@code memory:PATH}. */
  URI("state_backend.uri", null, Secrecy.CREDENTIALS_BEFORE_AT),
  /** The server's name or address. */
  HOST("state_backend.clickhouse.host", "localhost", Secrecy.PUBLIC),
  /** The port of the server's HTTP interface; 8443 by default when {@link #SECURE}, else 8123. */
  PORT("state_backend.clickhouse.port", null, Secrecy.PUBLIC),
  /** All servers with the tables, instead of one host: {@code HOST[:PORT],HOST[:PORT]}. */
  HOSTS("state_backend.clickhouse.hosts", null, Secrecy.PUBLIC),
  /** The database that the user is connected to; required. */
  DATABASE("state_backend.clickhouse.database", null, Secrecy.PUBLIC),
  /** The user's name; required. */
  USER("state_backend.clickhouse.user", null, Secrecy.PUBLIC),
  /** The user's password. */
  PASSWORD("state_backend.clickhouse.password", "", Secrecy.SECRET),
  /** Whether to speak TLS. */
  SECURE("state_backend.clickhouse.secure", "false", Secrecy.PUBLIC),
  /** What of the server's certificate is verified: {@code full}, {@code ca} or {@code off}. */
  VERIFY("state_backend.clickhouse.verify", "full", Secrecy.PUBLIC),
  /** The certificates of the authorities that are trusted: a file, or PEM; else Java's. */
  CA_CERT("state_backend.clickhouse.ca_cert", null, Secrecy.PUBLIC),
  /** The client's certificate: a file, or PEM; none without. */
  CLIENT_CERT("state_backend.clickhouse.client_cert", null, Secrecy.PUBLIC),
  /** The key of the client's certificate: a file, or PEM. */
  CLIENT_CERT_KEY("state_backend.clickhouse.client_cert_key", null, Secrecy.SECRET),
  /** The database of the two tables. */
  SCHEMA("state_backend.clickhouse.schema", ClickHouseSettings.DEFAULT_SCHEMA, Secrecy.PUBLIC),
  /** The name of the state table. */
  TABLE("state_backend.clickhouse.table", ClickHouseSettings.DEFAULT_TABLE, Secrecy.PUBLIC),
  /** The cluster of the tables; else the one that is called so by default. */
  CLUSTER("state_backend.clickhouse.cluster", null, Secrecy.PUBLIC),
  /** Whether tables are made as replicated ones: {@code auto}, {@code on} or {@code off}. */
  REPLICATED("state_backend.clickhouse.replicated", "auto", Secrecy.PUBLIC),
  /** What a replica shows of writes to others: {@code auto}, {@code strong}, {@code eventual}. */
  CONSISTENCY("state_backend.clickhouse.consistency", "auto", Secrecy.PUBLIC),
  /** How long connecting may take, in seconds. */
  CONNECT_TIMEOUT(
      "state_backend.clickhouse.connect_timeout",
      String.valueOf(ClickHouseSettings.DEFAULT_CONNECT_TIMEOUT.toSeconds()),
      Secrecy.PUBLIC),
  /** How long one statement may take, in seconds. */
  REQUEST_TIMEOUT(
      "state_backend.clickhouse.request_timeout",
      String.valueOf(ClickHouseSettings.DEFAULT_REQUEST_TIMEOUT.toSeconds()),
      Secrecy.PUBLIC),
  /**
   * How locks are taken: {@code immediate}, {@code settle} as the Meltano plugin does, or {@code
   * keeper}; {@code auto} for what is safe here.
   */
  LOCK_MODE("state_backend.clickhouse.lock_mode", "auto", Secrecy.PUBLIC),
  /** Who else locks here: {@code plugin}, or {@code none} but users who were told so, too. */
  LOCK_PEERS("state_backend.clickhouse.lock_peers", "plugin", Secrecy.PUBLIC),
  /** How long to wait for a lock that somebody else holds, in seconds; zero to try once. */
  LOCK_TIMEOUT(
      "state_backend.clickhouse.lock_timeout",
      String.valueOf(LockTerms.DEFAULT.timeout().toSeconds()),
      Secrecy.PUBLIC),
  /** After how many seconds a lock that is not renewed counts no more; the same for all. */
  LOCK_STALE(
      "state_backend.clickhouse.lock_stale",
      String.valueOf(LockTerms.DEFAULT.stale().toSeconds()),
      Secrecy.PUBLIC),
  /** How long a state may become by hand, both halves together, in bytes. */
  MAX_STATE_BYTES(
      "state_backend.clickhouse.max_state_bytes",
      String.valueOf(SaveRules.MAX_STATE_BYTES),
      Secrecy.PUBLIC);

  /** What of a value may be shown. */
  private enum Secrecy {
    PUBLIC,
    CREDENTIALS_BEFORE_AT,
    SECRET
  }

  private final String key;
  private final @Nullable String defaultValue;
  private final Secrecy secrecy;

  Setting(String key, @Nullable String defaultValue, Secrecy secrecy) {
    this.key = key;
    this.defaultValue = defaultValue;
    this.secrecy = secrecy;
  }

  /**
   * Gives the key in {@code meltano.yml}.
   *
   * @return the key, with dots
   */
  public String key() {
    return key;
  }

  /**
   * Gives the name of the environment variable.
   *
   * @return {@code MELTANO_} and the key in capitals, dots as underscores
   */
  public String variable() {
    return "MELTANO_" + key.replace('.', '_').toUpperCase(Locale.ROOT);
  }

  /**
   * Gives the name of the flag on the command line. A password is no flag's value, since arguments
   * can be seen by every user of a machine: its flag names a file.
   *
   * @return the flag, with its two dashes
   */
  public String flag() {
    return this == PASSWORD ? "--password-file" : "--" + shortName().replace('_', '-');
  }

  /** The last part of the key, as it is used in a URI's parameters and in messages. */
  String shortName() {
    return key.substring(key.lastIndexOf('.') + 1);
  }

  /**
   * Gives the value that holds when none was set.
   *
   * @return the default, or null if there is none or it depends on other settings
   */
  public @Nullable String defaultValue() {
    return defaultValue;
  }

  /**
   * Tells whether the value is a secret or may hold one.
   *
   * @return true if the value must not be shown as it is
   */
  public boolean secret() {
    return secrecy != Secrecy.PUBLIC;
  }
}
