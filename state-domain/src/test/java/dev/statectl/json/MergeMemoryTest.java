package dev.statectl.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Reads and merges two halves of together N bytes in a JVM whose heap is little more than what it
 * uses at rest plus six times N: what needs more dies of an OutOfMemoryError.
 */
class MergeMemoryTest {
  private static final int N = 48 * 1024 * 1024;

  // What the JVM itself and the classes loaded take.
  private static final int AT_REST = 8 * 1024 * 1024;

  @ParameterizedTest
  @EnumSource(Documents.class)
  void readingAndMergingTakesLessThanSixTimesTheDocument(Documents documents)
      throws IOException, InterruptedException {
    int heap = 6 * N + AT_REST;

    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-Xms" + heap,
                    "-Xmx" + heap,
                    // One generation as good as whole: what counts is what is alive at once.
                    "-XX:NewSize=1m",
                    "-XX:MaxNewSize=1m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    MergeMemoryTest.class.getName(),
                    documents.name()))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes());

    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    System.out.printf("heap of 6 x %d MiB, %s: %s", N >> 20, documents, output);
    assertThat(output).startsWith("merged ");
    assertThat(process.exitValue()).isZero();
  }

  /** Shapes of documents; each half is near N / 2 bytes. */
  enum Documents {
    ONE_LONG_STRING {
      @Override
      String half(int number, int bytes) {
        return "{\"s" + number + "\": \"" + "x".repeat(bytes) + "\"}";
      }
    },
    MANY_STREAMS {
      @Override
      String half(int number, int bytes) {
        return members(bytes, "\"stream-%07d\": {\"replication_key_value\": \"2026-11-27\"}");
      }
    },
    DISTINCT_STREAMS_AND_ONE_EMOJI {
      @Override
      String half(int number, int bytes) {
        return members(bytes, "\"" + number + "-%07d\": {\"replication_key_value\": \"2026\"}")
            .replaceFirst("\\{", "{\"🚀\": 1,");
      }
    },
    MANY_STREAMS_IN_CYRILLIC {
      @Override
      String half(int number, int bytes) {
        return members(bytes / 2, "\"поток-%07d\": {\"значение\": \"ноябрь\"}");
      }
    },
    TINY_MEMBERS {
      @Override
      String half(int number, int bytes) {
        return members(bytes, "\"%07d\":" + number);
      }
    },
    DISTINCT_TINY_MEMBERS {
      @Override
      String half(int number, int bytes) {
        return members(bytes, "\"" + number + "%07d\":1");
      }
    };

    abstract String half(int number, int bytes);

    private static String members(int bytes, String format) {
      int count = bytes / (format.formatted(0).length() + 1);
      StringBuilder text = new StringBuilder(bytes + 1024).append('{');
      for (int i = 0; i < count; i++) {
        text.append(i == 0 ? "" : ",").append(format.formatted(i));
      }
      return text.append('}').toString();
    }
  }

  public static void main(String[] args) {
    Documents documents = Documents.valueOf(args[0]);
    JsonObject lower = JsonObject.parse(documents.half(1, N / 2));
    JsonObject upper = JsonObject.parse(documents.half(2, N / 2));
    System.out.println("merged " + lower.mergedWith(upper).utf8Length() + " bytes");
  }
}
