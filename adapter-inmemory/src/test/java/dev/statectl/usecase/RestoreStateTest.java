package dev.statectl.usecase;

import static dev.statectl.usecase.UseCaseFixture.ID;
import static dev.statectl.usecase.UseCaseFixture.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.port.HistoryEntry;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateHistory;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RestoreStateTest {
  private final UseCaseFixture fixture = new UseCaseFixture();
  private final StateStore store = fixture.store();
  private final RestoreState restoreState =
      new RestoreState(store, fixture.history(), fixture.locks());
  private final State first = state("{ \"a\" : 1.0 }", "{\"p\":1e3}");
  private StateVersion version = StateVersion.NONE;

  @BeforeEach
  void record() {
    fixture.history().enable(Duration.ofDays(90));
    version = store.save(first);
  }

  @Test
  void bothHalvesComeBackAsANewVersion() {
    StateVersion second = store.save(state("{\"a\":2}", "{}"));
    RestorePlan plan = restoreState.plan(ID, version);
    assertThat(plan.changesNothing()).isFalse();
    assertThat(plan.target()).isEqualTo(first.withVersion(version));
    assertThat(plan.source().version()).isEqualTo(version);
    assertThat(fixture.stored().version()).isEqualTo(second);

    StateVersion restored = restoreState.apply(plan).orElseThrow();
    assertThat(restored).isGreaterThan(second);
    assertThat(fixture.stored()).isEqualTo(first.withVersion(restored));
    assertThat(entries())
        .extracting(HistoryEntry::version)
        .containsExactly(restored, second, version);
    assertThat(entries()).allSatisfy(entry -> assertThat(entry.revertedTo()).isEmpty());
  }

  @Test
  void whatIsStoredAlreadyIsNotWrittenAgain() {
    RestorePlan plan = restoreState.plan(ID, version);
    assertThat(plan.changesNothing()).isTrue();
    assertThat(restoreState.apply(plan)).isEmpty();
    assertThat(fixture.stored().version()).isEqualTo(version);
    assertThat(entries()).hasSize(1);
  }

  @Test
  void anOlderVersionWithTheBytesOfTheCurrentOneIsNotWrittenAgain() {
    StateVersion same = store.save(first);
    RestorePlan plan = restoreState.plan(ID, version);
    assertThat(plan.changesNothing()).isTrue();
    assertThat(restoreState.apply(plan)).isEmpty();
    assertThat(fixture.stored().version()).isEqualTo(same);
  }

  @Test
  void whatWasRemovedComesBack() {
    store.delete(ID);
    RestorePlan plan = restoreState.plan(ID, version);
    assertThat(plan.current()).isEmpty();
    assertThat(restoreState.apply(plan)).isPresent();
    assertThat(fixture.stored().completed()).isEqualTo(first.completed());
  }

  @Test
  void whatCannotBeReadIsReplaced() {
    fixture.plant("[1]", "2027-01-01T00:00:00Z");
    restoreState.apply(restoreState.plan(ID, version));
    assertThat(fixture.stored().partial()).isEqualTo(first.partial());
  }

  @Test
  void aVersionThatIsNoStateIsRefused() {
    fixture.plant("[1]", "2020-01-01T00:00:00Z");
    assertThatThrownBy(() -> restoreState.plan(ID, UseCaseFixture.version("2020-01-01T00:00:00Z")))
        .isInstanceOf(StateFailure.UnreadableState.class)
        .hasMessageStartingWith(
            "the state of 'dev:tap-to-target' cannot be read: column completed_state: version"
                + " 2020-01-01T00:00:00Z in the history: ");
  }

  @Test
  void aVersionThatNeverWasIsNotFound() {
    assertThatThrownBy(() -> restoreState.plan(ID, UseCaseFixture.version("2020-01-01T00:00:00Z")))
        .isInstanceOf(StateFailure.NotFound.class)
        .hasMessage(
            "the history of 'dev:tap-to-target' has no version 2020-01-01T00:00:00Z; to see which"
                + " it has: statectl history");
  }

  @Test
  void aRemovalIsNotRestored() {
    store.delete(ID);
    StateVersion removal = entries().get(0).version();
    assertThatThrownBy(() -> restoreState.plan(ID, removal))
        .isInstanceOf(StateFailure.NotFound.class)
        .hasMessage(
            "the version "
                + removal
                + " of 'dev:tap-to-target' is its removal; to remove it again: statectl clear");
  }

  @Test
  void withoutHistoryThereIsNothingToRestore() {
    UseCaseFixture other = new UseCaseFixture();
    assertThatThrownBy(
            () -> new RestoreState(other.store(), other.history(), other.locks()).plan(ID, version))
        .isInstanceOf(StateFailure.NoHistory.class)
        .hasMessage(
            "no history was ever recorded at memory; from now on it is recorded after: statectl"
                + " history enable");
  }

  @Test
  void whoChangedItSinceThePlanIsNoticed() {
    store.save(state("{\"a\":2}", "{}"));
    RestorePlan plan = restoreState.plan(ID, version);
    State others = state("{\"a\":3}", "{}");
    StateVersion theirs = store.save(others);

    assertConflict(plan);
    assertThat(fixture.stored()).isEqualTo(others.withVersion(theirs));
  }

  @Test
  void whoRemovedItSinceThePlanIsNoticed() {
    store.save(state("{\"a\":2}", "{}"));
    RestorePlan plan = restoreState.plan(ID, version);
    store.delete(ID);
    assertConflict(plan);
    assertThat(store.find(ID)).isEmpty();
  }

  @Test
  void whoStoredWhatCannotBeReadSinceThePlanIsNoticed() {
    fixture.plant("[1]", "2027-01-01T00:00:00Z");
    RestorePlan plan = restoreState.plan(ID, version);
    fixture.plant("[2]", "2027-01-01T00:00:01Z");
    assertConflict(plan);
  }

  @Test
  void aPlanIsNotCarriedOutTwice() {
    store.save(state("{\"a\":2}", "{}"));
    RestorePlan plan = restoreState.plan(ID, version);
    restoreState.apply(plan);
    assertConflict(plan);
  }

  private void assertConflict(RestorePlan plan) {
    assertThatThrownBy(() -> restoreState.apply(plan))
        .isInstanceOf(StateFailure.Conflict.class)
        .hasMessage(
            "the state of 'dev:tap-to-target' was changed by somebody else meanwhile; nothing was"
                + " restored; look at its history and try again");
  }

  private List<HistoryEntry> entries() {
    List<HistoryEntry> met = new ArrayList<>();
    fixture.history().forEach(ID, StateHistory.NO_LIMIT, met::add);
    return met;
  }
}
