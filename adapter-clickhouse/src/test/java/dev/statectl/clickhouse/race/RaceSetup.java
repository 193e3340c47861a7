package dev.statectl.clickhouse.race;

import dev.statectl.clickhouse.ClickHouseBackend;
import dev.statectl.clickhouse.ClickHouseSettings;
import dev.statectl.clickhouse.LockPeers;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.lock.LockMode;
import dev.statectl.lock.LockTerms;
import dev.statectl.state.StateId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What all processes of a race share.
 *
 * @param directory where the witnesses and logs are
 * @param staleSeconds the stale time of all who take part; the plugin's 300 s would make each crash
 *     cost five minutes
 */
record RaceSetup(
    ClickHouseEndpoint endpoint,
    String schema,
    Path directory,
    LockPeers peers,
    int staleSeconds,
    long seed) {
  static final StateId ID = StateId.of("race:tap-to-target");

  /** The plugin's settle time. */
  static final Duration SETTLE = Duration.ofSeconds(1);

  static RaceSetup of(String[] arguments) {
    return new RaceSetup(
        new ClickHouseEndpoint(
            arguments[0],
            Integer.parseInt(arguments[1]),
            Boolean.parseBoolean(arguments[2]),
            arguments[3],
            arguments[4],
            arguments[5]),
        arguments[6],
        Path.of(arguments[7]),
        LockPeers.valueOf(arguments[8]),
        Integer.parseInt(arguments[9]),
        Long.parseLong(arguments[10]));
  }

  /** The arguments of a process, of which {@link #of} makes an equal setup. */
  List<String> arguments() {
    return List.of(
        endpoint.host(),
        Integer.toString(endpoint.port()),
        Boolean.toString(endpoint.secure()),
        endpoint.user(),
        endpoint.password(),
        endpoint.database(),
        schema,
        directory.toString(),
        peers.name(),
        Integer.toString(staleSeconds),
        Long.toString(seed));
  }

  RaceSetup withSeed(long other) {
    return new RaceSetup(endpoint, schema, directory, peers, staleSeconds, other);
  }

  ClickHouseBackend open() {
    return ClickHouseBackend.open(
        new ClickHouseSettings(
            endpoint.host(),
            endpoint.port(),
            endpoint.secure(),
            endpoint.database(),
            endpoint.user(),
            endpoint.password(),
            schema,
            "state",
            Duration.ofSeconds(10),
            Duration.ofSeconds(60)),
        peers);
  }

  LockTerms terms() {
    boolean tooShort = SETTLE.multipliedBy(2).toSeconds() >= staleSeconds;
    return new LockTerms(
        LockMode.IMMEDIATE,
        Duration.ofSeconds(staleSeconds),
        tooShort ? Duration.ZERO : SETTLE,
        Duration.ofSeconds(10),
        Duration.ofMillis(300));
  }
}
