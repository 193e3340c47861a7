package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.port.StateFailure;
import dev.statectl.state.StateVersion;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WriteCommentsTest {
  private final List<Map<String, String>> written = new ArrayList<>();

  @Test
  void whoSaysNothingSendsNothing() {
    new WriteComments("").write(Optional.empty(), written::add);
    assertThat(written).containsExactly(Map.of());
  }

  @Test
  void theAuthorIsJson() {
    new WriteComments("o'neil \"x\" \\ \u00e4\n").write(Optional.empty(), written::add);
    assertThat(written)
        .containsExactly(
            Map.of(
                "log_comment", "{\"statectl\":{\"author\":\"o'neil \\\"x\\\" \\\\ \u00e4\\n\"}}"));
  }

  @Test
  void whatIsGoneBackToIsSaidWithoutAnAuthorToo() {
    new WriteComments("")
        .write(
            Optional.of(new StateVersion(Instant.ofEpochMilli(1_700_000_000_123L))), written::add);
    assertThat(written)
        .containsExactly(
            Map.of("log_comment", "{\"statectl\":{\"author\":\"\",\"reverts\":1700000000123}}"));
  }

  @Test
  void whoMayNotSetTheCommentWritesWithoutOneFromThenOn() {
    WriteComments comments = new WriteComments("alice");
    comments.write(Optional.empty(), settings -> refuse(settings, 452));
    comments.write(Optional.empty(), settings -> refuse(settings, 452));
    assertThat(written)
        .containsExactly(
            Map.of("log_comment", "{\"statectl\":{\"author\":\"alice\"}}"), Map.of(), Map.of());
  }

  @Test
  void anyOtherRefusalStays() {
    WriteComments comments = new WriteComments("alice");
    assertThatThrownBy(() -> comments.write(Optional.empty(), settings -> refuse(settings, 497)))
        .isInstanceOf(StateFailure.Denied.class)
        .hasMessage("refused");
    assertThat(written).hasSize(1);
  }

  private void refuse(Map<String, String> settings, int code) {
    written.add(settings);
    if (!settings.isEmpty()) {
      throw new StateFailure.Denied(
          "refused", WithheldException.of(new SQLException("text", "22000", code)));
    }
  }
}
