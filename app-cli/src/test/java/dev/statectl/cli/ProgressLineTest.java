package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private long now;

  @Test
  void shortWorksStaySilent() {
    try (ProgressLine progress = diagnostics(true).progress("clearing")) {
      progress.report(0, 10);
      advance(1999);
      progress.report(9, 10);
    }
    assertThat(said()).isEmpty();
  }

  @Test
  void longerOnesShowHowFarTheyAreAndTakeTheLineAway() {
    try (ProgressLine progress = diagnostics(true).progress("clearing")) {
      advance(2000);
      progress.report(5, 20);
      assertThat(said())
          .isEqualTo("\rstatectl: clearing [#####...............] 5/20, 25 %, about 6 s left");
      advance(199);
      progress.report(6, 20);
      assertThat(said()).endsWith("about 6 s left");
      advance(1);
      progress.report(20, 20);
      assertThat(said())
          .endsWith("\rstatectl: clearing [####################] 20/20, 100 %" + " ".repeat(14));
    }
    assertThat(said()).endsWith("\r" + " ".repeat(54) + "\r");
  }

  @Test
  void anUnknownTotalIsCounted() {
    try (ProgressLine progress = diagnostics(true).progress("reading")) {
      advance(3000);
      progress.report(1200, 0);
    }
    assertThat(said()).startsWith("\rstatectl: reading 1200\r ");
  }

  @Test
  void aMessageTakesItsPlace() {
    Diagnostics diagnostics = diagnostics(true);
    try (ProgressLine progress = diagnostics.progress("reading")) {
      advance(3000);
      progress.report(1, 0);
      diagnostics.say("cut");
    }
    assertThat(said()).isEqualTo("\rstatectl: reading 1\r" + " ".repeat(19) + "\rstatectl: cut\n");
  }

  @Test
  void itIsNeitherInALogNorForWhoWantsQuiet() {
    Diagnostics quiet = diagnostics(true);
    quiet.beQuiet();
    for (Diagnostics diagnostics : new Diagnostics[] {diagnostics(false), quiet}) {
      try (ProgressLine progress = diagnostics.progress("reading")) {
        advance(3000);
        progress.report(1, 2);
      }
    }
    assertThat(said()).isEmpty();
  }

  private Diagnostics diagnostics(boolean terminal) {
    return new Diagnostics(new PrintStream(err, true, StandardCharsets.UTF_8), terminal, () -> now);
  }

  private void advance(int millis) {
    now += Duration.ofMillis(millis).toNanos();
  }

  private String said() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
