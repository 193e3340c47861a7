package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.lock.Fence;
import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.port.LockTable;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims on two servers that share nothing but a Keeper. */
class ClaimsTest {
  private static final StateId ID = StateId.of("a");
  private static final Duration STALE = Duration.ofSeconds(300);
  private static final LockId FIRST = LockId.of(Instant.parse("2026-01-02T03:04:05Z"), 1);
  private static final LockId SECOND = LockId.of(Instant.parse("2026-01-02T03:04:05Z"), 2);

  private final KeeperEngines engines = KeeperEngines.shared();
  private final String schema = KeeperEngines.freshSchema();
  private final ClickHouseBackend one = KeeperEngines.open(engines.first(), schema);
  private final ClickHouseBackend other = KeeperEngines.open(engines.second(), schema);

  // In a cluster one statement makes it on all servers.
  @BeforeEach
  void makeTheTableOnBoth() {
    for (ClickHouseBackend each : List.of(one, other)) {
      each.locks().claim(StateId.of("x"), FIRST, "", STALE);
    }
  }

  @AfterEach
  void close() {
    one.close();
    other.close();
  }

  @Test
  void whatIsClaimedThroughOneServerIsRefusedByTheOther() {
    assertThat(claim(one, FIRST)).isTrue();

    assertThat(claim(other, SECOND)).isFalse();
    assertThat(other.locks().claimant(ID)).map(LockCandidate::lockId).hasValue(FIRST);
    one.locks().withdraw(ID, FIRST);
    assertThat(claim(other, SECOND)).isTrue();
    assertThat(claim(one, FIRST)).isFalse();
  }

  @Test
  void aStaleClaimIsTakenOverThroughTheOtherServerAndItsHolderWritesNoMore() {
    hold(one, FIRST);
    KeeperEngines.plantClaim(engines.first(), schema, "a", FIRST.text(), "me", 301);

    assertThat(claim(other, SECOND)).isTrue();

    assertLost(one, FIRST);
    assertThat(one.locks().renew(ID, FIRST, STALE)).isFalse();
    one.locks().withdraw(ID, FIRST);
    assertThat(other.locks().claimant(ID)).map(LockCandidate::lockId).hasValue(SECOND);
  }

  @Test
  void aLockThatIsBrokenThroughTheOtherServerIsLost() {
    hold(one, FIRST);

    other.locks().withdraw(ID, FIRST);

    assertThat(one.locks().claimant(ID)).isEmpty();
    assertLost(one, FIRST);
    assertThat(one.locks().renew(ID, FIRST, STALE)).isFalse();
  }

  @Test
  void aBackendWithOtherTimeoutsHoldsByTheSameClaims() {
    hold(one, FIRST);
    ClickHouseBackend patient = one.within(Duration.ofSeconds(5), Duration.ofSeconds(20));
    patient.states().save(TestStores.state("a", "{}"), new Fence(ID, FIRST, STALE));
    KeeperEngines.plantClaim(engines.first(), schema, "a", SECOND.text(), "other", 0);

    assertLost(patient, FIRST);
  }

  @Test
  void ofManyClaimsThoseThatOthersHaveAreLeft() {
    Set<StateId> many = Set.of(ID, StateId.of("b"), StateId.of("c"));
    other.locks().claim(StateId.of("b"), SECOND, "other", STALE);
    other.locks().claim(StateId.of("c"), SECOND, "other", STALE);
    other.locks().withdraw(StateId.of("c"), SECOND);

    assertThat(one.locks().claimAll(many, FIRST, "one", STALE))
        .containsExactlyInAnyOrder(ID, StateId.of("c"));
    one.locks().withdrawAll(many, FIRST);
    assertThat(one.locks().claimant(StateId.of("b"))).map(LockCandidate::holder).hasValue("other");
    assertThat(one.locks().claimant(ID)).isEmpty();
  }

