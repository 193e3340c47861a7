package dev.statectl.cli;

import dagger.BindsInstance;
import dagger.Component;
import dev.statectl.cli.settings.ResolvedSettings;
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
import dev.statectl.usecase.MergeState;
import dev.statectl.usecase.MigrateStore;
import dev.statectl.usecase.MoveState;
import dev.statectl.usecase.PlanTransfers;
import dev.statectl.usecase.ReplaceState;
import dev.statectl.usecase.RestoreState;
import dev.statectl.usecase.SetState;
import dev.statectl.usecase.UndoState;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.concurrent.ScheduledExecutorService;

/** The use cases over the backend that the settings name; made once the settings are known. */
@Singleton
@Component(modules = BackendModule.class)
interface BackendComponent {

  /** The backend, opened at the first call; whoever calls first closes it. */
  Backend backend();

  StateStore states();

  ListStates listStates();

  GetState getState();

  SetState setState();

  ClearState clearState();

  ChangeState changeState();

  ReplaceState replaceState();

  MergeState mergeState();

  PlanTransfers planTransfers();

  CopyState copyState();

  MoveState moveState();

  ExportStates exportStates();

  ImportStates importStates();

  RestoreState restoreState();

  UndoState undoState();

  /** As the settings want them, neither agreed to nor overruled. */
  GuardRails guardRails();

  ExamineStore examineStore();

  MigrateStore migrateStore();

  ResolvedSettings settings();

  LockTable locks();

  AcquireLock acquireLock();

  Locking locking();

  /** Runs renewals; starts its thread when a first lock is held. Shut it down in the end. */
  ScheduledExecutorService renewals();

  /** Takes what is known only after parsing. */
  @Component.Factory
  interface Factory {
    BackendComponent create(
        @BindsInstance ResolvedSettings settings,
        @BindsInstance Clock clock,
        @BindsInstance Diagnostics diagnostics,
        @BindsInstance Locking locking);
  }
}
