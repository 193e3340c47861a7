package dev.statectl.inmemory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.state.StateId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs that write a snapshot and are killed. {@code -Dstatectl.faults.snapshot-kills=200} makes
 * it long, {@code -Dstatectl.faults.seed} repeats what was random.
 */
@Tag("faults")
class SnapshotKillTest {
  private static final int KILLS = Integer.getInteger("statectl.faults.snapshot-kills", 5);
  private static final long SEED =
      Long.getLong("statectl.faults.seed", new Random().nextLong(1_000_000));

  @TempDir private Path directory;

  @Test
  void whatWasStoredIsThereAfterAKillAtAnyPoint() throws Exception {
    System.out.println("snapshot kills: seed " + SEED + ", " + KILLS + " kills");
    Random random = new Random(SEED);
    Path file = directory.resolve("state.json");
    int stored = 0;
    int inBetween = 0;
    int halves = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      int last = stored;
      try (OtherProgram writer =
          OtherProgram.start(
              List.of(), SnapshotWriter.Endless.class, file.toString(), "" + stored)) {
        last = Integer.parseInt(writer.nextLine());
        for (int more = random.nextInt(4); more > 0; more--) {
          last = Integer.parseInt(writer.nextLine());
        }
        Thread.sleep(0, random.nextInt(1_000_000));
        Thread.sleep(random.nextInt(8));
        for (String line : writer.killAndListen()) {
          last = Integer.parseInt(line);
        }
      }
      try (Stream<Path> files = Files.list(directory)) {
        halves += (int) files.filter(path -> path.toString().endsWith(".tmp")).count();
      }
      try (InMemoryBackend backend = InMemoryBackend.open(file, Fixtures.CLOCK)) {
        String text = backend.states().find(StateId.of("a")).orElseThrow().completed().text();
        stored = Integer.parseInt(text.substring("{\"n\":".length(), text.indexOf(',')));
        assertThat(stored).as("after kill %d", kill).isBetween(last, last + 1);
        assertThat(text).isEqualTo(SnapshotWriter.state(stored));
        inBetween += stored - last;
      }
    }
    System.out.println(
        "snapshot kills: "
            + KILLS
            + " kills, "
            + stored
            + " states stored, "
            + inBetween
            + " killed between the write and its report, "
            + halves
            + " in the middle of a file");
  }
}
