package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.Fence;
import dev.statectl.state.State;
import dev.statectl.state.StateVersion;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The versions that saves choose, so that none is shadowed by an older one. */
abstract class VersionsContract extends ContractTopic {
  private static final int SAVES = 20;

  VersionsContract(StateStoreContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("S-57 Each save of an id gets a later version than the one before, and wins.")
  final void everySaveGetsALaterVersion() {
    StateVersion before = StateVersion.NONE;
    for (int n = 1; n <= SAVES; n++) {
      StateVersion saved = store().save(state("dev:tap-to-target", "{\"n\":" + n + "}"));
      assertThat(saved).as("the version of save number %d", n).isGreaterThan(before);
      before = saved;
    }

    assertFound(state("dev:tap-to-target", "{\"n\":" + SAVES + "}"));
  }

  @Test
  @DisplayName("S-58 A save over a version in the future gets the millisecond after it, and wins.")
  final void saveWinsOverAVersionInTheFuture() {
    plant("dev:tap-to-target", "{\"n\":0}", null, FUTURE);

    for (int n = 1; n <= 2; n++) {
      State state = state("dev:tap-to-target", "{\"n\":" + n + "}");
      StateVersion saved = store().save(state);
      assertFound(state);
      assertThat(saved).as("the version of save number %d", n).isEqualTo(after(FUTURE, n));
    }
  }

  @Test
  @DisplayName("S-59 saveAll over a version in the future gets the millisecond after it, and wins.")
  final void saveAllWinsOverAVersionInTheFuture() {
    plant("dev:future", "{\"n\":0}", null, FUTURE);
    State past = state("dev:new", "{\"n\":1}");
    State future = state("dev:future", "{\"n\":1}");
    store().saveAll(List.of(past, future));

    assertHoldsExactly(future, past);
    assertThat(found("dev:future").version())
        .as("the version of the state that was stored in the future")
        .isEqualTo(after(FUTURE, 1));
    assertThat(found("dev:new").version()).as("the version of the other state").isLessThan(FUTURE);
  }

  @Test
  @DisplayName("S-60 A state of the last version that there is can still be replaced.")
  final void lastVersionCanBeReplaced() {
    plant("dev:tap-to-target", "{\"n\":0}", null, StateVersion.LAST);

    for (int n = 1; n <= 2; n++) {
      State state = state("dev:tap-to-target", "{\"n\":" + n + "}");
      StateVersion saved = store().save(state);
      assertFound(state);
      assertThat(saved).as("the version of save number %d", n).isEqualTo(StateVersion.LAST);
    }
  }

  @Test
  @DisplayName("S-61 The version that a given state has does not matter.")
  final void givenVersionDoesNotMatter() {
    StateVersion first = store().save(state("dev:tap-to-target", "{\"n\":1}").withVersion(FUTURE));
    assertThat(first).as("the version of a state given with one in the future").isLessThan(FUTURE);

    StateVersion second = store().save(state("dev:tap-to-target", "{\"n\":2}").withVersion(PAST));
    assertThat(second).as("the version of a state given with an old one").isGreaterThan(first);
    assertFound(state("dev:tap-to-target", "{\"n\":2}"));

    store().saveAll(List.of(state("dev:tap-to-target", "{\"n\":3}").withVersion(FUTURE)));
    assertThat(found("dev:tap-to-target").version())
        .as("the version after saveAll of a state given with one in the future")
        .isGreaterThan(second)
        .isLessThan(FUTURE);
  }

  @Test
  @DisplayName("S-62 A save after the delete of a version in the future is found.")
  final void saveAfterDeleteOfTheFutureIsFound() {
    plant("dev:deleted", "{\"n\":0}", null, FUTURE);
    plant("dev:deletedToo", "{\"n\":0}", null, FUTURE);
    store().delete(id("dev:deleted"));
    store().deleteAll();
    State one = state("dev:deleted", "{\"n\":1}");
    State other = state("dev:deletedToo", "{\"n\":1}");
    store().save(one);
    store().saveAll(List.of(other));

    assertHoldsExactly(one, other);
  }

  @Test
  @DisplayName("S-70 A save under a lock over a version in the future gets the next, and wins.")
  final void saveUnderALockWinsOverAVersionInTheFuture() {
    Fence fence = announced("dev:lock");
    plant("dev:tap-to-target", "{\"n\":0}", null, FUTURE);
    plant("dev:last", "{\"n\":0}", null, StateVersion.LAST);

    for (int n = 1; n <= 2; n++) {
      State state = state("dev:tap-to-target", "{\"n\":" + n + "}").withVersion(PAST);
      StateVersion saved = store().save(state, fence);
      assertFound(state);
      assertThat(saved).as("the version of save number %d", n).isEqualTo(after(FUTURE, n));
    }
    State last = state("dev:last", "{\"n\":1}");
    assertThat(store().save(last, fence))
        .as("the version of the save over the last version")
        .isEqualTo(StateVersion.LAST);
    assertFound(last);
  }

  private static StateVersion after(StateVersion version, int millis) {
    return new StateVersion(version.updatedAt().plusMillis(millis));
  }
}
