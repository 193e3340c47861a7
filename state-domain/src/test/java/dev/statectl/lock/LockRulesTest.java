package dev.statectl.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.state.StateId;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockRulesTest {
  private static final Instant NOW = Instant.parse("2026-11-29T10:00:00Z");

  /** Rows are given as id:age in seconds; the candidate that looks is "m". */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "m:0          | ENTER",
        "m:300        | ENTER",
        "m:301        | WITHDRAW",
        "''           | WITHDRAW",
        "z:0          | WITHDRAW",
        "a:0 m:0      | WITHDRAW",
        "a:301 m:0    | ENTER",
        "a:300 m:0    | WITHDRAW",
        "m:0 z:0      | LOOK_AGAIN",
        "m:0 z:301    | ENTER",
        "a:0 m:0 z:0  | WITHDRAW",
        "a:0 m:301    | WITHDRAW",
        "m:-60 z:0    | LOOK_AGAIN",
      })
  void whatIsSeenDecides(String rows, LockRules.Step step) {
    assertThat(LockRules.first(rows(rows), new LockId("m"), LockTerms.DEFAULT)).isEqualTo(step);
  }

  /** The candidate that looks is "m"; at its first look it met "p" and "q". */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "m:0          | ENTER",
        "m:0 z:0      | ENTER",
        "a:0 m:0 z:0  | ENTER",
        "m:0 q:301    | ENTER",
        "m:0 q:0      | LOOK_AGAIN",
        "m:0 p:0 z:0  | LOOK_AGAIN",
        "m:301        | WITHDRAW",
        "z:0          | WITHDRAW",
      })
  void laterOnlyThoseThatWereMetFirstAreWaitedFor(String rows, LockRules.Step step) {
    Set<LockId> met = Set.of(new LockId("p"), new LockId("q"));

    assertThat(LockRules.again(rows(rows), new LockId("m"), met, LockTerms.DEFAULT))
        .isEqualTo(step);
  }

  @Test
  void theOthersAreThoseThatCount() {
    assertThat(LockRules.others(rows("a:0 m:0 z:301"), new LockId("m"), LockTerms.DEFAULT))
        .containsExactly(new LockId("a"));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0.0, PT0.002S",
    "1, 0.5, PT0.003S",
    "2, 0.0, PT0.004S",
    "5, 0.5, PT0.048S",
    "9, 0.0, PT0.5S",
    "100, 0.5, PT0.75S",
    "2000000000, 0.0, PT0.5S",
  })
  void pausesDoubleUpToTheRetryTime(int tries, double random, Duration pause) {
    assertThat(LockRules.pause(tries, random, LockTerms.DEFAULT)).isEqualTo(pause);
  }

  @Test
  void aCandidateKnowsItsAgeAndItsEnd() {
    LockCandidate candidate = candidate("m", 12);

    assertThat(candidate.age()).isEqualTo(Duration.ofSeconds(12));
    assertThat(candidate.expires(LockTerms.DEFAULT)).isEqualTo("2026-11-29T10:04:48Z");
  }

  private static List<LockCandidate> rows(String rows) {
    return Arrays.stream(rows.split(" "))
        .filter(row -> !row.isEmpty())
        .map(row -> row.split(":"))
        .map(row -> candidate(row[0], Long.parseLong(row[1])))
        .toList();
  }

  private static LockCandidate candidate(String lockId, long age) {
    return new LockCandidate(
        StateId.of("dev:a-to-b"), new LockId(lockId), NOW.minusSeconds(age), NOW, "");
  }
}