  @Test
  void aClaimWhoseAnswerIsLostIsFoundByALook() {
    try (Relay relay = Relay.to(engines.first());
        ClickHouseBackend cut = KeeperEngines.open(relay.endpoint(), schema)) {
      claim(cut, SECOND);
      cut.locks().withdraw(ID, SECOND);
      relay.cutNext("ALTER TABLE", Relay.Cut.BEFORE_THE_ANSWER);
      assertThat(claim(cut, FIRST)).as("an update that was done").isTrue();
      relay.cutNext("ALTER TABLE", Relay.Cut.BEFORE_THE_ANSWER);
      cut.locks().withdraw(ID, FIRST);
      assertThat(cut.locks().claimant(ID)).as("the claimant after a release").isEmpty();
      relay.cutNext("ALTER TABLE", Relay.Cut.BEFORE_THE_REQUEST);
      assertThat(claim(cut, SECOND)).as("an update that never came").isTrue();
      relay.cutNext("INSERT INTO", Relay.Cut.BEFORE_THE_ANSWER);
      assertThat(cut.locks().claim(StateId.of("b"), FIRST, "me", STALE))
          .as("an insert that was done")
          .isTrue();
    }
  }

  @Test
  void aClaimBetweenLookAndUpdateIsNotTakenOver() {
    try (Relay relay = Relay.to(engines.first());
        ClickHouseBackend slow = KeeperEngines.open(relay.endpoint(), schema)) {
      claim(slow, FIRST);
      slow.locks().withdraw(ID, FIRST);
      relay.holdNext("ALTER TABLE", () -> claim(other, SECOND));
      assertThat(claim(slow, FIRST)).as("the claim by an update").isFalse();
      relay.holdNext(
          "INSERT INTO", () -> other.locks().claim(StateId.of("b"), SECOND, "other", STALE));
      assertThat(slow.locks().claim(StateId.of("b"), FIRST, "me", STALE))
          .as("the claim by an insert")
          .isFalse();
      assertThat(slow.locks().claimant(ID)).map(LockCandidate::lockId).hasValue(SECOND);
    }
  }

  @Test
  void whileKeeperIsGoneNoLockIsTakenAndNothingIsWritten() {
    hold(one, FIRST);
    Fence fence = new Fence(ID, FIRST, STALE);
    one.states().save(TestStores.state("a", "{\"n\":1}"), fence);
    engines.keeper().close();
    try {
      assertThatThrownBy(() -> claim(other, SECOND))
          .isInstanceOf(StateFailure.Unavailable.class)
          .hasMessageStartingWith("cannot read %s.state_claim at %s: ", schema, place(other));
      assertThatThrownBy(() -> one.locks().renew(ID, FIRST, STALE))
          .isInstanceOf(StateFailure.class);
      assertThatThrownBy(() -> one.states().save(TestStores.state("a", "{\"n\":2}"), fence))
          .isInstanceOf(StateFailure.class);
      assertThat(TestStores.completedOf(one.states(), "a")).isEqualTo("{\"n\":1}");
    } finally {
      engines.keeper().restart();
    }
    assertThat(one.locks().renew(ID, FIRST, STALE)).isTrue();
    one.states().save(TestStores.state("a", "{\"n\":3}"), fence);
    assertThat(TestStores.completedOf(one.states(), "a")).isEqualTo("{\"n\":3}");
    assertThat(claim(other, SECOND)).isFalse();
  }

  /** Else nobody would give back those of them that were claimed. */
  @Test
  void whetherManyAreClaimedIsUnknownOnceAStatementForAllWasSent() {
    StateId b = StateId.of("b");
    try (Relay relay = Relay.to(engines.first());
        ClickHouseBackend cut = KeeperEngines.open(relay.endpoint(), schema)) {
      relay.holdNext(
          "INSERT INTO",
          () -> {
            other.locks().claim(b, SECOND, "other", STALE);
            relay.cut("SELECT", Relay.Cut.BEFORE_THE_REQUEST);
          });

      assertThatThrownBy(() -> cut.locks().claimAll(Set.of(ID, b), FIRST, "me", STALE))
          .isInstanceOf(StateFailure.OutcomeUnknown.class);
    }
  }

