package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A doubtful change on a real terminal. */
class GuardRailsOnTerminalTest {
  private static final String STORED =
      "{\"dev:a\": {\"completed\": {\"singer_state\": {\"bookmarks\": {\"a\": 1, \"b\": 5}}}}}";
  private static final String DOUBTS =
      "statectl: warning: 'dev:a': 1 stream disappears: a\n"
          + "statectl: warning: 'dev:a': 1 bookmark goes backwards: b\n";

  @TempDir private Path directory;
  private Path store;
  private String question;

  @BeforeEach
  void storeAState() throws IOException {
    store = directory.resolve("s.json");
    Files.writeString(store, STORED);
    question = "Overwrite the state of 'dev:a' in memory:" + store + " (49 bytes)? [y/N] ";
  }

  @Test
  void theDoubtsStandAboveTheQuestionAndAYesDoesIt() throws Exception {
    try (TerminalSession session = set()) {
      session.awaits(question).type("y\n");

      assertThat(session.end()).isZero();
      assertThat(session.shown())
          .isEqualTo(
              DOUBTS + question + "y\nstatectl: set 'dev:a' in memory:" + store + " (41 bytes)\n");
    }
    assertThat(store).content().contains("{\"b\": 4}");
  }

  @Test
  void aNoChangesNothing() throws Exception {
    try (TerminalSession session = set()) {
      session.awaits(question).type("n\n");

      assertThat(session.end()).isEqualTo(1);
      assertThat(session.shown())
          .isEqualTo(DOUBTS + question + "n\nstatectl: nothing was changed\n");
    }
    assertThat(store).hasContent(STORED);
  }

  private TerminalSession set() throws IOException {
    return TerminalSession.statectl(
        directory,
        Map.of("MELTANO_STATE_BACKEND_URI", "memory:s.json"),
        "set",
        "dev:a",
        "{\"singer_state\": {\"bookmarks\": {\"b\": 4}}}");
  }
}
