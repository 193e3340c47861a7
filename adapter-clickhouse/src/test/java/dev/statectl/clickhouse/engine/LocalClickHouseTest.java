package dev.statectl.clickhouse.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LocalClickHouseTest {
  @Test
  void answers() {
    assertThat(TestClickHouse.shared().query("SELECT 1+1, 'a\\tb'")).isEqualTo("2\ta\\tb");
  }
}
