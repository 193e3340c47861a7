package dev.statectl.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LockIdTest {
  private static final Instant NOW = Instant.parse("2026-11-29T10:00:00.123Z");

  @Test
  void itHasTheFormOfAUuid() {
    LockId id = LockId.of(NOW, 0xcafe);

    assertThat(id).hasToString("00000000-0000-71a2-26bf-497b0000cafe");
    assertThat(UUID.fromString(id.text())).hasToString(id.text());
    assertThat(id.isOurs()).isTrue();
  }

  @Test
  void itSortsBeforeRandomUuids() {
    Random random = new Random(11);
    LockId last = LockId.of(Instant.ofEpochMilli((1L << 44) - 1), -1);
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = new byte[16];
      random.nextBytes(bytes);
      LockId peer = new LockId(UUID.nameUUIDFromBytes(bytes).toString());
      assertThat(last).isLessThan(peer);
      assertThat(peer.isOurs()).isFalse();
    }
  }

  @Test
  void amongOursTheEarlierSortsFirst() {
    assertThat(LockId.of(NOW, -1)).isLessThan(LockId.of(NOW.plusMillis(1), 0));
    assertThat(LockId.of(NOW, 0)).isLessThan(LockId.of(NOW, 1)).isNotEqualTo(LockId.of(NOW, 1));
  }

  @Test
  void aTimeThatDoesNotFitIsRefused() {
    assertThatThrownBy(() -> LockId.of(Instant.ofEpochMilli(-1), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no lock id can be made for the time 1969-12-31T23:59:59.999Z");
    assertThatThrownBy(() -> LockId.of(Instant.ofEpochMilli(1L << 44), 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new LockId(" ")).hasMessage("a lock id must not be blank");
  }
}
