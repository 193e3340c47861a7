package dev.statectl.cli;

import dev.statectl.cli.settings.Setting;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/**
 * The options that say where state is kept: one for each setting. They may stand before the command
 * or behind it.
 */
final class ConnectionOptions {
  private static final String ASK_PASSWORD = "--ask-password";

  private final Map<Setting, String> flags = new EnumMap<>(Setting.class);
  private boolean askPassword;

  /** Adds the options to the command that all others stand below. */
  void addTo(CommandSpec root) {
    for (Setting setting : Setting.values()) {
      OptionSpec.Builder option =
          OptionSpec.builder(setting.flag())
              .scopeType(ScopeType.INHERIT)
              .description(description(setting))
              .setter(
                  new ISetter() {
                    @Override
                    public <T> @Nullable T set(@Nullable T value) {
                      take(root, setting, value);
                      return null;
                    }
                  });
      root.addOption(
          setting == Setting.SECURE
              ? option.type(Boolean.class).negatable(true).build()
              : option.type(String.class).arity("1").paramLabel(label(setting)).build());
    }
    root.addOption(
        OptionSpec.builder(ASK_PASSWORD)
            .scopeType(ScopeType.INHERIT)
            .description("Ask for the password on the terminal, without showing it.")
            .type(boolean.class)
            .setter(
                new ISetter() {
                  @Override
                  public <T> @Nullable T set(@Nullable T value) {
                    askPassword |= Boolean.TRUE.equals(value);
                    return null;
                  }
                })
            .build());
  }

  /** Whether an option is one of these, also where a command has inherited it. */
  static boolean isOne(OptionSpec option) {
    return names().anyMatch(option.longestName()::equals);
  }

  private static Stream<String> names() {
    return Stream.concat(
        Arrays.stream(Setting.values()).map(Setting::flag), Stream.of(ASK_PASSWORD));
  }

  /** What was given on the command line. */
  Map<Setting, String> flags() {
    return flags;
  }

  /** Whether the password is to be asked for. */
  boolean asksForPassword() {
    return askPassword;
  }

  /**
   * The options as a person may repeat them, each behind a space; a URI with a user is left out.
   */
  String shown() {
    return shownBeside("");
  }

  /** The same for a command that has options of its own, which are not to be given twice. */
  String shownBeside(String command) {
    StringBuilder shown = new StringBuilder();
    flags.forEach(
        (setting, value) -> {
          if (!command.contains(" " + setting.flag() + " ")) {
            shown.append(' ').append(shown(setting, value));
          }
        });
    return shown + (askPassword ? " " + ASK_PASSWORD : "");
  }

  private static String shown(Setting setting, String value) {
    return switch (setting) {
      case SECURE -> value.equals("true") ? setting.flag() : "--no-secure";
      case URI -> setting.flag() + "=" + (value.contains("@") ? "…" : ShellQuoting.quoted(value));
      default -> setting.flag() + "=" + ShellQuoting.quoted(value);
    };
  }

  // The parser itself sees only a repetition on one side of the command.
  private void take(CommandSpec root, Setting setting, @Nullable Object value) {
    if (value != null && flags.putIfAbsent(setting, value.toString()) != null) {
      throw new ParameterException(
          root.commandLine(), "option '" + setting.flag() + "' should be specified only once");
    }
  }

  private static String label(Setting setting) {
    return switch (setting) {
      case ENVIRONMENT, DATABASE, USER, SCHEMA, TABLE, CLUSTER -> "NAME";
      case URI -> "URI";
      case HOST -> "HOST";
      case PORT -> "PORT";
      case HOSTS -> "HOST[:PORT],...";
      case PASSWORD -> "FILE";
      case CONNECT_TIMEOUT, REQUEST_TIMEOUT, LOCK_TIMEOUT, LOCK_STALE -> "SECONDS";
      case CA_CERT, CLIENT_CERT, CLIENT_CERT_KEY -> "FILE";
      case VERIFY -> "full|ca|off";
      case MAX_STATE_BYTES -> "BYTES";
      case REPLICATED -> "auto|on|off";
      case CONSISTENCY -> "auto|strong|eventual";
      case LOCK_MODE -> "auto|immediate|settle|keeper";
      case LOCK_PEERS -> "plugin|none";
      case SECURE -> throw new AssertionError(setting);
    };
  }

