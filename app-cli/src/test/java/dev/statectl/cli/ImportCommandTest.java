package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImportCommandTest {
  private static final Path SAMPLES = Path.of("src/test/resources/samples");
  private static final String STORED = "{\"b\": {\"completed\": {\"old\": 1}, \"partial\": {}}}\n";
  private static final String TWO =
      "{\"a\": {\"completed\": { \"x\": 1.0 }, \"partial\": {}},\n"
          + "\"b\": {\"completed\": {}, \"partial\": {\"half\":\"\\ud83d\"}}}\n";

  @TempDir private Path directory;
  private Path store;
  private String target;

  @BeforeEach
  void fill() throws IOException {
    store = directory.resolve("s");
    Files.writeString(store, STORED);
    Files.writeString(directory.resolve("two.json"), TWO);
    target = "memory:" + store;
  }

  @Test
  void aDryRunLeavesNothingBehind() throws IOException {
    Files.delete(store);

    assertThat(run("import", "--dry-run", "two.json").code()).isZero();
    try (Stream<Path> left = Files.list(store.toAbsolutePath().getParent())) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.startsWith(store.getFileName().toString()));
    }
  }

  @Test
  void anExportOfMeltanoIsImportedFromAFileAndFromStandardInput() throws IOException {
    String export = Files.readString(SAMPLES.resolve("export.json"));
    Files.writeString(directory.resolve("meltano.json"), export);
    String[][] lines = {{"meltano.json"}, {"-"}, {}};
    for (String[] line : lines) {
      Files.writeString(store, "{}");
      String[] args = Stream.concat(Stream.of("import"), Stream.of(line)).toArray(String[]::new);

      assertThat(run().input(export).run(args))
          .isEqualTo(
              new Outcome(
                  0,
                  "",
                  "statectl: imported into "
                      + target
                      + ": created 3, updated 0, skipped 0, failed 0\n"));
      assertThat(Files.readString(store).replace(",\n", ", ").strip()).isEqualTo(export.strip());
    }
  }

  @Test
  void whatIsThereAlreadyIsAFailureUnlessOneSaysWhatToDo() {
    assertThat(run("import", "two.json"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: the export has ids with a state in "
                    + target
                    + " already, 1 of 2, such as 'b'; nothing was changed; say --if-exists=overwrite or"
                    + " --if-exists=skip\n"));
    assertThat(run("import", "--yes", "--if-exists=fail", "two.json").code()).isEqualTo(1);
    assertThat(store).hasContent(STORED);
  }

  @Test
  void skipKeepsWhatIsThereAndAsksNobody() {
    assertThat(run("import", "--if-exists=skip", "two.json"))
        .isEqualTo(
            new Outcome(
                0,
                "",
                "statectl: imported into "
                    + target
                    + ": created 1, updated 0, skipped 1, failed 0\n"));
    assertThat(store)
        .hasContent(
            "{\"a\": {\"completed\": { \"x\": 1.0 }, \"partial\": {}},\n" + STORED.substring(1));
  }

  @Test
  void overwriteAsksFirst() throws IOException {
    RunStatectl run = run().answering("n", "y");

    assertThat(run.run("import", "--if-exists=overwrite", "two.json"))
        .isEqualTo(new Outcome(1, "", "statectl: nothing was changed\n"));
    assertThat(store).hasContent(STORED);
    assertThat(run.run("import", "--if-exists=overwrite", "two.json"))
        .isEqualTo(
            new Outcome(
                0,
                "",
                "statectl: imported into "
                    + target
                    + ": created 1, updated 1, skipped 0, failed 0\n"));
    assertThat(run.questions().get(0))
        .isEqualTo("Import 2 states into " + target + " (1 new, 1 overwritten)? [y/N] ");
    assertThat(store).hasContent(TWO);

    assertThat(run().input(TWO).run("import", "--if-exists=overwrite", "-"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: this would import 2 states into "
                    + target
                    + " (0 new, 2 overwritten); give --yes to do it; nothing was changed\n"));
    assertThat(run().input(TWO).run("import", "--if-exists=overwrite", "--yes", "-").err())
        .endsWith(": created 0, updated 2, skipped 0, failed 0\n");
  }

  @Test
  void aDryRunSaysThePlanAndChangesNothing() {
    assertThat(run("import", "--dry-run", "--if-exists=skip", "two.json"))
        .isEqualTo(
            new Outcome(
                0,
                "",
                "statectl: would import 2 states into "
                    + target
                    + " (1 new, 1 kept as they are in the store)\n"
                    + "statectl: dry run: nothing was changed\n"));
    assertThat(run("import", "--dry-run", "--if-exists=overwrite", "two.json").err())
        .startsWith("statectl: would import 2 states into " + target + " (1 new, 1 overwritten)\n");
    assertThat(store).hasContent(STORED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\": {}, \"a\": {}} | line 1, column 11: a second entry for 'a'",
        "{\"a\": {}, \" \": {}} | at / : a state id must not be blank",
        "{\"a\": {}, \"c\": {\"partial\": []}} | at /c/partial: expected an object or null, found an array",
        "{\"a\": {}, \"c\": {\"partial\": {\"secret\": tru}}} | line 1, column 39: unexpected 't'",
        "{\"singer_state\": {\"bookmarks\": {}}} | at /singer_state: only 'completed' and 'partial' are known here, found another member",
        "{\"a\": {} | line 1, column 9: the text ends before the JSON does",
        "`` | line 1, column 1: expected an object, found nothing",
      })
  void whatCannotBeStoredIsRefusedBeforeTheFirstWrite(String export, String message)
      throws IOException {
    String text = export == null ? "" : export;
    Files.writeString(directory.resolve("bad.json"), text);

    assertThat(run("import", "--yes", "--if-exists=overwrite", "bad.json"))
        .isEqualTo(
            new Outcome(1, "", "statectl: bad.json: " + message + "; nothing was changed\n"));
    assertThat(run().input(text).run("import", "-"))
        .isEqualTo(
            new Outcome(1, "", "statectl: standard input: " + message + "; nothing was changed\n"));
    assertThat(store).hasContent(STORED);
  }

  @Test
  void whatIsNotUtf8IsRefusedWithItsPlace() throws IOException {
    Files.write(
        directory.resolve("latin1.json"),
        "{\"a\": {},\n\"é\": {}}".getBytes(StandardCharsets.ISO_8859_1));
    Files.write(directory.resolve("cut.json"), new byte[] {'{', '}', (byte) 0xf0, (byte) 0x9f});

    assertThat(run("import", "latin1.json").err())
        .isEqualTo("statectl: latin1.json: line 2, column 2: not UTF-8; nothing was changed\n");
    assertThat(run("import", "cut.json").err())
        .isEqualTo("statectl: cut.json: line 1, column 3: not UTF-8; nothing was changed\n");
  }

  @Test
  void aStateThatIsTooLargeIsRefusedBeforeTheFirstWrite() {
    byte[] head = "{\"a\": {},\n\"c\": {\"partial\": {\"x\": \"".getBytes(StandardCharsets.UTF_8);
    byte[] tail = "\"}}}".getBytes(StandardCharsets.UTF_8);
    InputStream tooLarge = repeated(head, 67_108_856, tail);
    InputStream endless = repeated(head, 70_000_000, tail);

    assertThat(run().input(tooLarge).run("import", "-"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: the state of 'c' has 67108865 bytes, more than the 67108864 that may be"
                    + " written; nothing was changed\n"));
    assertThat(run().input(endless).run("import", "-"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: standard input: line 2, column 1: what begins here is larger than a"
                    + " state may be; a brace or a quote may be missing; nothing was changed\n"));
    assertThat(store).hasContent(STORED);
  }

  @Test
  void aFileThatCannotBeReadIsNamed() {
    assertThat(run("import", "missing.json"))
        .isEqualTo(
            new Outcome(1, "", "statectl: missing.json: no such file; nothing was changed\n"));
    assertThat(run("import", "."))
        .isEqualTo(
            new Outcome(
                1, "", "statectl: .: cannot be read: Is a directory; nothing was changed\n"));
  }

  @Test
  void aPersonIsNotLeftWaitingForInput() {
    assertThat(run().answering().run("import"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: the export is missing: give FILE, or - to type it\n"
                    + "statectl: see 'statectl import --help'\n"));
  }

  @Test
  void standardInputLeavesNoTemporaryFile() throws IOException {
    List<Path> seen = new ArrayList<>();
    InputStream watching =
        new InputStream() {
          private final InputStream bytes =
              new ByteArrayInputStream("{}".getBytes(StandardCharsets.UTF_8));

          @Override
          public int read() throws IOException {
            seen.addAll(temporaryFiles());
            return bytes.read();
          }
        };

    assertThat(run().input(watching).run("import", "-").code()).isZero();
    assertThat(seen).isEmpty();
    assertThat(temporaryFiles()).isEmpty();
  }

  @Test
  void aStateWhoseLockIsHeldIsNamedAndTheOthersAreImported() {
    TestClickHouse clickHouse = TestClickHouse.shared();
    String schema = clickHouse.freshSchema();
    RunStatectl run =
        RunStatectl.in(directory)
            .variable("MELTANO_STATE_BACKEND_URI", clickHouse.uri())
            .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema);
    run.run("set", "x", "{\"singer_state\": {}}");
    clickHouse.execute(
        "INSERT INTO "
            + schema
            + ".state_lock (state_id, lock_id) VALUES ('b', '11111111-0000-0000-0000-000000000000')");

    Outcome outcome = run.run("import", "--wait=0", "two.json");

    assertThat(outcome.code()).isEqualTo(8);
    assertThat(outcome.err().lines())
        .hasSize(2)
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("statectl: not imported: 'b': the lock of 'b' is held by"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("statectl: imported into ")
                    .endsWith(": created 1, updated 0, skipped 0, failed 1"));
    assertThat(run.run("list").out()).isEqualTo("a\nx\n");
  }

  @Test
  void whatOneStoreExportsAnotherImportsByteForByte() throws IOException {
    TestClickHouse clickHouse = TestClickHouse.shared();
    RunStatectl onServer =
        RunStatectl.in(directory)
            .variable("MELTANO_STATE_BACKEND_URI", clickHouse.uri())
            .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", clickHouse.freshSchema());
    StringBuilder export = new StringBuilder();
    try (Stream<Path> files = Files.list(SAMPLES)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
        String sample = Files.readString(file).strip();
        export
            .append(export.isEmpty() ? "{" : ",\n")
            .append("\"dev:" + file.getFileName() + "\": {\"completed\": ")
            .append(sample)
            .append(", \"partial\": ")
            .append(sample)
            .append("}");
      }
    }
    export.append("}\n");

    assertThat(onServer.input(export.toString()).run("import", "-").code()).isZero();
    Outcome exported = onServer.run("export");
    assertThat(exported).isEqualTo(new Outcome(0, export.toString(), ""));

    Files.delete(store);
    assertThat(run().input(exported.out()).run("import", "-").code()).isZero();
    assertThat(run("export").out()).isEqualTo(export.toString());
    assertThat(store).hasContent(export.toString());
  }

  private static InputStream repeated(byte[] head, int count, byte[] tail) {
    return new InputStream() {
      private int position;

      @Override
      public int read() {
        int at = position++;
        if (at < head.length) {
          return head[at];
        }
        if (at < head.length + count) {
          return 'x';
        }
        int rest = at - head.length - count;
        return rest < tail.length ? tail[rest] : -1;
      }
    };
  }

  private static List<Path> temporaryFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("statectl-import-"))
          .toList();
    }
  }

  private RunStatectl run() {
    return RunStatectl.in(directory).variable("MELTANO_STATE_BACKEND_URI", "memory:s");
  }

  private Outcome run(String... args) {
    return run().run(args);
  }
}
