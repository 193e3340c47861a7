package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportCommandTest {
  private static final String STORED =
      "{\"a\": {\"completed\": { \"x\": 1.0 }, \"partial\": {}},\n"
          + "\"b\": {\"completed\": {}, \"partial\": {\"half\":\"\\ud83d\"}}}\n";

  @TempDir private Path directory;
  private String target;

  @BeforeEach
  void fill() throws IOException {
    Files.writeString(directory.resolve("s"), STORED);
    target = "memory:" + directory.resolve("s");
  }

  @Test
  void statesGoToStandardOutput() {
    assertThat(run("export")).isEqualTo(new Outcome(0, STORED, ""));
    assertThat(run("export", "-")).isEqualTo(new Outcome(0, STORED, ""));
    assertThat(run("export", "--pattern=a*"))
        .isEqualTo(
            new Outcome(0, "{\"a\": {\"completed\": { \"x\": 1.0 }, \"partial\": {}}}\n", ""));
    assertThat(run("export", "--pattern=z*")).isEqualTo(new Outcome(0, "{}\n", ""));
  }

  @Test
  void aNewFileIsForItsOwnerOnly() throws IOException {
    assertThat(run("export", "out.json"))
        .isEqualTo(
            new Outcome(0, "", "statectl: exported 2 states of " + target + " to out.json\n"));
    assertThat(directory.resolve("out.json")).hasContent(STORED);
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(directory.resolve("out.json"))))
        .isEqualTo("rw-------");
    assertNothingIsLeft("out.json");
  }

  @Test
  void beforeAFileIsOverwrittenAPersonIsAsked() throws IOException {
    Path out = directory.resolve("out.json");
    Files.writeString(out, "old");
    Files.setPosixFilePermissions(out, PosixFilePermissions.fromString("rw-r-----"));
    RunStatectl run = run().answering("n", "y");

    assertThat(run.run("export", "out.json"))
        .isEqualTo(new Outcome(1, "", "statectl: nothing was changed\n"));
    assertThat(out).hasContent("old");
    assertThat(run.run("export", "out.json").code()).isZero();
    assertThat(run.questions())
        .startsWith(
            "Overwrite the file out.json (3 bytes) with the states of " + target + "? [y/N] ");
    assertThat(out).hasContent(STORED);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(out)))
        .isEqualTo("rw-r-----");
    assertThat(run("export", "out.json"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: this would overwrite the file out.json (104 bytes) with the states of "
                    + target
                    + "; give --yes to do it; nothing was changed\n"));
    assertThat(run("export", "--yes", "out.json").code()).isZero();
  }

  @Test
  void aLinkIsFollowed() throws IOException {
    Files.writeString(directory.resolve("real.json"), "old");
    Files.createSymbolicLink(directory.resolve("link.json"), Path.of("real.json"));

    assertThat(run("export", "--yes", "link.json").code()).isZero();
    assertThat(directory.resolve("link.json")).isSymbolicLink();
    assertThat(directory.resolve("real.json")).hasContent(STORED);
  }

  @Test
  void aDryRunWritesNothing() throws IOException {
    assertThat(run("export", "--dry-run", "out.json"))
        .isEqualTo(
            new Outcome(
                0,
                "",
                "statectl: would export the states of "
                    + target
                    + " to the new file out.json\nstatectl: dry run: nothing was changed\n"));
    assertThat(run("export", "--dry-run"))
        .isEqualTo(
            new Outcome(
                0,
                "",
                "statectl: would export the states of "
                    + target
                    + " to standard output\nstatectl: dry run: nothing was changed\n"));
    assertNothingIsLeft();
  }

  @Test
  void whereNoFileCanBeWrittenTheNameIsSaid() throws IOException {
    assertThat(run("export", "missing/out.json"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: missing/out.json: cannot be written: no such directory; it was not"
                    + " changed\n"));
    assertThat(run("export", "--yes", "."))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: .: not a regular file; leave FILE out to write to standard output\n"));
    assertNothingIsLeft();
  }

  @Test
  void whatCannotBeReadIsNamedAndTheOthersAreExported() throws IOException {
    TestClickHouse clickHouse = TestClickHouse.shared();
    String schema = clickHouse.freshSchema();
    RunStatectl run =
        RunStatectl.in(directory)
            .variable("MELTANO_STATE_BACKEND_URI", clickHouse.uri())
            .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema);
    run.run("set", "a", "{\"singer_state\": {}}");
    clickHouse.execute(
        "INSERT INTO " + schema + ".state (state_id, completed_state) VALUES ('b', '[]')",
        "INSERT INTO " + schema + ".state (state_id, completed_state) VALUES ('', '{\"c\": 1}')");
    String onServer =
        clickHouse.endpoint().host() + ":" + clickHouse.endpoint().port() + " " + schema + ".state";
    String unreadable =
        "statectl: the state of 'b' cannot be read: column completed_state: line 1, column 1:"
            + " expected an object, found an array (nothing was changed; set the state anew or"
            + " clear it)\n";
    String summary =
        "statectl: 1 state of " + onServer + " could not be read, and the export is without\n";
    String export =
        "{\"\": {\"completed\": {\"c\": 1}, \"partial\": {}},\n"
            + "\"a\": {\"completed\": {\"singer_state\": {}}, \"partial\": {}}}\n";

    assertThat(run.run("export")).isEqualTo(new Outcome(8, export, unreadable + summary));
    assertThat(run.run("export", "out.json"))
        .isEqualTo(
            new Outcome(
                8,
                "",
                unreadable
                    + "statectl: exported 2 states of "
                    + onServer
                    + " to out.json\n"
                    + summary));
    assertThat(directory.resolve("out.json")).hasContent(export);
    assertThat(run.run("export", "--pattern=b"))
        .isEqualTo(new Outcome(1, "{}\n", unreadable + summary));
  }

  @Test
  void anExportThatFailsLeavesTheOldFile() throws IOException {
    Files.writeString(directory.resolve("out.json"), "old");

    Outcome outcome =
        RunStatectl.in(directory)
            .variable("MELTANO_STATE_BACKEND_URI", "clickhouse://u:p@127.0.0.1:1/db")
            .run("export", "--yes", "out.json");

    assertThat(outcome.code()).isEqualTo(7);
    assertThat(directory.resolve("out.json")).hasContent("old");
    assertNothingIsLeft("out.json");
  }

  private void assertNothingIsLeft(String... but) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(
                      Stream.of("s").filter(s -> Files.exists(directory.resolve(s))),
                      Stream.concat(
                          Stream.of("s.lock").filter(s -> Files.exists(directory.resolve(s))),
                          Stream.of(but)))
                  .toList());
    }
  }

  private RunStatectl run() {
    return RunStatectl.in(directory).variable("MELTANO_STATE_BACKEND_URI", "memory:s");
  }

  private Outcome run(String... args) {
    return run().run(args);
  }
}
