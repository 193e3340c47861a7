package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Damaged and made-up input through the command: it ends with a failure of its own or does its
 * work, and a state that it was not asked to change keeps its bytes. The system property {@code
 * statectl.fuzz.rounds} sets the rounds for each kind of input, {@code statectl.fuzz.seed} repeats
 * a run.
 */
class FuzzTest {
  private static final int ROUNDS = Integer.getInteger("statectl.fuzz.rounds", 40);
  private static final long SEED =
      Long.getLong("statectl.fuzz.seed", new Random().nextInt(1_000_000));
  private static final Duration LONGEST = Duration.ofSeconds(20);
  private static final String VICTIM = "{\"singer_state\": {\"bookmarks\": {\"v\": {\"k\": 1.0}}}}";

  private static final List<byte[]> TOKENS =
      List.of(
          new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF},
          new byte[] {(byte) 0xFF},
          new byte[] {(byte) 0xC0, (byte) 0x80},
          new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
          new byte[] {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
          new byte[] {0},
          utf8("\\ud800"),
          utf8("\\udc00\\ud800"),
          utf8("\\u0000"),
          utf8("\\"),
          utf8("\""),
          utf8("{"),
          utf8("}"),
          utf8("[[[["),
          utf8("[".repeat(3_000)),
          utf8("{\"a\":".repeat(3_000)),
          utf8(","),
          utf8(":"),
          utf8("NaN"),
          utf8("-Infinity"),
          utf8("-"),
          utf8("1e999999999"),
          utf8("9".repeat(10_000)),
          utf8("0." + "0".repeat(5_000) + "1"),
          utf8("null"),
          utf8("\"singer_state\":{}"),
          utf8("\"bookmarks\":7"),
          utf8("\r\n\t "),
          utf8("%"),
          utf8("%zz%2"),
          utf8("@"),
          utf8("://"),
          utf8("?secure=true&port=0"),
          utf8("#"),
          utf8("${A}$B\\$"),
          utf8("&a [*a, *b]"),
          utf8("!!java.net.URL"),
          utf8("- "),
          utf8("*"),
          utf8("~1~2"),
          utf8("/"),
          utf8("\u202e\u2028"),
          utf8("\ud83d\ude00"));

  private final List<Outcome> outcomes = new ArrayList<>();
  @TempDir private Path directory;

  /** What is damaged, and which commands take it. */
  enum Target {
    DOCUMENT(
        "sdk-incremental.json",
        (test, input) -> test.commandOn(input, "set", "dev:x", "--force", "--input-file", "in")),
    DOCUMENT_TO_MERGE(
        "sdk-partitions.json",
        (test, input) -> test.commandOn(input, "merge", "dev:m", "--force", "--input-file", "in")),
    DOCUMENT_UNCHECKED(
        "python-odd-tokens.json",
        (test, input) -> {
          test.commandOn(input, "set", "dev:x", "--force", "--no-validate", "--input-file", "in");
          test.run("streams", "dev:x", "-o", "json");
          test.run("diff", "dev:x");
        }),
    EXPORT(
        "export.json",
        (test, input) ->
            test.commandOn(input, "import", "in", "--if-exists", "overwrite", "--force")),
    SNAPSHOT("export.json", FuzzTest::onSnapshot),
    MELTANO_YML(
        "meltano.yml",
        (test, input) -> {
          test.write("meltano.yml", input);
          test.runInProject("config", "show");
        }),
    DOTENV(
        null,
        (test, input) -> {
          test.write("meltano.yml", utf8("state_backend.uri: ${URI}\n"));
          test.write(".env", input);
          test.runInProject("config", "show", "-o", "json");
        }),
    URI(null, (test, input) -> test.runInProject("config", "show", "--uri", text(input))),
    ID(null, (test, input) -> test.run("set", "--force", "--", text(input), VICTIM)),
    GLOB(
        null,
        (test, input) -> {
          test.run("check", "--max-age", "1h", "--pattern=" + text(input));
          test.run("copy", "--dry-run", "--pattern=" + text(input), "--to", "x:*");
        }),
    POINTER(
        null,
        (test, input) -> {
          test.run("unset", "--dry-run", "dev:m", "/" + text(input));
          test.run("put", "--dry-run", "dev:m", text(input), text(input));
        });

    private final @Nullable String sample;
    private final BiConsumer<FuzzTest, byte[]> use;

    Target(@Nullable String sample, BiConsumer<FuzzTest, byte[]> use) {
      this.sample = sample;
      this.use = use;
    }

