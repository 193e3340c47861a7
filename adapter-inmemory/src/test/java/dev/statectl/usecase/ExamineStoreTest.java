package dev.statectl.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.inmemory.InMemoryBackend;
import dev.statectl.inmemory.Planting;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.Finding;
import dev.statectl.port.Mend;
import dev.statectl.port.StoredRow;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExamineStoreTest {
  private static final LockId LOCK_ID = new LockId("f0000000-0000-4000-8000-000000000001");

  private final MovedTime time = new MovedTime();
  private final Instant start = time.storeClock.instant();
  private final InMemoryBackend backend = InMemoryBackend.create(time.storeClock);
  private final ExamineStore doctor = new ExamineStore(backend, LockTerms.DEFAULT, time.storeClock);

  @Test
  void aHealthyStoreIsOkInEveryRespect() {
    plant("dev:a", "{}", Duration.ZERO);
    backend.locks().announce(StateId.of("dev:a"), LOCK_ID, "etl");
    time.pass(Duration.ofSeconds(300));

    assertThat(doctor.examine())
        .containsExactly(
            Finding.ok("place", "memory", "in memory only, and no longer than this program runs"),
            Finding.ok(
                "clock", "memory", "the store's clock agrees with this machine's within 5 seconds"),
            Finding.ok(
                "states", "memory", "1 state, which can be read and is of a time that has come"),
            Finding.ok("locks", "memory", "1 lock is held, the oldest row 300 seconds old"));
  }

  @Test
  void anEmptyStoreIsOk() {
    assertThat(doctor.examine())
        .contains(
            Finding.ok("states", "memory", "no state is stored"),
            Finding.ok("locks", "memory", "no lock is held"));
  }

  @Test
  void aStaleLockIsFoundAndTakenAwayAndNoOther() {
    backend.locks().announce(StateId.of("dev:it's"), LOCK_ID, "statectl set by etl@worker");
    backend.locks().announce(StateId.of("dev:it's"), new LockId("f1"), "");
    time.pass(Duration.ofSeconds(301));
    backend.locks().announce(StateId.of("dev:it's"), new LockId("f2"), "a run");
    backend.locks().announce(StateId.of("dev:b"), new LockId("f3"), "a run");

    Finding stale = only("stale-lock");

    assertThat(stale)
        .isEqualTo(
            Finding.warning(
                    "stale-lock",
                    "dev:it's",
                    "a lock of statectl set by etl@worker was left behind: its row is 301 seconds"
                        + " old, and counts no more after 300",
                    "a run died without letting go; look at how it ended. The row keeps nobody out")
                .withMend(
                    Mend.command("statectl lock break --lock-id " + LOCK_ID + " 'dev:it'\\''s'")
                        .asSafe()));
    doctor.mend(stale);
    assertThat(backend.locks().look(StateId.of("dev:it's")))
        .extracting(row -> row.lockId().text())
        .containsExactly("f2");
    assertThat(of("stale-lock")).isEmpty();
    doctor.mend(stale);
    assertThat(backend.locks().look(StateId.of("dev:it's"))).hasSize(1);
    assertThat(backend.locks().look(StateId.of("dev:b"))).hasSize(1);
  }

  @Test
  void aLockThatWasTakenAnewMeanwhileIsNotTakenAway() {
    backend.locks().announce(StateId.of("dev:a"), LOCK_ID, "old");
    time.pass(Duration.ofSeconds(301));
    Finding stale = only("stale-lock");
    backend.locks().removeStale(StateId.of("dev:a"), Duration.ofSeconds(300));
    backend.locks().announce(StateId.of("dev:a"), LOCK_ID, "new");

    doctor.mend(stale);

    assertThat(backend.locks().look(StateId.of("dev:a"))).hasSize(1);
  }

  @Test
  void aLockThatIsDatedAheadIsFoundAndLeft() {
    backend.locks().announce(StateId.of("dev:a"), LOCK_ID, "");
    time.setStoreClockOff(Duration.ofSeconds(-60));

    Finding future = only("future-lock");

    assertThat(future.level()).isEqualTo(Finding.Level.WARNING);
    assertThat(future.what())
        .isEqualTo("a lock of the Meltano plugin is dated 60 seconds ahead of the store's clock");
    assertThat(future.isSafelyMendable()).isFalse();
    assertThatThrownBy(() -> doctor.mend(future))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no safe mend for future-lock");
    assertThat(backend.locks().look(StateId.of("dev:a"))).hasSize(1);
  }

  @Test
  void aStateThatCannotBeReadIsFoundBesideOthers() {
    plant("dev:bad", "[1]", Duration.ZERO);
    plant("dev:good", "{}", Duration.ZERO);

    Finding unreadable = only("unreadable-state");

    assertThat(unreadable.level()).isEqualTo(Finding.Level.ERROR);
    assertThat(unreadable.subject()).isEqualTo("dev:bad");
    assertThat(unreadable.what())
        .isEqualTo(
            "the column completed_state cannot be read: line 1, column 1: expected an object, found"
                + " an array");
    assertThat(of("states")).isEmpty();
  }

  @Test
  void whatMendsAStateThatCannotBeReadNamesItSoThatItMayBeTyped() {
    plant("dev:bad", "[1]", Duration.ZERO);
    plant("-rf", "[1]", Duration.ZERO);
    plant(" ", "[1]", Duration.ZERO);

    assertThat(of("unreadable-state"))
        .extracting(finding -> finding.mend().orElseThrow())
        .containsExactlyInAnyOrder(
            Mend.command("statectl set --input-file STATE.json dev:bad"),
            Mend.command("statectl set --input-file STATE.json -- -rf"),
            Mend.command("statectl clear ' '"));
  }

  @Test
  void aVersionIsOfATimeToComeFromOneSecondOn() {
    plant("dev:now", "{}", Duration.ofSeconds(1));
    plant("dev:future", "{}", Duration.ofSeconds(3600));

    Finding future = only("future-version");

    assertThat(future.level()).isEqualTo(Finding.Level.WARNING);
    assertThat(future.subject()).isEqualTo("dev:future");
    assertThat(future.what())
        .isEqualTo("its version is 2026-03-04T06:06:07Z, 3600 seconds to come");
    assertThat(future.mend().orElseThrow().steps())
        .containsExactly(
            "statectl copy dev:future dev:future.doctor",
            "statectl clear dev:future",
            "statectl move dev:future.doctor dev:future");
    assertThat(future.isSafelyMendable()).isFalse();
  }

  @Test
  void anIdThatLooksLikeAnOptionIsSetApartOnce() {
    plant("-f", "{}", Duration.ofSeconds(3600));

    assertThat(only("future-version").mend().orElseThrow().steps())
        .containsExactly(
            "statectl copy -- -f -f.doctor",
            "statectl clear -- -f",
            "statectl move -- -f.doctor -f");
  }

  @Test
  void anIdThatMayNotBeWrittenIsFound() {
    plant(" ", "{}", Duration.ZERO);

    assertThat(only("state-id").what()).isEqualTo("a state id must not be blank");
  }

  @Test
  void ofManyOnlyTheFirstAreToldOneByOne() {
    IntStream.range(0, 23).forEach(i -> plant("bad" + i, "[]", Duration.ZERO));
    IntStream.range(0, 22).forEach(i -> plant("future" + i, "{}", Duration.ofHours(1)));

    assertThat(of("unreadable-state")).hasSize(21);
    assertThat(of("unreadable-state").get(20).what()).isEqualTo("and 3 more states like these");
    assertThat(of("future-version")).hasSize(21);
    assertThat(of("future-version").get(20).what()).isEqualTo("and 2 more states like these");
  }

  @Test
  void aClockThatIsApartIsFound() {
    Clock mine = Clock.fixed(start.plusSeconds(600), ZoneOffset.UTC);

    List<Finding> findings = new ExamineStore(backend, LockTerms.DEFAULT, mine).examine();

    assertThat(findings.get(1).what())
        .isEqualTo("the store's clock is 600 seconds behind this machine's");
    assertThat(findings.get(1).level()).isEqualTo(Finding.Level.WARNING);
  }

  @Test
  void aClosedStoreIsNotExamined() {
    backend.close();

    assertThatThrownBy(doctor::examine).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> backend.checkup().examine()).isInstanceOf(IllegalStateException.class);
  }

  private Finding only(String check) {
    assertThat(of(check)).hasSize(1);
    return of(check).get(0);
  }

  private List<Finding> of(String check) {
    return doctor.examine().stream().filter(f -> f.check().equals(check)).toList();
  }

  private void plant(String id, String completed, Duration ahead) {
    Planting.plant(
        backend,
        new StoredRow(StateId.ofStored(id), completed, null, new StateVersion(start.plus(ahead))));
  }
}
