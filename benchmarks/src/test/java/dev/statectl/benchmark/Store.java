package dev.statectl.benchmark;

import dev.statectl.clickhouse.ClickHouseBackend;
import dev.statectl.clickhouse.ClickHouseSettings;
import dev.statectl.clickhouse.Consistency;
import dev.statectl.clickhouse.KeeperLocks;
import dev.statectl.clickhouse.LockPeers;
import dev.statectl.clickhouse.Replicated;
import dev.statectl.clickhouse.ReplicationSettings;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.lock.LockMode;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateId;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.ExportStates;
import dev.statectl.usecase.GetState;
import dev.statectl.usecase.ImportStates;
import dev.statectl.usecase.ListStates;
import dev.statectl.usecase.LockMeans;
import dev.statectl.usecase.SaveState;
import dev.statectl.usecase.SetState;
import dev.statectl.usecase.StateSession;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** statectl on tables of a schema, through its public doors. */
record Store(String schema, ClickHouseBackend backend, AcquireLock locks) implements AutoCloseable {
  // Longer than anything that is measured takes.
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  private static final ScheduledExecutorService TIMER =
      Executors.newScheduledThreadPool(
          2,
          work -> {
            Thread thread = new Thread(work, "timer");
            thread.setDaemon(true);
            return thread;
          });

  static final LockMeans MEANS =
      LockMeans.of(
          Clock.systemUTC(),
          new Random(),
          System::nanoTime,
          duration -> Thread.sleep(duration.toMillis(), duration.toNanosPart() % 1_000_000),
          TIMER);

  /**
   * How a store is opened.
   *
   * @param peers who else locks
   * @param mode how locks are taken
   * @param keeper whether Keeper gives them, for which the engine must have one
   */
  record Way(LockPeers peers, LockMode mode, KeeperLocks keeper) {
    static final Way PLUGIN = new Way(LockPeers.PLUGIN, LockMode.IMMEDIATE, KeeperLocks.OFF);
    static final Way NONE = new Way(LockPeers.NONE, LockMode.IMMEDIATE, KeeperLocks.OFF);
    static final Way SETTLE = new Way(LockPeers.PLUGIN, LockMode.SETTLE, KeeperLocks.OFF);
    static final Way KEEPER = new Way(LockPeers.NONE, LockMode.IMMEDIATE, KeeperLocks.ON);
    static final Way KEEPER_PLUGIN = new Way(LockPeers.PLUGIN, LockMode.IMMEDIATE, KeeperLocks.ON);
  }

  static Store open(ClickHouseEndpoint endpoint, String schema, Way way) {
    ClickHouseSettings settings =
        new ClickHouseSettings(
                endpoint.host(),
                endpoint.port(),
                endpoint.secure(),
                endpoint.database(),
                endpoint.user(),
                endpoint.password(),
                schema,
                ClickHouseSettings.DEFAULT_TABLE,
                Duration.ofSeconds(10),
                TIMEOUT)
            .withReplication(
                new ReplicationSettings("", Replicated.AUTO, Consistency.AUTO, way.keeper()));
    ClickHouseBackend backend = ClickHouseBackend.open(settings, way.peers());
    LockTerms terms = LockTerms.DEFAULT.withMode(way.mode()).withTimeout(TIMEOUT);
    return new Store(schema, backend, new AcquireLock(backend.locks(), terms, MEANS, "benchmark"));
  }

  /** Opens one on tables that nobody else uses. */
  static Store fresh(TestClickHouse clickHouse, Way way) {
    return open(clickHouse.endpoint(), clickHouse.freshSchema(), way);
  }

  StateStore states() {
    return backend.states();
  }

  GetState get() {
    return new GetState(states());
  }

  SaveState save() {
    return new SaveState(states(), locks);
  }

  SetState set() {
    return new SetState(states(), locks);
  }

  StateSession session(StateId id, Duration interval) {
    return StateSession.open(id, states(), locks, interval, MEANS);
  }

  ListStates list() {
    return new ListStates(states());
  }

  ImportStates imports() {
    return new ImportStates(states(), locks);
  }

  ExportStates export() {
    return new ExportStates(states());
  }

  @Override
  public void close() {
    backend.close();
  }
}
