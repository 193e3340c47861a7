package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real documents of taps and of Meltano, through the command and back, on both stores. */
class SamplesTest {
  private static final Path SAMPLES = Path.of("src/test/resources/samples");

  @TempDir private Path directory;

  @ParameterizedTest
  @MethodSource("samples")
  void aSampleComesBackByteForByteFromTheEmbeddedStore(String sample) throws IOException {
    comesBack(sample, RunStatectl.in(directory).variable("MELTANO_STATE_BACKEND_URI", "memory:f"));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void aSampleComesBackByteForByteFromClickHouse(String sample) throws IOException {
    TestClickHouse clickHouse = TestClickHouse.shared();
    String schema = clickHouse.freshSchema();

    comesBack(
        sample,
        RunStatectl.in(directory)
            .variable("MELTANO_STATE_BACKEND_URI", clickHouse.uri())
            .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema));

    assertThat(clickHouse.query("SELECT completed_state FROM " + schema + ".state FORMAT TSVRaw"))
        .isEqualTo(Files.readString(SAMPLES.resolve(sample)));
  }

  static Stream<String> samples() throws IOException {
    try (Stream<Path> files = Files.list(SAMPLES)) {
      List<String> names =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".json"))
              .sorted()
              .toList();
      assertThat(names).hasSize(6);
      return names.stream();
    }
  }

  private static void comesBack(String sample, RunStatectl run) throws IOException {
    byte[] bytes = Files.readAllBytes(SAMPLES.resolve(sample));
    String id = "dev:" + sample;

    // An export is no state, so the shape is not asked for.
    Outcome set = run.input(bytes).run("set", id, "--no-validate", "--input-file=-");

    assertThat(set.err()).endsWith(" (" + bytes.length + " bytes)\n");
    assertThat(set.code()).isZero();
    assertThat(run.run("get", id))
        .isEqualTo(new Outcome(0, new String(bytes, StandardCharsets.UTF_8) + "\n", ""));
    assertThat(run.run("list")).isEqualTo(new Outcome(0, id + "\n", ""));
  }
}
