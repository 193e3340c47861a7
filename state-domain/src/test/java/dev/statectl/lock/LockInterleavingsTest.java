package dev.statectl.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.LockModel.Fault;
import dev.statectl.lock.LockModel.Kind;
import dev.statectl.lock.LockModel.Reads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockInterleavingsTest {

  @ParameterizedTest(name = "{0} of ours, {1} keepers, {2} peers")
  @CsvSource({
    "2, 0, 0", "1, 0, 1", "3, 0, 0", "2, 0, 1", "1, 0, 2", "4, 0, 0", "3, 0, 1", "2, 0, 2",
    "1, 0, 3", "0, 1, 1", "0, 2, 0", "1, 1, 0", "0, 3, 0", "1, 2, 0", "2, 1, 0", "0, 2, 1",
    "1, 1, 1", "0, 1, 2", "0, 2, 2"
  })
  void neverTwoHoldAndAllCanFinish(int ours, int keepers, int peers) {
    LockModel.Result result = new LockModel(processes(ours, keepers, peers), Set.of()).explore();

    System.out.printf(
        "%d of ours, %d keepers, %d peers: %d states, %d steps%n",
        ours, keepers, peers, result.states(), result.steps());
    assertThat(result.overlap()).isEmpty();
    assertThat(result.stuck()).isEmpty();
  }

  @ParameterizedTest(name = "{0} keepers")
  @CsvSource({"2", "3"})
  void neverTwoKeepersHoldThoughTheirReadsAreLate(int keepers) {
    LockModel.Result result =
        new LockModel(processes(0, keepers, 0), Set.of(), Reads.LATE).explore();

    System.out.printf(
        "%d keepers with late reads: %d states, %d steps%n",
        keepers, result.states(), result.steps());
    assertThat(result.overlap()).isEmpty();
    assertThat(result.stuck()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "IDS_DO_NOT_SORT_FIRST,               ALL,  1, 0, 1",
    "IDS_DO_NOT_SORT_FIRST,               ALL,  0, 1, 1",
    "SMALLEST_ENTERS_WHILE_NOT_ALONE,     ALL,  1, 0, 1",
    "SMALLEST_ENTERS_WHILE_NOT_ALONE,     ALL,  1, 1, 0",
    "RELEASE_WITHOUT_COMPARE,             ALL,  3, 0, 0",
    "CLAIM_IS_OVERWRITTEN,                LATE, 0, 2, 0",
    "CLAIM_IS_RELEASED_WITHOUT_COMPARE,   LATE, 0, 3, 0",
    "CLAIM_IS_TAKEN_FROM_A_LOOK_BEFORE,   LATE, 0, 2, 0",
    "ROW_ALONE_FENCES,                    LATE, 0, 2, 0",
    "ENTERS_WITHOUT_ASKING_FOR_ITS_CLAIM, LATE, 0, 2, 0",
  })
  void aFaultInTheRulesLetsTwoHold(Fault fault, Reads reads, int ours, int keepers, int peers) {
    LockModel.Result result =
        new LockModel(processes(ours, keepers, peers), Set.of(fault), reads).explore();

    System.out.printf("%s is caught: %s%n", fault, result.overlap());
    assertThat(result.overlap()).endsWith("enters");
  }

  @ParameterizedTest
  @CsvSource({
    "UNKNOWN_ANNOUNCE_IS_NOT_WITHDRAWN, 1, 0, 'ours 0 announces, the row lands, no answer'",
    "UNKNOWN_CLAIM_IS_NOT_WITHDRAWN,    0, 1, 'keeper 0 claims, the claim lands, no answer'",
  })
  void whatIsLeftBehindKeepsEverybodyOut(Fault fault, int ours, int keepers, String first) {
    LockModel.Result result = new LockModel(processes(ours, keepers, 0), Set.of(fault)).explore();

    System.out.printf("%s is caught: %s%n", fault, result.stuck());
    assertThat(result.overlap()).isEmpty();
    assertThat(result.stuck()).startsWith(first);
  }

  private static List<Kind> processes(int ours, int keepers, int peers) {
    List<Kind> kinds = new ArrayList<>();
    kinds.addAll(Collections.nCopies(ours, Kind.OURS));
    kinds.addAll(Collections.nCopies(keepers, Kind.KEEPER));
    kinds.addAll(Collections.nCopies(peers, Kind.PEER));
    return kinds;
  }
}
