package dev.statectl.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.state.StateId;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InMemoryBackendTest {

  @Test
  void memoryAloneIsNamedSo() {
    try (InMemoryBackend backend = InMemoryBackend.create(Fixtures.CLOCK)) {
      assertThat(backend.target()).isEqualTo("memory");
      assertThat(backend.states()).isSameAs(backend.states());
    }
  }

  @Test
  void aSnapshotIsNamedByItsAbsolutePath(@TempDir Path directory) {
    try (InMemoryBackend backend =
        InMemoryBackend.open(directory.resolve("s.json"), Fixtures.CLOCK)) {
      assertThat(backend.target()).isEqualTo("memory:" + directory + "/s.json");
    }
    try (InMemoryBackend backend =
        InMemoryBackend.open(Path.of("not-there/s.json"), Fixtures.CLOCK)) {
      assertThat(backend.target())
          .isEqualTo("memory:" + System.getProperty("user.dir") + "/not-there/s.json");
    }
  }

  @Test
  void aClosedBackendRefusesEveryOperation() {
    InMemoryBackend backend = InMemoryBackend.create(Fixtures.CLOCK);
    backend.close();
    backend.close();

    assertThatThrownBy(() -> backend.states().find(StateId.of("a")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the backend is closed");
  }

  @Test
  void aNegativeTimeoutIsRefused(@TempDir Path directory) {
    assertThatThrownBy(
            () ->
                InMemoryBackend.open(
                    directory.resolve("s.json"), Fixtures.CLOCK, Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("lockTimeout is negative: PT-0.001S");
    assertThat(directory).isEmptyDirectory();
  }
}