    private byte[] seed() {
      if (sample != null) {
        try (InputStream in = FuzzTest.class.getResourceAsStream("/samples/" + sample)) {
          return in.readAllBytes();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return utf8(
          switch (this) {
            case DOTENV -> "URI='clickhouse://u:p@h:1/d'\nexport A=\"b\\n\" # c\nMELTANO_X=${A}\n";
            case URI -> "clickhouse://user:pa%40ss@[::1]:8123/data%2Fbase?secure=true&table=t";
            case GLOB -> "dev:tap-*-to-*:x";
            case POINTER -> "/singer_state/bookmarks/a~1b/0";
            default -> "dev:tap-github-to-target-clickhouse:suffix";
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void itFailsByItsOwnWordsOrWorks(Target target) throws IOException {
    Random random = new Random(SEED ^ target.name().hashCode());
    Map<Integer, Integer> codes = new TreeMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      write("store.json", utf8("{}"));
      run("set", "prod:victim", VICTIM);
      run("set", "dev:m", VICTIM);
      byte[] input = damaged(target.seed(), random);
      long start = System.nanoTime();

      outcomes.clear();
      target.use.accept(this, input);

      Duration taken = Duration.ofNanos(System.nanoTime() - start);
      String what =
          "seed %d, round %d of %s, input in base64: %s%n"
              .formatted(SEED, round, target, Base64.getEncoder().encodeToString(input));
      assertThat(taken).as(what).isLessThan(LONGEST);
      assertThat(outcomes).as(what).isNotEmpty().allSatisfy(FuzzTest::assertInOwnWords);
      outcomes.forEach(outcome -> codes.merge(outcome.code(), 1, Integer::sum));
      for (String file : List.of("meltano.yml", ".env", "in")) {
        Files.deleteIfExists(directory.resolve(file));
      }
      if (target != Target.SNAPSHOT && target != Target.EXPORT && target != Target.ID) {
        assertThat(run("get", "prod:victim").out()).as(what).isEqualTo(VICTIM + "\n");
      }
    }
    System.out.printf("fuzz seed %d, %s: %d rounds, exit codes %s%n", SEED, target, ROUNDS, codes);
  }

  private static void assertInOwnWords(Outcome outcome) {
    assertThat(ExitCode.table()).containsKey(String.valueOf(outcome.code()));
    assertThat(outcome.err()).doesNotContain("unexpected failure", "Exception", "\tat ");
    assertThat(outcome.err().lines())
        .allMatch(line -> line.startsWith("statectl: ") || line.startsWith("{\"error\":"));
  }

  /** A store that cannot be read is left as it is by every command. */
  private static void onSnapshot(FuzzTest test, byte[] input) {
    test.write("store.json", input);
    Outcome outcome = test.run("list", "-o", "ndjson");
    if (outcome.code() != 0) {
      Outcome written = test.run("set", "dev:new", VICTIM, "--force");
      assertThat(written.code()).as(written.err()).isNotZero();
      try {
        assertThat(Files.readAllBytes(test.directory.resolve("store.json"))).isEqualTo(input);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void commandOn(byte[] input, String... command) {
    write("in", input);
    run(command);
  }

  private Outcome run(String... arguments) {
    Outcome outcome =
        RunStatectl.in(directory)
            .variable("MELTANO_STATE_BACKEND_URI", "memory:store.json")
            .run(arguments);
    outcomes.add(outcome);
    return outcome;
  }

  private void runInProject(String... arguments) {
    outcomes.add(RunStatectl.in(directory).variable("CH_PASSWORD", "pw").run(arguments));
  }

  private void write(String name, byte[] bytes) {
    try {
      Files.write(directory.resolve(name), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] damaged(byte[] seed, Random random) {
    byte[] bytes = seed;
    // Half of them only with odder texts, which goes deeper than what no parser takes.
    int kinds = random.nextBoolean() ? 8 : 1;
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(bytes.length + 1);
      int end = Math.min(bytes.length, at + random.nextInt(20));
      bytes =
          switch (random.nextInt(kinds)) {
            case 0, 4 -> insideText(bytes, at, TOKENS.get(random.nextInt(TOKENS.size())));
            case 1 -> joined(bytes, at, new byte[0], end);
            case 2 -> joined(bytes, at, new byte[0], bytes.length);
            case 3 -> joined(bytes, at, slice(bytes, random), at);
            case 5 -> joined(bytes, at, new byte[] {(byte) random.nextInt(256)}, at);
            default ->
                joined(
                    bytes,
                    at,
                    TOKENS.get(random.nextInt(TOKENS.size())),
                    random.nextBoolean() ? at : end);
          };
    }
    return bytes;
  }

  /** Into the next text of a document, so that it may well stay one. */
  private static byte[] insideText(byte[] bytes, int from, byte[] token) {
    int at = from;
    // Before a letter: a quote there begins a text.
    while (at + 1 < bytes.length && !(bytes[at] == '"' && Character.isLetter(bytes[at + 1]))) {
      at++;
    }
    at = Math.min(bytes.length, at + 1);
    return joined(bytes, at, token, at);
  }

  private static byte[] slice(byte[] bytes, Random random) {
    int from = random.nextInt(bytes.length + 1);
    int to = from + random.nextInt(bytes.length - from + 1);
    return Arrays.copyOfRange(bytes, from, to);
  }

  private static byte[] joined(byte[] bytes, int at, byte[] between, int from) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    joined.write(bytes, 0, at);
    joined.writeBytes(between);
    joined.write(bytes, from, bytes.length - from);
    return joined.toByteArray();
  }

  /** As a shell gives arguments to a program: without zero bytes, and as text. */
  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8).replace("\0", "");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
