package dev.statectl.cli.settings;

import dev.statectl.clickhouse.ClickHouseSettings;
import dev.statectl.clickhouse.ServerAddress;
import dev.statectl.clickhouse.TlsSettings.Verification;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What others on the way can do with a connection as it is set up. */
final class TransportDangers {
  private TransportDangers() {}

  /** Gives what there is to tell, a line each; nothing when nobody can listen. */
  static List<String> of(ClickHouseSettings settings) {
    String place =
        Stream.concat(
                Stream.of(new ServerAddress(settings.host(), settings.port())),
                settings.fallbacks().stream())
            .map(ServerAddress::toString)
            .collect(Collectors.joining(" and "));
    if (settings.secure()) {
      return settings.tls().verification() == Verification.OFF
          ? List.of(
              Setting.VERIFY.key()
                  + " is off: whoever is between here and "
                  + place
                  + " can read and change everything, the password included")
          : List.of();
    }
    return settings.password().isEmpty() || settings.isLoopback()
        ? List.of()
        : List.of(
            "the password goes to "
                + place
                + " in plain HTTP, where others on the way can read it; use "
                + Setting.SECURE.flag()
                + " if the server speaks TLS");
  }
}
