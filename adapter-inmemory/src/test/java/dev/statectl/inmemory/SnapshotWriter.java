package dev.statectl.inmemory;

import dev.statectl.port.StateFailure;
import dev.statectl.state.StateIdGlob;
import java.nio.file.Path;

/** Programs that write a snapshot until something stops them. */
final class SnapshotWriter {
  /** Makes a write of a file take some time. */
  private static final String BALLAST = "x".repeat(100_000);

  private SnapshotWriter() {}

  static String state(int n) {
    return "{\"n\":" + n + ",\"ballast\":\"" + BALLAST + "\"}";
  }

  /** Says each number on stdout when a state with it was stored; begins after what is stored. */
  static final class Endless {
    private Endless() {}

    public static void main(String[] args) {
      try (InMemoryBackend backend = InMemoryBackend.open(Path.of(args[0]), Fixtures.CLOCK)) {
        for (int n = Integer.parseInt(args[1]) + 1; ; n++) {
          backend.states().save(Fixtures.state("a", state(n)));
          System.out.println(n);
          System.out.flush();
        }
      }
    }
  }

  /** Stores one state after the other until there is no room, and says what is there then. */
  static final class UntilFull {
    private UntilFull() {}

    public static void main(String[] args) {
      Path file = Path.of(args[0]);
      int stored = 0;
      try (InMemoryBackend backend = InMemoryBackend.open(file, Fixtures.CLOCK)) {
        try {
          while (true) {
            backend.states().save(Fixtures.state("id-" + stored, state(stored)));
            stored++;
          }
        } catch (StateFailure e) {
          System.out.println(e.kind() + " " + e.getMessage());
        }
      }
      try (InMemoryBackend backend = InMemoryBackend.open(file, Fixtures.CLOCK)) {
        int[] found = new int[1];
        backend.states().forEachId(StateIdGlob.ALL, id -> found[0]++);
        System.out.println(stored > 0 && found[0] == stored ? "all are there" : "not all");
        System.out.println(backend.states().deleteAll() == stored ? "deleted" : "not deleted");
        backend.states().save(Fixtures.state("a", "{}"));
        System.out.println("room again");
      }
    }
  }
}
