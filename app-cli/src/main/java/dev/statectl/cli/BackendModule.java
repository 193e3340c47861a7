package dev.statectl.cli;

import dagger.Module;
import dagger.Provides;
import dev.statectl.cli.settings.BackendLocation.ClickHouseLocation;
import dev.statectl.cli.settings.BackendLocation.SnapshotLocation;
import dev.statectl.cli.settings.ResolvedSettings;
import dev.statectl.clickhouse.ClickHouseBackend;
import dev.statectl.inmemory.InMemoryBackend;
import dev.statectl.port.Backend;
import dev.statectl.port.LockTable;
import dev.statectl.port.StateStore;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.ChangeState;
import dev.statectl.usecase.ClearState;
import dev.statectl.usecase.CopyState;
import dev.statectl.usecase.ExamineStore;
import dev.statectl.usecase.ExportStates;
import dev.statectl.usecase.GetState;
import dev.statectl.usecase.GuardRails;
import dev.statectl.usecase.ImportStates;
import dev.statectl.usecase.ListStates;
import dev.statectl.usecase.LockMeans;
import dev.statectl.usecase.MergeState;
import dev.statectl.usecase.MigrateStore;
import dev.statectl.usecase.MoveState;
import dev.statectl.usecase.PlanTransfers;
import dev.statectl.usecase.ReplaceState;
import dev.statectl.usecase.RestoreState;
import dev.statectl.usecase.SetState;
import dev.statectl.usecase.UndoState;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** How the parts of a {@link BackendComponent} are made. */
@Module
final class BackendModule {
  private BackendModule() {}

  @Provides
  @Singleton
  static Backend backend(ResolvedSettings settings, Clock clock, Locking locking) {
    if (settings.location() instanceof ClickHouseLocation location) {
      return ClickHouseBackend.open(location.settings(), location.peers(), locking.holder());
    }
    if (settings.location() instanceof SnapshotLocation location) {
      return InMemoryBackend.open(location.file(), clock, locking.storeWait());
    }
    return InMemoryBackend.create(clock);
  }

  @Provides
  static StateStore states(Backend backend) {
    return backend.states();
  }

  @Provides
  static ListStates listStates(StateStore states) {
    return new ListStates(states);
  }

  @Provides
  static GetState getState(StateStore states) {
    return new GetState(states);
  }

  @Provides
  @Singleton
  static LockTable locks(Backend backend, Diagnostics diagnostics) {
    return new ObstacleTellingLockTable(backend.locks(), diagnostics);
  }

  @Provides
  @Singleton
  static ScheduledExecutorService renewals() {
    return new ScheduledThreadPoolExecutor(
        1,
        task -> {
          Thread thread = new Thread(task, "lock-renewal");
          thread.setDaemon(true);
          return thread;
        });
  }

  @Provides
  @Singleton
  static AcquireLock acquireLock(
      LockTable table, Locking locking, Clock clock, ScheduledExecutorService renewals) {
    LockMeans means =
        LockMeans.of(clock, new SecureRandom(), System::nanoTime, locking.pause(), renewals);
    return new AcquireLock(table, locking.terms(), means, locking.holder(), locking.waiting());
  }

  @Provides
  static GuardRails guardRails(ResolvedSettings settings) {
    return GuardRails.of(settings.location().maxStateBytes());
  }

  @Provides
  static SetState setState(StateStore states, AcquireLock locks) {
    return new SetState(states, locks);
  }

  @Provides
  static ReplaceState replaceState(StateStore states, AcquireLock locks) {
    return new ReplaceState(states, locks);
  }

  @Provides
  static ClearState clearState(StateStore states, AcquireLock locks) {
    return new ClearState(states, locks);
  }

  @Provides
  static ChangeState changeState(StateStore states, AcquireLock locks) {
    return new ChangeState(states, locks);
  }

  @Provides
  static MergeState mergeState(StateStore states, AcquireLock locks) {
    return new MergeState(states, locks);
  }

  @Provides
  static PlanTransfers planTransfers(StateStore states) {
    return new PlanTransfers(states);
  }

  @Provides
  static CopyState copyState(StateStore states, AcquireLock locks) {
    return new CopyState(states, locks);
  }

  @Provides
  static MoveState moveState(StateStore states, AcquireLock locks) {
    return new MoveState(states, locks);
  }

  @Provides
  static ExportStates exportStates(StateStore states) {
    return new ExportStates(states);
  }

  @Provides
  static ImportStates importStates(StateStore states, AcquireLock locks) {
    return new ImportStates(states, locks);
  }

  @Provides
  static RestoreState restoreState(StateStore states, Backend backend, AcquireLock locks) {
    return new RestoreState(states, backend.history(), locks);
  }

  @Provides
  static UndoState undoState(StateStore states, Backend backend, AcquireLock locks) {
    return new UndoState(states, backend.history(), locks);
  }

  @Provides
  static MigrateStore migrateStore(Backend backend) {
    return new MigrateStore(backend);
  }

  @Provides
  static ExamineStore examineStore(Backend backend, Locking locking, Clock clock) {
    return new ExamineStore(backend, locking.terms(), clock);
  }
}
