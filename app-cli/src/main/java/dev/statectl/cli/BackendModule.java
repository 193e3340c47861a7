package dev.statectl.cli;

import dagger.Module;
import dagger.Provides;
import dev.statectl.cli.settings.BackendLocation.ClickHouseLocation;
import dev.statectl.cli.settings.BackendLocation.SnapshotLocation;
import dev.statectl.cli.settings.ResolvedSettings;
import dev.statectl.clickhouse.ClickHouseBackend;
import dev.statectl.inmemory.InMemoryBackend;
import dev.statectl.port.Backend;
import dev.statectl.port.StateStore;
import dev.statectl.usecase.ClearState;
import dev.statectl.usecase.GetState;
import dev.statectl.usecase.ListStates;
import dev.statectl.usecase.SetState;
import jakarta.inject.Singleton;
import java.time.Clock;

/** How the parts of a {@link BackendComponent} are made. */
@Module
final class BackendModule {
  private BackendModule() {}

  @Provides
  @Singleton
  static Backend backend(ResolvedSettings settings, Clock clock) {
    if (settings.location() instanceof ClickHouseLocation location) {
      return ClickHouseBackend.open(location.settings());
    }
    if (settings.location() instanceof SnapshotLocation location) {
      return InMemoryBackend.open(location.file(), clock);
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
  static SetState setState(StateStore states) {
    return new SetState(states);
  }

  @Provides
  static ClearState clearState(StateStore states) {
    return new ClearState(states);
  }
}