  private static String[] description(Setting setting) {
    return switch (setting) {
      case ENVIRONMENT ->
          text("The environment of the Meltano project whose settings are used; null for none.");
      case URI ->
          text(
              "Where state is kept: clickhouse://USER@HOST:PORT/DATABASE[?secure=true], or"
                  + " memory:FILE for an embedded store. The password is better given in the"
                  + " environment, as "
                  + Setting.PASSWORD.variable()
                  + ".",
              "Default: what the Meltano project says; outside of a project the embedded store"
                  + " .statectl/state.json in the working directory.");
      case HOST -> text("The server. Like the next ones stronger than that part of the URI.");
      case PORT -> text("The port of its HTTP interface. Default: 8123, with --secure 8443.");
      case HOSTS ->
          text(
              "All servers of a cluster instead of --host: the next one is asked when no connection"
                  + " to the one before can be made.");
      case DATABASE -> text("The database that the user connects to.");
      case USER -> text("The user.");
      case PASSWORD ->
          text(
              "The file whose first line is the password; a pipe does as well:"
                  + " --password-file <(pass show clickhouse).");
      case SECURE -> text("Speak TLS, and check the server's certificate.");
      case VERIFY ->
          text(
              "What of the certificate to check: ca accepts any host, off everything, so that"
                  + " whoever is in between can read the password."
                  + byDefault(setting));
      case CA_CERT ->
          text(
              "The PEM file with the certificates of the authorities to trust. Default: those that"
                  + " Java trusts.");
      case CLIENT_CERT -> text("The PEM file with the client's certificate.");
      case CLIENT_CERT_KEY -> text("The PEM file with its private key (PKCS #8, not encrypted).");
      case SCHEMA -> text("The database of the two tables." + byDefault(setting));
      case TABLE ->
          text("The state table; the lock table's name ends in _lock." + byDefault(setting));
      case CONNECT_TIMEOUT -> text("How long to wait for a connection." + byDefault(setting));
      case REQUEST_TIMEOUT -> text("How long to wait for an answer." + byDefault(setting));
      case CLUSTER ->
          text(
              "The cluster of the tables, as system.clusters calls it. Default: the one called"
                  + " default.");
      case REPLICATED ->
          text(
              "Whether tables are made as replicated ones; auto: where there are several replicas."
                  + byDefault(setting));
      case CONSISTENCY ->
          text(
              "strong: most replicas have a write before it is acknowledged, and a replica catches up"
                  + " before it is read; eventual: reads show what has arrived; auto: strong where"
                  + " tables are replicated."
                  + byDefault(setting));
      case LOCK_MODE ->
          text(
              "settle: wait a second before each lock, as the Meltano plugin does; keeper: ClickHouse"
                  + " Keeper decides; auto: keeper where there are several replicas, else"
                  + " immediate."
                  + byDefault(setting));
      case LOCK_PEERS ->
          text(
              "none: the Meltano plugin never uses these tables; the same for all."
                  + byDefault(setting));
      case LOCK_TIMEOUT -> text("How long to wait for a lock; 0 to try once." + byDefault(setting));
      case LOCK_STALE ->
          text(
              "After how long a lock that is not renewed counts no more; the same for all."
                  + byDefault(setting));
      case MAX_STATE_BYTES ->
          text("How long a state may become unless --force is given." + byDefault(setting));
    };
  }

  private static String byDefault(Setting setting) {
    return " Default: " + setting.defaultValue() + ".";
  }

  private static String[] text(String... paragraphs) {
    return paragraphs;
  }
}
