package dev.statectl.cli.settings;

import dev.statectl.clickhouse.ClickHouseSettings;
import dev.statectl.clickhouse.TlsSettings.Verification;
import java.util.List;
import java.util.Locale;

/** What others on the way can do with a connection as it is set up. */
final class TransportDangers {
  private TransportDangers() {}

  /** Gives what there is to tell, a line each; nothing when nobody can listen. */
  static List<String> of(ClickHouseSettings settings) {
    String place = settings.host() + ":" + settings.port();
    if (settings.secure()) {
      return settings.tls().verification() == Verification.OFF
          ? List.of(
              Setting.VERIFY.key()
                  + " is off: whoever is between here and "
                  + place
                  + " can read and change everything, the password included")
          : List.of();
    }
    return settings.password().isEmpty() || isLoopback(settings.host())
        ? List.of()
        : List.of(
            "the password goes to "
                + place
                + " in plain HTTP, where others on the way can read it; use "
                + Setting.SECURE.flag()
                + " if the server speaks TLS");
  }

  // By its name alone: nothing is looked up before a command needs its server.
  private static boolean isLoopback(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    return name.equals("localhost")
        || name.endsWith(".localhost")
        || name.matches("127(\\.[0-9]{1,3}){3}")
        || name.matches("\\[?(0*:)*:?0*1]?");
  }
}