  /** It takes the claims with it, so there is nothing to give back. */
  @Test
  void aLockWhoseTableOfClaimsWasDroppedIsLostAndCanBeReleased() {
    hold(one, FIRST);
    hold(one, SECOND, StateId.of("b"));
    engines.first().execute("DROP TABLE " + schema + ".state_claim");

    assertThatThrownBy(() -> one.locks().renew(ID, FIRST, STALE))
        .isInstanceOf(StateFailure.WrongSchema.class);
    assertThat(one.locks().withdraw(ID, FIRST)).isTrue();
    assertThat(one.locks().look(ID)).isEmpty();
    try (ClickHouseBackend breaking = KeeperEngines.open(engines.first(), schema)) {
      assertThat(breaking.locks().withdraw(StateId.of("b"), SECOND)).isTrue();
    }
  }

  @Test
  void claimsOutliveTheSessionsOfServers() {
    hold(one, FIRST);
    engines.keeper().expireSessions();

    assertThat(claim(other, SECOND)).isFalse();
    assertThat(one.locks().renew(ID, FIRST, STALE)).isTrue();
    assertThat(one.locks().withdraw(ID, FIRST)).isTrue();
    assertThat(claim(other, SECOND)).isTrue();
  }

  @Test
  void aServerThatOffersNoTablesInKeeperIsRefused() {
    ClickHouseEndpoint without = TestClickHouse.shared().endpoint();
    String fresh = TestClickHouse.shared().freshSchema();
    try (ClickHouseBackend backend = KeeperEngines.open(without, fresh)) {
      assertThatThrownBy(() -> claim(backend, FIRST))
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessage(
              "cannot create %s.state_claim at %s:%d: the server offers no tables in Keeper, or"
                  + " keeps another table at this one's place there (ClickHouse error 36); set"
                  + " keeper_map_path_prefix in the configuration of every server of the cluster,"
                  + " or set lock_mode to immediate, so that the rows of the lock table decide; a"
                  + " table of this name must have the columns state_id String, lock_id String,"
                  + " holder String, locked_at DateTime, and the engine KeeperMap",
              fresh, without.host(), without.port());
      assertThat(backend.locks().look(ID)).isEmpty();
    }
  }

  @Test
  void onOneServerNothingIsClaimed() {
    try (Relay relay = Relay.to(engines.first());
        ClickHouseBackend single =
            ClickHouseBackend.open(TestStores.settings(relay.endpoint(), schema))) {
      assertThat(claim(single, FIRST)).isTrue();
      single.locks().announce(ID, FIRST, "me");
      assertThat(claim(single, SECOND)).isTrue();
      assertThat(single.locks().claimant(ID)).isEmpty();
      single.locks().withdraw(ID, FIRST);

      assertThat(relay.statements()).isNotEmpty().noneMatch(sql -> sql.contains("_claim"));
    }
  }

  private static boolean claim(ClickHouseBackend backend, LockId lockId) {
    return backend.locks().claim(ID, lockId, "me", STALE);
  }

  private static void hold(ClickHouseBackend backend, LockId lockId) {
    hold(backend, lockId, ID);
  }

  private static void hold(ClickHouseBackend backend, LockId lockId, StateId id) {
    LockTable locks = backend.locks();
    assertThat(locks.claim(id, lockId, "me", STALE)).isTrue();
    locks.announce(id, lockId, "me");
  }

  private static void assertLost(ClickHouseBackend backend, LockId lockId) {
    assertThatThrownBy(
            () ->
                backend
                    .states()
                    .save(TestStores.state("a", "{\"late\":1}"), new Fence(ID, lockId, STALE)))
        .isInstanceOf(StateFailure.LockLost.class);
  }

  private static String place(ClickHouseBackend backend) {
    return backend.target().split(" ")[0];
  }
}
