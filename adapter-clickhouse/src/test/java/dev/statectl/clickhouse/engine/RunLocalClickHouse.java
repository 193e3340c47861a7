package dev.statectl.clickhouse.engine;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A {@link LocalClickHouse} to play with: it says its URI on stdout and runs until stdin ends or
 * the process is ended.
 */
final class RunLocalClickHouse {
  private RunLocalClickHouse() {}

  /** One argument: the directory of its data and its log, created if missing. */
  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      System.err.println("Usage: RunLocalClickHouse DIRECTORY");
      System.exit(2);
    }
    try (LocalClickHouse engine = LocalClickHouse.start(Path.of(args[0]))) {
      System.out.println(engine.endpoint().uri());
      System.out.flush();
      while (System.in.read() >= 0) {
        // Nothing that is sent matters: only the end does.
      }
    }
  }
}
