package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.port.StateFailure;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DeletionTest {
  @Test
  void whatIsGoneIsNotDeletedAgain() {
    AtomicInteger deletes = new AtomicInteger();

    Deletion.untilGone("a row", deletes::incrementAndGet, () -> false);

    assertThat(deletes).hasValue(1);
  }

  @Test
  void whatIsStillThereIsDeletedAgain() {
    AtomicInteger deletes = new AtomicInteger();

    Deletion.untilGone("a row", deletes::incrementAndGet, () -> deletes.get() < 3);

    assertThat(deletes).hasValue(3);
  }

  @Test
  void whatDoesNotGoIsReportedInTheEnd() {
    AtomicInteger deletes = new AtomicInteger();

    assertThatThrownBy(() -> Deletion.untilGone("a row", deletes::incrementAndGet, () -> true))
        .isInstanceOf(StateFailure.OutcomeUnknown.class)
        .hasMessage(
            "a row was deleted 5 times, and the server still shows it; look at system.mutations");
    assertThat(deletes).hasValue(5);
  }
}
