package dev.statectl.benchmark.json;

import java.util.Random;

/** Texts of states as pipelines write them; the same ones in each run. */
final class StateDocuments {
  private static final int KEYS = 12_000;

  private StateDocuments() {}

  /** A state, and what a run that went on from it writes: as long, with other values. */
  record Pair(String stored, String written) {
    long bytes() {
      // All of it is ASCII.
      return (long) stored.length() + written.length();
    }
  }

  /**
   * Makes a pair by its name.
   *
   * @param name a size such as {@code 100 KB}, or {@code 12,000 keys}
   */
  static Pair named(String name) {
    if (name.equals("12,000 keys")) {
      return new Pair(keys(1), keys(2));
    }
    String[] words = name.split(" ");
    int unit =
        switch (words[1]) {
          case "KB" -> 1_000;
          case "MB" -> 1_000_000;
          default -> throw new IllegalArgumentException(name);
        };
    int bytes = Integer.parseInt(words[0]) * unit;
    return new Pair(streams(bytes, 1), streams(bytes, 2));
  }

  /** Streams with a bookmark each; every fourth has some for each of its partitions. */
  private static String streams(int bytes, int run) {
    Random random = new Random(run);
    StringBuilder text = new StringBuilder(bytes + 1000);
    text.append("{\"singer_state\": {\"bookmarks\": {");
    for (int stream = 0; stream == 0 || text.length() < bytes - 250; stream++) {
      text.append(stream == 0 ? "" : ", ")
          .append("\"stream_")
          .append(stream)
          .append("\": {\"replication_key\": \"updated_at\", \"replication_key_value\": ")
          .append(time(random))
          .append(", \"version\": ")
          .append(1_700_000_000_000L + random.nextInt())
          .append(", \"offset\": {\"page\": ")
          .append(random.nextInt(10_000))
          .append(", \"ratio\": ")
          .append(random.nextInt(100))
          .append(".0}");
      if (stream % 4 == 3) {
        text.append(", \"partitions\": [");
        for (int partition = 0; partition < 3; partition++) {
          text.append(partition == 0 ? "" : ", ")
              .append("{\"context\": {\"account\": \"")
              .append(partition)
              .append("\"}, \"replication_key_value\": ")
              .append(time(random))
              .append('}');
        }
        text.append(']');
      }
      text.append('}');
    }
    return text.append("}}}").toString();
  }

  /** One stream that has seen many keys. */
  private static String keys(int run) {
    Random random = new Random(run);
    StringBuilder text =
        new StringBuilder("{\"singer_state\": {\"bookmarks\": {\"events\": {\"seen\": {");
    for (int key = 0; key < KEYS; key++) {
      text.append(key == 0 ? "" : ", ")
          .append("\"customer-")
          .append(key)
          .append("\": ")
          .append(time(random));
    }
    return text.append("}}}}}").toString();
  }

  private static String time(Random random) {
    return String.format(
        "\"2026-%02d-%02dT%02d:%02d:%02d.%06d+00:00\"",
        1 + random.nextInt(12),
        1 + random.nextInt(28),
        random.nextInt(24),
        random.nextInt(60),
        random.nextInt(60),
        random.nextInt(1_000_000));
  }
}
