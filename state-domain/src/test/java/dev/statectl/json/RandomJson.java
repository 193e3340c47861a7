package dev.statectl.json;

import java.util.Random;

/** Makes random objects with odd spellings: white space, escapes, long numbers, repeated names. */
final class RandomJson {
  private static final String[] SPACE = {"", "", "", " ", "\n  ", "\t", "\r\n"};
  private static final String[] NAMES = {
    "\"a\"",
    "\"b\"",
    "\"\\u0061\"",
    "\"c d\"",
    "\"\"",
    "\"ж\"",
    "\"🚀\"",
    "\"\\ud83d\\ude80\"",
    "\"q\\\"q\"",
    "\"s\\\\\"",
    "\"\\n\"",
    "\"}{\""
  };
  private static final String[] SCALARS = {
    "1",
    "-0",
    "-0.0",
    "1.0",
    "1e3",
    "1E+400",
    "123456789012345678901234567890",
    "0.10000000000001",
    "NaN",
    "Infinity",
    "-Infinity",
    "true",
    "false",
    "null",
    "\"\"",
    "\"x, y\"",
    "\"\\ud83d\"",
    "\"\\u0000\"",
    "\"caf\\u00e9\"",
    "\"é 🚀\"",
    "\"]}\\\"\""
  };

  private final Random random;

  RandomJson(Random random) {
    this.random = random;
  }

  String object(int depth) {
    StringBuilder out = new StringBuilder("{");
    int members = random.nextInt(5);
    for (int i = 0; i < members; i++) {
      out.append(i == 0 ? "" : ",").append(space()).append(pick(NAMES)).append(space());
      out.append(':').append(space()).append(value(depth - 1)).append(space());
    }
    return out.append(members == 0 ? space() : "").append('}').toString();
  }

  private String value(int depth) {
    int kind = random.nextInt(10);
    if (kind < 4 && depth > 0) {
      return object(depth);
    }
    if (kind < 5 && depth > 0) {
      return "[" + space() + value(depth - 1) + space() + "," + value(depth - 1) + "]";
    }
    return pick(SCALARS);
  }

  private String space() {
    return pick(SPACE);
  }

  private String pick(String[] of) {
    return of[random.nextInt(of.length)];
  }
}
