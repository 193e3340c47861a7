package dev.statectl.usecase;

import dev.statectl.json.JsonObject;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Real documents of taps, each as a completed half, as a partial one, and as both. */
final class Samples {
  private static final Path DIRECTORY = Path.of("src/test/resources/samples");

  private Samples() {}

  static List<State> states() throws IOException {
    List<State> states = new ArrayList<>();
    try (Stream<Path> files = Files.list(DIRECTORY)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
        String name = file.getFileName().toString();
        JsonObject sample = JsonObject.parse(Files.readString(file));
        states.add(State.of(StateId.of("dev:" + name), sample, JsonObject.EMPTY));
        states.add(State.of(StateId.of("prod:" + name), sample, sample));
        states.add(State.of(StateId.of("test:" + name), JsonObject.EMPTY, sample));
      }
    }
    return states;
  }
}
