package dev.statectl.usecase;

import static dev.statectl.usecase.UseCaseFixture.ID;
import static dev.statectl.usecase.UseCaseFixture.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UndoStateTest {
  private static final String NO_VERSION =
      "the history of 'dev:tap-to-target' knows no version to go back to; to remove the state:"
          + " statectl clear";
  private static final String WAS_REMOVED =
      "before its last change there was no state of 'dev:tap-to-target'; to remove it again:"
          + " statectl clear; to bring an older version back: statectl restore";

  private final UseCaseFixture fixture = new UseCaseFixture();
  private final StateStore store = fixture.store();
  private final UndoState undoState = new UndoState(store, fixture.history(), fixture.locks());
  private final RestoreState restoreState =
      new RestoreState(store, fixture.history(), fixture.locks());

  @BeforeEach
  void record() {
    fixture.history().enable(Duration.ofDays(90));
  }

  @Test
  void afterAWriteWhatItReplacedComesBack() {
    StateVersion one = save(1);
    StateVersion two = save(2);
    RestorePlan plan = undoState.plan(ID);
    assertThat(plan.source().version()).isEqualTo(one);
    assertThat(plan.changesNothing()).isFalse();
    assertThat(stored()).isEqualTo("{\"n\":2}");

    assertThat(undoState.apply(plan).orElseThrow()).isGreaterThan(two);
    assertThat(stored()).isEqualTo("{\"n\":1}");
  }

  @Test
  void afterARemovalWhatWasRemovedComesBack() {
    save(1);
    save(2);
    store.delete(ID);
    undo();
    assertThat(stored()).isEqualTo("{\"n\":2}");
    undo();
    assertThat(stored()).isEqualTo("{\"n\":1}");
  }

  @Test
  void afterARemovalOfAllWhatWasRemovedComesBack() {
    save(1);
    store.deleteAll();
    undo();
    assertThat(stored()).isEqualTo("{\"n\":1}");
  }

  @Test
  void eachUndoGoesBackOneFurther() {
    save(1);
    save(2);
    save(3);
    save(4);
    undo();
    assertThat(stored()).isEqualTo("{\"n\":3}");
    undo();
    assertThat(stored()).isEqualTo("{\"n\":2}");
    undo();
    assertThat(stored()).isEqualTo("{\"n\":1}");
    assertNothingToUndo(NO_VERSION);
    assertThat(stored()).isEqualTo("{\"n\":1}");
  }

  @Test
  void aWriteAfterAnUndoBeginsAnewFromThere() {
    save(1);
    save(2);
    save(3);
    undo();
    save(4);
    undo();
    assertThat(stored()).isEqualTo("{\"n\":2}");
    undo();
    assertThat(stored()).isEqualTo("{\"n\":1}");
  }

  @Test
  void restoringTheNewerVersionIsTheRedo() {
    save(1);
    StateVersion two = save(2);
    undo();
    restoreState.apply(restoreState.plan(ID, two));
    assertThat(stored()).isEqualTo("{\"n\":2}");
  }

  @Test
  void aRestoreIsAChangeThatAnUndoUndoes() {
    StateVersion one = save(1);
    save(2);
    save(3);
    restoreState.apply(restoreState.plan(ID, one));
    undo();
    assertThat(stored()).isEqualTo("{\"n\":3}");
    undo();
    assertThat(stored()).isEqualTo("{\"n\":2}");
  }

  @Test
  void theSameStateAgainAfterAnotherIsAChange() {
    save(1);
    save(2);
    save(1);
    undo();
    assertThat(stored()).isEqualTo("{\"n\":2}");
  }

  @Test
  void writesThatChangedNoByteArePassedOver() {
    save(1);
    save(2);
    save(2);
    save(2);
    undo();
    assertThat(stored()).isEqualTo("{\"n\":1}");
  }

  @Test
  void moreWritesThanOneLookTakesArePassedOver() {
    save(1);
    for (int n = 0; n < 90; n++) {
      save(2);
    }
    undo();
    assertThat(stored()).isEqualTo("{\"n\":1}");
  }

  @Test
  void theFirstWriteIsNotUndone() {
    save(1);
    assertNothingToUndo(NO_VERSION);
    assertThat(stored()).isEqualTo("{\"n\":1}");
  }

  @Test
  void theFirstWriteAfterARemovalIsNotUndone() {
    save(1);
    store.delete(ID);
    save(2);
    assertNothingToUndo(WAS_REMOVED);
    assertThat(stored()).isEqualTo("{\"n\":2}");
  }

  @Test
  void whereNothingEverWasNothingIsFound() {
    assertNothingToUndo("no state with the id 'dev:tap-to-target'");
  }

  @Test
  void whatCannotBeReadIsUndone() {
    save(1);
    fixture.plant("[1]", "2027-01-01T00:00:00Z");
    undo();
    assertThat(stored()).isEqualTo("{\"n\":1}");
  }

  @Test
  void whatCannotBeReadIsNotGoneBackTo() {
    fixture.plant("[1]", "2020-01-01T00:00:00Z");
    save(1);
    assertThatThrownBy(() -> undoState.plan(ID))
        .isInstanceOf(StateFailure.UnreadableState.class)
        .hasMessageContaining("version 2020-01-01T00:00:00Z in the history");
  }

  @Test
  void aRecordOfWhatWasNeverStoredIsNotTakenForTheLastChange() {
    save(1);
    StateVersion two = save(2);
    fixture.history().disable();
    StateVersion three = save(3);
    assertThat(three).isGreaterThan(two);
    RestorePlan plan = undoState.plan(ID);
    assertThat(plan.source().version()).isEqualTo(two);
    undo();
    assertThat(stored()).isEqualTo("{\"n\":2}");
  }

  @Test
  void whoChangedItSinceThePlanIsNoticed() {
    save(1);
    save(2);
    RestorePlan plan = undoState.plan(ID);
    save(3);
    assertThatThrownBy(() -> undoState.apply(plan))
        .isInstanceOf(StateFailure.Conflict.class)
        .hasMessage(
            "the state of 'dev:tap-to-target' was changed by somebody else meanwhile; nothing was"
                + " restored; look at its history and try again");
    assertThat(stored()).isEqualTo("{\"n\":3}");
  }

  private StateVersion save(int n) {
    return store.save(state("{\"n\":" + n + "}", "{}"));
  }

  private void undo() {
    assertThat(undoState.apply(undoState.plan(ID))).isPresent();
  }

  private String stored() {
    return fixture.stored().completed().text();
  }

  private void assertNothingToUndo(String message) {
    assertThatThrownBy(() -> undoState.plan(ID))
        .isInstanceOf(StateFailure.NotFound.class)
        .hasMessage(message);
  }
}
