package dev.statectl.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.port.HistoryEntry;
import dev.statectl.port.HistoryStatus;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateHistory;
import dev.statectl.state.StateId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InMemoryHistoryTest {
  @TempDir private Path directory;

  @Test
  void everyWriteSaysWhoMadeIt() {
    InMemoryBackend backend = InMemoryBackend.create(Fixtures.CLOCK, "alice");
    backend.history().enable(StateHistory.DEFAULT_KEEP);
    backend.states().save(Fixtures.state("a", "{}"));
    backend.states().saveAll(List.of(Fixtures.state("a", "{\"n\":2}")));
    backend.states().delete(StateId.of("a"));
    assertThat(entries(backend))
        .extracting(HistoryEntry::author)
        .containsExactly("alice", "alice", "alice");
  }

  @Test
  void theNewestHundredRecordsOfAnIdAreKept() {
    InMemoryBackend backend = InMemoryBackend.create(Fixtures.CLOCK);
    backend.history().enable(StateHistory.DEFAULT_KEEP);
    for (int n = 1; n <= 103; n++) {
      backend.states().save(Fixtures.state("a", "{\"n\":" + n + "}"));
    }
    assertThat(entries(backend)).hasSize(100);
    assertThat(entries(backend).get(99).version().updatedAt())
        .isEqualTo(Fixtures.NOW.plusMillis(3));
  }

  @Test
  void recordsAreKeptAsLongAsWasSaid() {
    AtomicReference<Instant> now = new AtomicReference<>(Fixtures.NOW);
    InstantSource clock = now::get;
    InMemoryBackend backend = InMemoryBackend.create(clock.withZone(ZoneOffset.UTC));
    backend.history().enable(Duration.ofHours(1));
    backend.states().save(Fixtures.state("a", "{\"n\":1}"));
    now.set(Fixtures.NOW.plus(Duration.ofMinutes(59)));
    backend.states().save(Fixtures.state("a", "{\"n\":2}"));
    assertThat(entries(backend)).hasSize(2);
    now.set(Fixtures.NOW.plus(Duration.ofMinutes(61)));
    assertThat(entries(backend)).hasSize(1);
  }

  @Test
  void aSnapshotStaysAnExportAndHoldsNoHistory() throws Exception {
    Path file = directory.resolve("state.json");
    try (InMemoryBackend backend = InMemoryBackend.open(file, Fixtures.CLOCK)) {
      backend.states().save(Fixtures.state("a", "{\"n\":1}"));
      String before = Files.readString(file);
      backend.history().enable(StateHistory.DEFAULT_KEEP);
      backend.states().save(Fixtures.state("a", "{\"n\":2}"));
      assertThat(Files.readString(file)).isEqualTo(before.replace("{\"n\":1}", "{\"n\":2}"));
    }
    try (InMemoryBackend backend = InMemoryBackend.open(file, Fixtures.CLOCK)) {
      assertThat(backend.history().status().recording()).isEqualTo(HistoryStatus.Recording.NEVER);
      assertThatThrownBy(() -> entries(backend))
          .isInstanceOf(StateFailure.NoHistory.class)
          .hasMessage(
              "no history was ever recorded at memory:"
                  + file
                  + "; from now on it is recorded after: statectl history enable");
    }
  }

  private static List<HistoryEntry> entries(InMemoryBackend backend) {
    List<HistoryEntry> met = new ArrayList<>();
    backend.history().forEach(StateId.of("a"), StateHistory.NO_LIMIT, met::add);
    return met;
  }
}
