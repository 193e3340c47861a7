package dev.statectl.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/**
 * Runs what most command lines need, so that the JVM can keep what it learns meanwhile: commands on
 * an embedded store, and on ClickHouse as far as the driver is concerned, with a server's recorded
 * answers. Says nothing, and looks at no setting of the machine.
 */
final class Rehearsal {
  private Rehearsal() {}

  /** Takes no arguments. */
  public static void main(String[] args) throws IOException, ClassNotFoundException {
    Path directory = Files.createTempDirectory("statectl-rehearsal");
    try {
      // Not run here, since it ends the JVM.
      Class.forName(Main.class.getName());
      run(directory, "--version");
      run(directory, "--help");
      run(directory, "get", "--help");
      String file = "memory:" + directory.resolve("state.json").toUri().getRawPath();
      run(directory, "--uri", file, "set", "--force", "a:b-to-c", "{\"singer_state\": {}}");
      run(directory, "--uri", file, "list");
      run(directory, "--uri", file, "get", "a:b-to-c");
      run(directory, "--uri", file, "get", "unknown");
      // The last one is for Jdbi, which reads of states do without.
      for (List<String> command :
          List.of(List.of("get", "dev:tap-1"), List.of("list"), List.of("lock", "list"))) {
        try (RecordedServer server = RecordedServer.start(command.get(0) + ".http")) {
          String uri = "clickhouse://a:b@127.0.0.1:" + server.port() + "/default";
          run(directory, Map.of("MELTANO_STATE_BACKEND_URI", uri), command.toArray(String[]::new));
        }
      }
    } finally {
      delete(directory);
    }
  }

  private static void run(Path directory, String... args) {
    run(directory, Map.of(), args);
  }

  private static void run(Path directory, Map<String, String> environment, String... args) {
    Launcher.run(
        args,
        new ProcessContext(
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            new PrintStream(OutputStream.nullOutputStream()),
            environment,
            directory,
            new ConsoleTerminal(InputStream.nullInputStream(), System.err),
            new JvmStopSignals(),
            ProcessOwner.describe(),
            Clock.systemUTC()));
  }

  private static void delete(Path directory) throws IOException {
    List<Path> files;
    try (var walk = Files.list(directory)) {
      files = walk.toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
    Files.delete(directory);
  }
}
