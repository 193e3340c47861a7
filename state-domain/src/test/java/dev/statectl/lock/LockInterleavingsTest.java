package dev.statectl.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.LockModel.Fault;
import dev.statectl.lock.LockModel.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockInterleavingsTest {

  @ParameterizedTest(name = "{0} of ours, {1} peers")
  @CsvSource({"2, 0", "1, 1", "3, 0", "2, 1", "1, 2", "4, 0", "3, 1", "2, 2", "1, 3"})
  void neverTwoHoldAndAllCanFinish(int ours, int peers) {
    LockModel.Result result = new LockModel(processes(ours, peers), Set.of()).explore();

    System.out.printf(
        "%d of ours, %d peers: %d states, %d steps%n",
        ours, peers, result.states(), result.steps());
    assertThat(result.overlap()).isEmpty();
    assertThat(result.stuck()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "IDS_DO_NOT_SORT_FIRST,             1, 1",
    "SMALLEST_ENTERS_WHILE_NOT_ALONE,   1, 1",
    "RELEASE_WITHOUT_COMPARE,           3, 0",
  })
  void aFaultInTheRulesLetsTwoHold(Fault fault, int ours, int peers) {
    LockModel.Result result = new LockModel(processes(ours, peers), Set.of(fault)).explore();

    System.out.printf("%s is caught: %s%n", fault, result.overlap());
    assertThat(result.overlap()).endsWith("enters");
  }

  @ParameterizedTest
  @CsvSource("UNKNOWN_ANNOUNCE_IS_NOT_WITHDRAWN, 1, 0")
  void aRowLeftBehindKeepsEverybodyOut(Fault fault, int ours, int peers) {
    LockModel.Result result = new LockModel(processes(ours, peers), Set.of(fault)).explore();

    System.out.printf("%s is caught: %s%n", fault, result.stuck());
    assertThat(result.overlap()).isEmpty();
    assertThat(result.stuck()).startsWith("ours 0 announces, the row lands, no answer");
  }

  private static List<Kind> processes(int ours, int peers) {
    List<Kind> kinds = new ArrayList<>();
    for (int i = 0; i < ours; i++) {
      kinds.add(Kind.OURS);
    }
    for (int i = 0; i < peers; i++) {
      kinds.add(Kind.PEER);
    }
    return kinds;
  }
}
