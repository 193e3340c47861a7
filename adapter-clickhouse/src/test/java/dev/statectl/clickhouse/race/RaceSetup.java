package dev.statectl.clickhouse.race;

import dev.statectl.clickhouse.ClickHouseBackend;
import dev.statectl.clickhouse.ClickHouseSettings;
import dev.statectl.clickhouse.Consistency;
import dev.statectl.clickhouse.KeeperLocks;
import dev.statectl.clickhouse.LockPeers;
import dev.statectl.clickhouse.Replicated;
import dev.statectl.clickhouse.ReplicationSettings;
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
 * @param keeper whether Keeper gives the lock
 */
record RaceSetup(
    ClickHouseEndpoint endpoint,
    String schema,
    Path directory,
    LockPeers peers,
    int staleSeconds,
    long seed,
    KeeperLocks keeper) {
  static final StateId ID = StateId.of("race:tap-to-target");

  /** The plugin's settle time. */
  static final Duration SETTLE = Duration.ofSeconds(1);

  /** How many arguments a setup is; what a process is told besides comes after them. */
  static final int ARGUMENTS = 12;

  /** A race on one server, for which rows give the lock. */
  RaceSetup(
      ClickHouseEndpoint endpoint,
      String schema,
      Path directory,
      LockPeers peers,
      int staleSeconds,
      long seed) {
    this(endpoint, schema, directory, peers, staleSeconds, seed, KeeperLocks.AUTO);
  }

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
        Long.parseLong(arguments[10]),
        KeeperLocks.valueOf(arguments[11]));
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
        Long.toString(seed),
        keeper.name());
  }

  RaceSetup withSeed(long other) {
    return new RaceSetup(endpoint, schema, directory, peers, staleSeconds, other, keeper);
  }

  RaceSetup at(ClickHouseEndpoint other) {
    return new RaceSetup(other, schema, directory, peers, staleSeconds, seed, keeper);
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
                Duration.ofSeconds(60))
            .withReplication(
                new ReplicationSettings("", Replicated.AUTO, Consistency.AUTO, keeper)),
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
