package dev.statectl.cli;

import dev.statectl.cli.settings.Setting;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The options that say where state is kept. They may stand before the command or behind it. */
final class ConnectionOptions {
  private final Map<Setting, String> flags = new EnumMap<>(Setting.class);

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec root;

  @Option(
      names = "--uri",
      paramLabel = "URI",
      scope = ScopeType.INHERIT,
      description = {
        "Where state is kept: clickhouse://USER@HOST:PORT/DATABASE[?secure=true], or memory:FILE"
            + " for an embedded store. The password is better given in the environment, as"
            + " MELTANO_STATE_BACKEND_CLICKHOUSE_PASSWORD.",
        "Default: what the Meltano project says; outside of a project the embedded store"
            + " .statectl/state.json in the working directory."
      })
  private void setUri(@Nullable String uri) {
    set(Setting.URI, uri);
  }

  @Option(
      names = "--environment",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "The environment of the Meltano project whose settings are used.")
  private void setEnvironment(@Nullable String environment) {
    set(Setting.ENVIRONMENT, environment);
  }

  /** What was given on the command line. */
  Map<Setting, String> flags() {
    return flags;
  }

  /**
   * The options as a person may repeat them, each behind a space; a URI with a user is left out.
   */
  String shown() {
    StringBuilder shown = new StringBuilder();
    flags.forEach(
        (setting, value) ->
            shown
                .append(' ')
                .append(setting.flag())
                .append('=')
                .append(
                    setting.secret() && value.contains("@") ? "…" : ShellQuoting.quoted(value)));
    return shown.toString();
  }

  // The parser itself sees only a repetition on one side of the command.
  private void set(Setting setting, @Nullable String value) {
    if (value == null) {
      return;
    }
    if (root == null) {
      throw new IllegalStateException("not part of a command line");
    }
    if (flags.putIfAbsent(setting, value) != null) {
      throw new ParameterException(
          root.commandLine(), "option '" + setting.flag() + "' should be specified only once");
    }
  }
}
