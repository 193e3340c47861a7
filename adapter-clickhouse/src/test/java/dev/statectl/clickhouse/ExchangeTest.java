package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class ExchangeTest {
  private static final Duration LONG = Duration.ofDays(1);
  private static final ServerAddress SERVER = new ServerAddress("localhost", 8123);
  private static final Duration SHORT = Duration.ofMillis(1);

  @Test
  void theStepInWhichTheStatementIsSentHasItsTime() throws Exception {
    Exchange exchange = new Exchange(LONG, SHORT, LONG, SERVER, Map.of());
    assertThat(exchange.step(() -> sentAndOver(exchange))).isEqualTo(Progress.OUT_OF_TIME);
  }

  @Test
  void laterStepsHaveATimeOfTheirOwn() throws Exception {
    Exchange exchange = new Exchange(LONG, LONG, SHORT, SERVER, Map.of());
    exchange.step(
        () -> {
          exchange.sending();
          return true;
        });
    assertThat(exchange.progress()).isEqualTo(Progress.SENT);
    assertThat(exchange.step(() -> sentAndOver(exchange))).isEqualTo(Progress.OUT_OF_TIME);
  }

  private static Progress sentAndOver(Exchange exchange) {
    exchange.sending();
    while (exchange.progress() != Progress.OUT_OF_TIME && !Thread.interrupted()) {
      Thread.onSpinWait();
    }
    return exchange.progress();
  }
}
