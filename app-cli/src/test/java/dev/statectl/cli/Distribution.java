package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A distribution that the build has made, unpacked somewhere, with the JVM that runs the tests. */
final class Distribution {
  private final Path home;
  private final Path working;

  private Distribution(Path home, Path working) {
    this.home = home;
    this.working = working;
  }

  /** Unpacks it into a directory, which is created, with a directory to work in beside it. */
  static Distribution unpack(Path directory) throws Exception {
    Path archive;
    try (Stream<Path> files = Files.list(Path.of("target"))) {
      archive = files.filter(file -> file.toString().endsWith(".tar.gz")).findFirst().orElseThrow();
    }
    Files.createDirectories(directory);
    Tool.Result result =
        Tool.run(
            directory,
            Map.of(),
            "",
            "tar",
            "--strip-components=1",
            "-xzf",
            archive.toAbsolutePath().toString());
    assertThat(result).isEqualTo(new Tool.Result(0, ""));
    Path working = Files.createDirectories(directory.resolveSibling("working"));
    return new Distribution(directory, working);
  }

  Path home() {
    return home;
  }

  /** All files, as paths below the distribution. */
  List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> home.relativize(file).toString())
          .filter(file -> file.contains("/") || file.matches("[A-Z]+(\\.md)?"))
          .sorted()
          .toList();
    }
  }

  /** Runs bin/statectl, without an archive unless the variables want one. */
  Tool.Result run(Map<String, String> variables, String... args) throws Exception {
    return runAs(home.resolve("bin/statectl"), variables, args);
  }

  /** Runs what leads to bin/statectl. */
  Tool.Result runAs(Path launcher, Map<String, String> variables, String... args) throws Exception {
    Map<String, String> environment = new HashMap<>();
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("STATECTL_ARCHIVE", "off");
    environment.put("XDG_CACHE_HOME", working.resolve("cache").toString());
    environment.put("MELTANO_STATE_BACKEND_URI", "memory:states.json");
    environment.putAll(variables);
    String[] command = new String[args.length + 1];
    command[0] = launcher.toString();
    System.arraycopy(args, 0, command, 1, args.length);
    return Tool.run(working, environment, "", command);
  }
}
