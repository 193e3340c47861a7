package dev.statectl.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockMode;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LockBatchTest {
  private static final StateId ID = LockFixture.ID;
  private static final StateId OTHER = StateId.of("dev:other");
  private static final Set<StateId> BOTH = Set.of(ID, OTHER);
  private static final LockId PLUGIN = new LockId("0c9b6a52-6a4e-4d3e-9d5a-0f6f4c1f2b11");

  private final LockFixture fixture = new LockFixture();
  private final MovedTime time = fixture.time;

  @Test
  void freeLocksAreTakenAtOnceByOneCandidateAndReleasedOnce() {
    LockBatch batch = acquire();

    assertThat(batch.ids()).isEqualTo(BOTH);
    assertThat(time.pauses()).isEmpty();
    assertThat(rows()).extracting(LockCandidate::holder).containsExactly("alice", "alice");
    assertThat(rows()).extracting(LockCandidate::lockId).containsOnly(rows().get(0).lockId());
    assertThat(batch.release()).isEmpty();
    assertThat(rows()).isEmpty();
    assertThat(time.tasks()).isZero();
    assertThat(batch.release()).isEmpty();
  }

  @Test
  void whereSomebodyElseIsMetTheLockIsNotTakenAndNoRowIsLeft() {
    fixture.backend.locks().announce(OTHER, PLUGIN, "");

    LockBatch batch = acquire();

    assertThat(batch.ids()).containsExactly(ID);
    assertThat(fixture.backend.locks().look(OTHER))
        .extracting(LockCandidate::lockId)
        .containsExactly(PLUGIN);
    assertThat(batch.release()).isEmpty();
    assertThat(rows()).extracting(LockCandidate::lockId).containsExactly(PLUGIN);
    assertThat(time.pauses()).isEmpty();
  }

  @Test
  void whereAllAreHeldNoneIsTakenAndNothingIsRenewed() {
    LockBatch first = acquire();

    LockBatch second = acquire();

    assertThat(second.ids()).isEmpty();
    assertThat(second.release()).isEmpty();
    assertThat(time.tasks()).isEqualTo(1);
    assertThat(first.release()).isEmpty();
  }

  @Test
  void staleRowsHinderNobodyAndAreRemoved() {
    fixture.backend.locks().announce(OTHER, PLUGIN, "");
    time.pass(Duration.ofSeconds(301));

    LockBatch batch = acquire();

    assertThat(batch.ids()).isEqualTo(BOTH);
    assertThat(rows()).extracting(LockCandidate::lockId).doesNotContain(PLUGIN).hasSize(2);
  }

  @Test
  void inSettleModeAllWaitTheSettleTimeOnce() {
    LockBatch batch =
        fixture.acquire("alice", LockTerms.DEFAULT.withMode(LockMode.SETTLE)).acquireAll(BOTH);

    assertThat(batch.ids()).isEqualTo(BOTH);
    assertThat(time.pauses()).containsExactly(Duration.ofSeconds(1));
  }

  @Test
  void aPeerThatComesWhileTheOthersSettleIsMet() {
    time.after(Duration.ofMillis(500), () -> fixture.backend.locks().announce(OTHER, PLUGIN, ""));

    LockBatch batch =
        fixture.acquire("alice", LockTerms.DEFAULT.withMode(LockMode.SETTLE)).acquireAll(BOTH);

    assertThat(batch.ids()).containsExactly(ID);
  }

  @Test
  void rowsOfAnUnknownAnnouncementAreWithdrawn() {
    fixture.table.loseNextAnswer();

    assertThatThrownBy(this::acquire)
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessage("the locks of 2 states were not taken: the answer was lost");
    assertThat(rows()).isEmpty();
  }

  @Test
  void whereSomebodyElseHasTheClaimNothingIsAnnounced() {
    LockId claimed = LockId.of(time.storeClock.instant(), 7);
    fixture.backend.locks().claim(OTHER, claimed, "bob", Duration.ofSeconds(300));

    LockBatch batch = acquire();

    assertThat(batch.ids()).containsExactly(ID);
    assertThat(rows()).extracting(LockCandidate::id).containsExactly(ID);
    assertThat(batch.release()).isEmpty();
    assertThat(claimants()).extracting(LockCandidate::lockId).containsExactly(claimed);
  }

  @Test
  void claimsAreGivenBackWhereAPeerIsMet() {
    fixture.backend.locks().announce(OTHER, PLUGIN, "");

    LockBatch batch = acquire();

    assertThat(claimants()).extracting(LockCandidate::id).containsExactly(ID);
    assertThat(batch.release()).isEmpty();
    assertThat(claimants()).isEmpty();
  }

  @Test
  void claimsWhoseAnswerIsLostAreWithdrawn() {
    fixture.table.loseAnswerToNextClaim();

    assertThatThrownBy(this::acquire)
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessage("the locks of 2 states were not taken: the answer to the claim was lost");
    assertThat(claimants()).isEmpty();
  }

  @Test
  void claimsAreGivenBackWhenNothingCouldBeAnnounced() {
    fixture.table.loseNextRequest();

    assertThatThrownBy(this::acquire).hasMessage("the line is down");
    assertThat(claimants()).isEmpty();
  }

  private List<LockCandidate> claimants() {
    return BOTH.stream().flatMap(id -> fixture.backend.locks().claimant(id).stream()).toList();
  }

  @Test
  void whoeverCannotLookWithdraws() {
    fixture.table.passNext();
    fixture.table.loseNextRequest();

    assertThatThrownBy(this::acquire).hasMessage("the line is down");
    assertThat(rows()).isEmpty();
    assertThat(time.tasks()).isZero();
  }

  @Test
  void whoWasStoppedForLongerThanTheStaleTimeIsToldThoughItsRowsAreThere() {
    LockBatch batch = acquire();

    time.passStopped(Duration.ofSeconds(301));

    assertThat(batch.release().get(ID))
        .isInstanceOf(StateFailure.LockLost.class)
        .hasMessageContaining("it was not renewed in time");
  }

  @Test
  void locksThatTookMoreThanHalfOfTheStaleTimeAreGivenBack() {
    fixture.table.delayNext(() -> time.pass(Duration.ofSeconds(150)));

    LockBatch batch = acquire();

    assertThat(batch.ids()).isEmpty();
    assertThat(rows()).isEmpty();
    assertThat(time.tasks()).isZero();
  }

  @Test
  void allAreRenewedTogetherForAsLongAsTheyAreHeld() {
    LockBatch batch = acquire();

    time.pass(Duration.ofHours(1));

    assertThat(batch.lossOf(ID)).isEmpty();
    assertThat(rows()).hasSize(2).allMatch(row -> row.age().isZero());
    assertThat(time.tasks()).isEqualTo(1);
    assertThat(batch.release()).isEmpty();
    assertThat(time.tasks()).isZero();
  }

  @Test
  void theLossOfOneIsFoundAtARenewalAndTheOtherIsKept() {
    LockBatch batch = acquire();
    breakTheLockOf(OTHER);
    assertThat(batch.lossOf(OTHER)).isEmpty();

    time.pass(Duration.ofSeconds(150));

    assertThat(batch.lossOf(OTHER))
        .hasValueSatisfying(
            lost ->
                assertThat(lost)
                    .hasMessage(
                        "the lock of 'dev:other' was lost: its row was removed or became stale"));
    assertThat(batch.lossOf(ID)).isEmpty();
    time.pass(Duration.ofSeconds(300));
    assertThat(rows()).hasSize(1).allMatch(row -> row.age().isZero());
    assertThat(batch.release()).containsOnlyKeys(OTHER);
    assertThat(rows()).isEmpty();
  }

  @Test
  void theLossOfOneIsFoundAtTheRelease() {
    LockBatch batch = acquire();
    breakTheLockOf(OTHER);

    assertThat(batch.release())
        .hasEntrySatisfying(
            OTHER,
            failure ->
                assertThat(failure)
                    .isInstanceOf(StateFailure.LockLost.class)
                    .hasMessage(
                        "the lock of 'dev:other' was lost: its row was gone when it was released"))
        .hasSize(1);
    assertThat(rows()).isEmpty();
  }

  @Test
  void allAreLostWhenNoRenewalSucceedsBeforeTheyAreStale() {
    LockBatch batch = acquire();
    for (int i = 0; i < 100; i++) {
      fixture.table.loseNextRequest();
    }

    time.pass(Duration.ofSeconds(299));
    assertThat(batch.lossOf(ID)).isEmpty();
    time.passStopped(Duration.ofSeconds(1));
    assertThat(batch.lossOf(ID))
        .hasValueSatisfying(
            lost ->
                assertThat(lost)
                    .hasMessage(
                        "the lock of 'dev:tap-to-target' was lost: it was not renewed in time"));
    assertThat(batch.lossOf(OTHER)).isPresent();
  }

  @Test
  void aReleaseIsTriedAgainAndWhatItRemovedBeforeIsNotTakenForLost() {
    LockBatch batch = acquire();
    fixture.table.loseNextAnswer();

    assertThat(batch.release()).isEmpty();

    assertThat(rows()).isEmpty();
  }

  @Test
  void aReleaseThatGivesUpFailsForAll() {
    LockBatch batch = acquire();
    for (int i = 0; i < 1000; i++) {
      fixture.table.loseNextRequest();
    }

    assertThat(batch.release())
        .containsOnlyKeys(ID, OTHER)
        .allSatisfy((id, failure) -> assertThat(failure).hasMessage("the line is down"));
  }

  private LockBatch acquire() {
    return fixture.acquire("alice").acquireAll(BOTH);
  }

  private void breakTheLockOf(StateId id) {
    LockId lockId = fixture.backend.locks().look(id).get(0).lockId();
    fixture.backend.locks().withdraw(id, lockId);
  }

  private List<LockCandidate> rows() {
    List<LockCandidate> rows = new ArrayList<>();
    fixture.backend.locks().forEach(StateIdGlob.ALL, rows::add);
    return rows;
  }
}
