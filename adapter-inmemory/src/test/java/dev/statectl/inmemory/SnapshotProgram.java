package dev.statectl.inmemory;

import dev.statectl.json.JsonObject;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The other program: opens a snapshot in a JVM of its own, does one thing and says on stdout what
 * came of it, failures as kind and message.
 */
final class SnapshotProgram {
  private static final StateId COUNTER = StateId.of("counter");

  private SnapshotProgram() {}

  public static void main(String[] args) throws IOException {
    Duration timeout = Duration.ofMillis(Long.parseLong(args[1]));
    try (InMemoryBackend backend =
        InMemoryBackend.open(Path.of(args[0]), Fixtures.CLOCK, timeout)) {
      act(backend.states(), args);
    } catch (StateFailure e) {
      System.out.println(e.kind() + " " + e.getMessage());
    }
  }

  private static void act(StateStore states, String[] args) throws IOException {
    switch (args[2]) {
      case "hold" -> {
        System.out.println("opened");
        while (System.in.read() >= 0) {
          continue;
        }
      }
      case "get" -> get(states, args[3]);
      case "set" -> {
        set(states, args[3], args[4]);
        get(states, args[3]);
      }
      default -> throw new IllegalArgumentException(args[2]);
    }
  }

  private static void set(StateStore states, String id, String json) {
    try {
      states.save(Fixtures.state(id, json));
    } catch (StateFailure e) {
      System.out.println(e.kind() + " " + e.getMessage());
    }
  }

  private static void get(StateStore states, String id) {
    System.out.println(
        states.find(StateId.of(id)).map(state -> state.completed().text()).orElse("none"));
  }

  /** Adds one to a number in the snapshot, many times, each time opening and closing it. */
  static void count(Path file, int times) {
    for (int i = 0; i < times; i++) {
      try (InMemoryBackend backend =
          InMemoryBackend.open(
              file, Fixtures.CLOCK, Duration.ofSeconds(60), d -> Thread.sleep(1))) {
        int count = counted(backend.states());
        backend
            .states()
            .save(
                State.of(
                    COUNTER, JsonObject.parse("{\"n\":" + (count + 1) + "}"), JsonObject.EMPTY));
      }
    }
  }

  static int counted(StateStore states) {
    return states
        .find(COUNTER)
        .map(state -> Integer.parseInt(state.completed().members().get(0).valueText()))
        .orElse(0);
  }

  /** The program whose only act is {@link #count}. */
  static final class Counting {
    private Counting() {}

    public static void main(String[] args) {
      count(Path.of(args[0]), Integer.parseInt(args[1]));
      System.out.println("counted");
    }
  }
}
