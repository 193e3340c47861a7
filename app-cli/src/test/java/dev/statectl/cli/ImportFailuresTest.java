package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ImportFailuresTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final ImportFailures failures =
      new ImportFailures(new Diagnostics(new PrintStream(err, true, StandardCharsets.UTF_8)));

  @Test
  void eachFailureIsSaidWithItsId() {
    failures.add(StateId.of("a"), new StateFailure.Unavailable("down", null));
    failures.add(StateId.of("b"), new StateFailure.Unavailable("down", null));
    failures.end();

    assertThat(lines())
        .containsExactly("statectl: not imported: 'a': down", "statectl: not imported: 'b': down");
  }

  @Test
  void ofOneFailureThatMeetsManyTheFirstTwentyAreNamed() {
    StateFailure failure = new StateFailure.Unavailable("down", null);
    for (int i = 0; i < 10_000; i++) {
      failures.add(StateId.of("id-" + i), failure);
    }
    failures.add(StateId.of("other"), new StateFailure.Unavailable("up", null));
    failures.end();

    assertThat(lines())
        .hasSize(22)
        .startsWith("statectl: not imported: 'id-0': down")
        .contains("statectl: not imported: 'id-19': down")
        .endsWith(
            "statectl: not imported for the same reason: 9980 more states",
            "statectl: not imported: 'other': up");
  }

  private String[] lines() {
    return err.toString(StandardCharsets.UTF_8).split("\n");
  }
}
