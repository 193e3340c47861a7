package dev.statectl.usecase;

import dev.statectl.clickhouse.ClickHouseBackend;
import dev.statectl.clickhouse.ClickHouseSettings;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.inmemory.InMemoryBackend;
import dev.statectl.json.JsonObject;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.Backend;
import dev.statectl.port.LockTable;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** The adapters that every use case is tested over. */
enum Place {
  IN_MEMORY {
    @Override
    Backend open() {
      return InMemoryBackend.create(Clock.systemUTC());
    }
  },

  /** On the real engine, in a database of its own. */
  CLICKHOUSE {
    @Override
    Backend open() {
      TestClickHouse clickHouse = TestClickHouse.shared();
      ClickHouseEndpoint endpoint = clickHouse.endpoint();
      ClickHouseSettings settings =
          ClickHouseSettings.of(
              endpoint.host(),
              endpoint.port(),
              endpoint.secure(),
              endpoint.database(),
              endpoint.user(),
              endpoint.password());
      return ClickHouseBackend.open(
          new ClickHouseSettings(
              settings.host(),
              settings.port(),
              settings.secure(),
              settings.database(),
              settings.user(),
              settings.password(),
              clickHouse.freshSchema(),
              "state",
              settings.connectTimeout(),
              settings.requestTimeout()));
    }
  };

  private static final ScheduledExecutorService TIMER =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "test-renewal");
            thread.setDaemon(true);
            return thread;
          });

  /** A backend without states. */
  abstract Backend open();

  static AcquireLock locks(LockTable table, LockTerms terms) {
    return new AcquireLock(
        table,
        terms,
        LockMeans.of(
            Clock.systemUTC(),
            new SecureRandom(),
            System::nanoTime,
            duration -> Thread.sleep(duration.toMillis()),
            TIMER),
        "the test");
  }

  static AcquireLock locks(Backend backend) {
    return locks(backend.locks(), LockTerms.DEFAULT);
  }

  static State state(String id, String completed, String partial) {
    return State.of(StateId.of(id), JsonObject.parse(completed), JsonObject.parse(partial));
  }
}
