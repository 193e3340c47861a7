package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicationSettingsTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "default", "my-cluster_2.eu", "кластер", "{cluster}"})
  void takesAClustersNameOrAMacro(String cluster) {
    assertThat(of(cluster).cluster()).isEqualTo(cluster);
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "a b", "a'b", "a\\", "{a", "<table>", ":x", "a`", "{}", "{a}{b}"})
  void refusesWhatNeedsAnEscapeInStatements(String cluster) {
    assertThatThrownBy(() -> of(cluster))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "cluster must be a name of letters, digits, '_', '-' and '.', or a macro such as"
                + " {cluster}");
  }

  private static ReplicationSettings of(String cluster) {
    return new ReplicationSettings(cluster, Replicated.AUTO, Consistency.AUTO, KeeperLocks.AUTO);
  }
}
