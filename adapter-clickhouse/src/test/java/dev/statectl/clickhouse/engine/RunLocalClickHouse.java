package dev.statectl.clickhouse.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.Path;

/**
 * A {@link LocalClickHouse} to play with: it says its URI on stdout and runs until stdin ends or
 * the process is ended. With a Keeper there are two engines on it, and a line of stdin that is
 * {@code stop}, {@code start} or {@code expire} stops or starts the Keeper or ends its sessions.
 */
final class RunLocalClickHouse {
  private RunLocalClickHouse() {}

  /**
   * Arguments: the directory of the data and logs, created if missing; before it {@code --keeper}
   * if one is wanted.
   */
  public static void main(String[] args) throws IOException {
    boolean withKeeper = args.length == 2 && args[0].equals("--keeper");
    if (args.length != (withKeeper ? 2 : 1)) {
      System.err.println("Usage: RunLocalClickHouse [--keeper] DIRECTORY");
      System.exit(2);
    }
    Path directory = Path.of(args[args.length - 1]);
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
    if (withKeeper) {
      runTwo(directory, commands);
    } else {
      runOne(directory, commands);
    }
  }

  private static void runOne(Path directory, BufferedReader commands) throws IOException {
    try (LocalClickHouse engine = LocalClickHouse.start(directory)) {
      say(engine);
      while (commands.readLine() != null) {
        // Nothing that is sent matters: only the end does.
      }
    }
  }

  private static void runTwo(Path directory, BufferedReader commands) throws IOException {
    try (TestKeeper keeper = TestKeeper.start(directory.resolve("keeper"));
        LocalClickHouse one = replica(directory, keeper, "one");
        LocalClickHouse two = replica(directory, keeper, "two")) {
      say(one);
      say(two);
      for (String command = commands.readLine(); command != null; command = commands.readLine()) {
        obey(command.strip(), keeper);
      }
    }
  }

  private static LocalClickHouse replica(Path directory, TestKeeper keeper, String name) {
    return LocalClickHouse.start(
        directory.resolve(name), EngineConfiguration.on(keeper).withMacro("replica", name));
  }

  private static void say(LocalClickHouse engine) {
    System.out.println(engine.endpoint().uri());
    System.out.flush();
  }

  private static void obey(String command, TestKeeper keeper) {
    switch (command) {
      case "stop" -> {
        keeper.close();
        System.err.println("The Keeper is stopped.");
      }
      case "start" -> {
        keeper.restart();
        System.err.println("The Keeper runs.");
      }
      case "expire" ->
          System.err.println("The Keeper has ended " + keeper.expireSessions() + " sessions.");
      default -> System.err.println("Say stop, start or expire, not: " + command);
    }
  }
}
