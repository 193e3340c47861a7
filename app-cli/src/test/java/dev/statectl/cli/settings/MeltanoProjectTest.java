package dev.statectl.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MeltanoProjectTest {
  private static final String URI = "state_backend.uri: clickhouse://etl@ch/mart";

  @TempDir private Path root;
  private Workspace workspace;

  @BeforeEach
  void open() {
    workspace = new Workspace(root);
  }

  /** The project that users are shown, with a value for the same setting in each layer in turn. */
  @Nested
  class Sample {
    @BeforeEach
    void copy() throws IOException {
      try (InputStream sample =
          MeltanoProjectTest.class.getResourceAsStream("/samples/meltano.yml")) {
        workspace.file("meltano.yml", new String(sample.readAllBytes(), StandardCharsets.UTF_8));
      }
    }

    @Test
    void itsDefaultEnvironmentLeavesTheTopLevel() {
      workspace.variable("CH_PASSWORD", "pw");

      assertThat(workspace.effective())
          .containsExactly(
              "ENVIRONMENT=dev (PROJECT meltano.yml:5 default_environment)",
              "URI=clickhouse://***@localhost:8123/analytics (PROJECT meltano.yml:7"
                  + " state_backend.uri)",
              "HOST=localhost (URI meltano.yml:7 state_backend.uri)",
              "PORT=8123 (URI meltano.yml:7 state_backend.uri)",
              "HOSTS=null (DEFAULT not set)",
              "DATABASE=analytics (URI meltano.yml:7 state_backend.uri)",
              "USER=etl (URI meltano.yml:7 state_backend.uri)",
              "PASSWORD=*** (URI meltano.yml:7 state_backend.uri)",
              "SECURE=false (DEFAULT default)",
              "VERIFY=full (DEFAULT default)",
              "CA_CERT=null (DEFAULT not set)",
              "CLIENT_CERT=null (DEFAULT not set)",
              "CLIENT_CERT_KEY=null (DEFAULT not set)",
              "SCHEMA=meltano (PROJECT meltano.yml:9 state_backend.clickhouse.schema)",
              "TABLE=state (DEFAULT default)",
              "CLUSTER=null (DEFAULT not set)",
              "REPLICATED=auto (DEFAULT default)",
              "CONSISTENCY=auto (DEFAULT default)",
              "CONNECT_TIMEOUT=60 (DEFAULT default)",
              "REQUEST_TIMEOUT=30 (DEFAULT default)",
              "LOCK_MODE=auto (DEFAULT default)",
              "LOCK_PEERS=plugin (DEFAULT default)",
              "LOCK_TIMEOUT=30 (DEFAULT default)",
              "LOCK_STALE=300 (DEFAULT default)",
              "MAX_STATE_BYTES=67108864 (DEFAULT default)");
      assertThat(workspace.clickHouse().password()).isEqualTo("pw");
    }

    @Test
    void anEnvironmentsConfigWinsOverTheTopLevel() {
      workspace.flag(Setting.ENVIRONMENT, "prod");

      assertThat(workspace.effective())
          .containsExactly(
              "ENVIRONMENT=prod (FLAG --environment)",
              "URI=clickhouse://***@ch.example.com/analytics (PROJECT_ENVIRONMENT meltano.yml:14"
                  + " state_backend.uri)",
              "HOST=ch.example.com (URI meltano.yml:14 state_backend.uri)",
              "PORT=8443 (DEFAULT default)",
              "HOSTS=null (DEFAULT not set)",
              "DATABASE=analytics (URI meltano.yml:14 state_backend.uri)",
              "USER=etl (URI meltano.yml:14 state_backend.uri)",
              "PASSWORD= (DEFAULT default)",
              "SECURE=true (PROJECT_ENVIRONMENT meltano.yml:17 state_backend.clickhouse.secure)",
              "VERIFY=full (DEFAULT default)",
              "CA_CERT=null (DEFAULT not set)",
              "CLIENT_CERT=null (DEFAULT not set)",
              "CLIENT_CERT_KEY=null (DEFAULT not set)",
              "SCHEMA=meltano (PROJECT meltano.yml:9 state_backend.clickhouse.schema)",
              "TABLE=state_prod (PROJECT_ENVIRONMENT meltano.yml:18"
                  + " state_backend.clickhouse.table)",
              "CLUSTER=null (DEFAULT not set)",
              "REPLICATED=auto (DEFAULT default)",
              "CONSISTENCY=auto (DEFAULT default)",
              "CONNECT_TIMEOUT=60 (DEFAULT default)",
              "REQUEST_TIMEOUT=30 (DEFAULT default)",
              "LOCK_MODE=auto (DEFAULT default)",
              "LOCK_PEERS=plugin (DEFAULT default)",
              "LOCK_TIMEOUT=30 (DEFAULT default)",
              "LOCK_STALE=300 (DEFAULT default)",
              "MAX_STATE_BYTES=67108864 (DEFAULT default)");
    }

    @Test
    void aVariableThatTheUriNeedsMustBeSet() {
      assertThat(workspace.problems())
          .containsExactly(
              "meltano.yml:7 state_backend.uri: refers to the variable CH_PASSWORD, which is not"
                  + " set; set it in the environment or in the project's .env");
    }

    @Test
    void aVariableThatOnlyALosingValueNeedsNeedNotBeSet() {
      workspace.variable("MELTANO_STATE_BACKEND_URI", "clickhouse://etl@other/mart");

      assertThat(workspace.clickHouse().host()).isEqualTo("other");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        nullValues = "-",
        textBlock =
            """
            # flag | variable | .env | environment | top level | URI | winner  | origin
            f      | v        | d    | e           | t         | u   | f       | FLAG --table
            -      | v        | d    | e           | t         | u   | v       | VARIABLE MELTANO_STATE_BACKEND_CLICKHOUSE_TABLE
            -      | -        | d    | e           | t         | u   | d       | DOTENV .env:1 MELTANO_STATE_BACKEND_CLICKHOUSE_TABLE
            -      | -        | -    | e           | t         | u   | e       | PROJECT_ENVIRONMENT meltano.yml:6 state_backend.clickhouse.table
            -      | -        | -    | -           | t         | u   | t       | PROJECT meltano.yml:3 state_backend.clickhouse.table
            -      | -        | -    | -           | -         | u   | u       | URI meltano.yml:1 state_backend.uri
            -      | -        | -    | -           | -         | -   | state   | DEFAULT default
            """)
    void theFirstLayerThatHasASettingWins(
        String flag,
        String variable,
        String dotenv,
        String environment,
        String top,
        String uri,
        String winner,
        String origin) {
      String key = "state_backend.clickhouse.table: ";
      workspace.project(
          URI + (uri == null ? "" : "?table=" + uri),
          "default_environment: dev",
          top == null ? "" : key + top,
          "environments:",
          "- name: dev",
          environment == null ? "" : "  config: {" + key + environment + "}");
      if (dotenv != null) {
        workspace.dotenv("MELTANO_STATE_BACKEND_CLICKHOUSE_TABLE=" + dotenv);
      }
      if (variable != null) {
        workspace.variable("MELTANO_STATE_BACKEND_CLICKHOUSE_TABLE", variable);
      }
      if (flag != null) {
        workspace.flag(Setting.TABLE, flag);
      }

      assertThat(workspace.clickHouse().table()).isEqualTo(winner);
      assertThat(workspace.effective()).contains("TABLE=" + winner + " (" + origin + ")");
    }
  }

  @Nested
  class Root {
    @Test
    void isFoundUpwardsAndFilesAreNamedFromTheWorkingDirectory() {
      workspace.project(URI).in("extract/taps");

      assertThat(workspace.effective())
          .contains("DATABASE=mart (URI ../../meltano.yml:1 state_backend.uri)");
    }

    @Test
    void isTheNearestOne() {
      workspace
          .project("state_backend.uri: clickhouse://etl@ch/outer")
          .file("inner/meltano.yml", "state_backend.uri: clickhouse://etl@ch/inner")
          .in("inner");

      assertThat(workspace.clickHouse().database()).isEqualTo("inner");
    }

    @Test
    void isTheOneThatTheVariableNames() {
      workspace
          .project("state_backend.uri: clickhouse://etl@ch/outer")
          .file(
              "other/meltano.yml", "state_backend.uri: clickhouse://etl@ch/${MELTANO_PROJECT_ROOT}")
          .variable("MELTANO_PROJECT_ROOT", "../other")
          .in("here");

      assertThat(workspace.problems())
          .containsExactly(
              root
                  + "/other/meltano.yml:1 state_backend.uri, character 21 with its variables filled"
                  + " in: the database is one name; remove the rest, or write %2F for a / in the"
                  + " name");
    }

    @Test
    void isNowhereElseThanWhereTheVariableSays() {
      workspace.project(URI).variable("MELTANO_PROJECT_ROOT", "nowhere");

      assertThat(workspace.problems())
          .containsExactly(
              "MELTANO_PROJECT_ROOT: names a directory without a meltano.yml; set it to the"
                  + " project's directory, or unset it");
    }
  }

  @Nested
  class ActiveEnvironment {
    @BeforeEach
    void write() {
      workspace.project(
          URI,
          "default_environment: dev",
          "environments:",
          "- name: dev",
          "  config: {state_backend.clickhouse.table: of_dev}",
          "- name: test",
          "  config: {state_backend.clickhouse.table: of_test}",
          "- name: prod",
          "  config: {state_backend.clickhouse.table: of_prod}");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        nullValues = "-",
        emptyValue = "",
        textBlock =
            """
            # flag | variable | .env | table
            prod   | test     | dev  | of_prod
            -      | test     | prod | of_test
            -      | -        | test | of_test
            -      | -        | -    | of_dev
            null   | test     | test | state
            NULL   | test     | test | state
            ''     | test     | test | state
            -      | null     | test | state
            -      | ''       | test | state
            -      | -        | ''   | state
            """)
    void isChosenByFlagThenVariableThenDotenvThenDefault(
        String flag, String variable, String dotenv, String table) {
      if (flag != null) {
        workspace.flag(Setting.ENVIRONMENT, flag);
      }
      if (variable != null) {
        workspace.variable("MELTANO_ENVIRONMENT", variable);
      }
      if (dotenv != null) {
        workspace.dotenv("MELTANO_ENVIRONMENT=" + dotenv);
      }

      assertThat(workspace.clickHouse().table()).isEqualTo(table);
    }

    @Test
    void mustBeOneOfTheProject() {
      workspace.variable("MELTANO_ENVIRONMENT", "staging");

      assertThat(workspace.problems())
          .containsExactly(
              "MELTANO_ENVIRONMENT: there is no environment staging; choose one of dev, test, prod,"
                  + " or null for none");
    }

    @Test
    void mustBeOneOfTheProjectThatHasNone() {
      workspace.project(URI, "default_environment: dev");

      assertThat(workspace.problems())
          .containsExactly(
              "meltano.yml:2 default_environment: there is no environment dev; the project has"
                  + " none; choose null for none");
    }

    @Test
    void canBeNamedByAVariable() {
      workspace
          .project(URI, "default_environment: $STAGE", "environments: [{name: test}]")
          .variable("STAGE", "test");

      assertThat(workspace.effective())
          .contains("ENVIRONMENT=test (PROJECT meltano.yml:2 default_environment)");
    }

    @Test
    void canStandInAnIncludedFile() {
      workspace
          .project(
              URI,
              "include_paths: ['./stages/*.yml', 'deep/**/*.meltano.yml']",
              "environments: [{name: dev}]")
          .file(
              "stages/prod.yml",
              "environments: [{name: prod, config: {state_backend.clickhouse.table: p}}]")
          .file(
              "deep/test.meltano.yml",
              "environments: [{name: test, config: {state_backend.clickhouse.table: t}}]")
          .file(
              "deep/er/qa.meltano.yml",
              "environments: [{name: qa, config: {state_backend.clickhouse.table: q}}]");

      assertThat(workspace.flag(Setting.ENVIRONMENT, "prod").clickHouse().table()).isEqualTo("p");
      assertThat(workspace.flag(Setting.ENVIRONMENT, "test").clickHouse().table()).isEqualTo("t");
      assertThat(workspace.flag(Setting.ENVIRONMENT, "qa").clickHouse().table()).isEqualTo("q");
      assertThat(workspace.flag(Setting.ENVIRONMENT, "no").problems())
          .containsExactly(
              "--environment: there is no environment no; choose one of dev, qa, test, prod, or null"
                  + " for none");
    }

    @Test
    void cannotBeAskedForOutsideOfAProject() throws IOException {
      Files.delete(root.resolve("meltano.yml"));
      workspace.flag(Setting.ENVIRONMENT, "prod");

      assertThat(workspace.problems())
          .containsExactly(
              "--environment: there is no meltano.yml here or above, so there are no environments;"
                  + " change to the project's directory, or leave the flag out");
    }

    @Test
    void mayBeSetInTheShellOutsideOfAProject() throws IOException {
      Files.delete(root.resolve("meltano.yml"));
      workspace.variable("MELTANO_ENVIRONMENT", "prod");

      assertThat(workspace.effective()).first().isEqualTo("ENVIRONMENT=null (DEFAULT default)");
    }
  }

  @Nested
  class Keys {
    @ParameterizedTest
    @ValueSource(
        strings = {
          "state_backend.clickhouse.table: t",
          "state_backend.clickhouse: {table: t}",
          "state_backend: {clickhouse.table: t}",
          "state_backend: {clickhouse: {table: t}}",
          "state_backend: {<<: {clickhouse: {table: t}}}",
          "state_backend: {<<: [{clickhouse: {table: t}}, {clickhouse: {table: u}}]}",
          "state_backend: {clickhouse: {<<: {table: u}, table: t}}",
          "x: &x {table: t}\nstate_backend: {clickhouse: *x}",
          "state_backend: {clickhouse: {\"table\": 't'}}",
        })
    void mayBeNestedOrDottedOrMerged(String yaml) {
      workspace.project(URI, yaml);

      assertThat(workspace.clickHouse().table()).isEqualTo("t");
    }

    @Test
    void ofNumbersAndTruthsAreTakenAsText() {
      workspace.project(
          "state_backend:",
          "  uri: clickhouse://etl@ch/mart",
          "  clickhouse:",
          "    port: 08124",
          "    secure: yes",
          "    password: 0123",
          "    table: 1.50",
          "    schema: 2026-11-29");

      assertThat(workspace.clickHouse().port()).isEqualTo(8124);
      assertThat(workspace.clickHouse().secure()).isTrue();
      assertThat(workspace.clickHouse().password()).isEqualTo("0123");
      assertThat(workspace.clickHouse().table()).isEqualTo("1.50");
      assertThat(workspace.clickHouse().schema()).isEqualTo("2026-11-29");
    }

    @Test
    void withoutAValueAreNotSet() {
      workspace.project(
          URI,
          "state_backend.clickhouse.table:",
          "state_backend.clickhouse.schema: ~",
          "default_environment:",
          "environments:",
          "env:",
          "state_backend:");

      assertThat(workspace.clickHouse().table()).isEqualTo("state");
      assertThat(workspace.clickHouse().schema()).isEqualTo("meltano");
    }

    @Test
    void thatAreUnknownAreToldAndNotUsed() {
      workspace
          .project(URI, "state_backend.clickhouse.secur: true", "state_backend.s3.key: x")
          .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_TABEL", "x");

      assertThat(workspace.resolve().notices())
          .containsExactly(
              "MELTANO_STATE_BACKEND_CLICKHOUSE_TABEL: there is no such setting, so it is not used",
              "meltano.yml:2 state_backend.clickhouse.secur: there is no such setting, so it is not"
                  + " used");
    }
  }

  @Nested
  class Mistakes {
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '^',
        textBlock =
            """
            [a, b]                             | meltano.yml:1 the file: must hold entries by name; write them beneath it, each on a line of its own
            state_backend: [a]                 | meltano.yml:1 state_backend: must hold entries by name; write them beneath it, each on a line of its own
            state_backend.clickhouse: s3cret   | meltano.yml:1 state_backend.clickhouse: must hold entries by name; write them beneath it, each on a line of its own
            state_backend.clickhouse.table: [] | meltano.yml:1 state_backend.clickhouse.table: must be a text, a number or true or false; write one value, in quotes if need be
            state_backend.uri: {a: b}          | meltano.yml:1 state_backend.uri: must be a text, a number or true or false; write one value, in quotes if need be
            state_backend.uri: !!binary czM=   | meltano.yml:1 state_backend.uri: must be a text, a number or true or false; write one value, in quotes if need be
            environments: dev                  | meltano.yml:1 environments: must be a list; write each environment as an item that begins with - name:
            environments: [{config: {}}]       | meltano.yml:1 environments: has an item without a name; begin each environment with - name:
            environments: [{name: e}, {name: e}] | meltano.yml:1 environments: names e twice; give each environment a name of its own
            environments: [{name: e, config: s3cret}] | meltano.yml:1 config: must hold entries by name; write them beneath it, each on a line of its own
            env: s3cret                        | meltano.yml:1 env: must hold entries by name; write them beneath it, each on a line of its own
            default_environment: [e]           | meltano.yml:1 default_environment: must be an environment's name; write one name
            env: {MELTANO_STATE_BACKEND_URI: s3cret} | meltano.yml:1 env.MELTANO_STATE_BACKEND_URI: settings are not taken from env; write it as state_backend.uri instead
            """)
    void ofTypeAreToldWithTheirPlace(String yaml, String problem) {
      workspace
          .project(yaml)
          .variable("MELTANO_STATE_BACKEND_URI", "clickhouse://etl@ch/mart")
          .variable("MELTANO_ENVIRONMENT", "e");
      if (yaml.startsWith("default_environment")) {
        workspace = new Workspace(root).flag(Setting.URI, "clickhouse://etl@ch/mart");
      } else if (!yaml.startsWith("environments")) {
        workspace.variable("MELTANO_ENVIRONMENT", "null");
      }
      if (yaml.startsWith("state_backend.uri")) {
        workspace = new Workspace(root);
      }

      assertThat(workspace.problems()).contains(problem);
      assertThat(workspace.problems().toString()).doesNotContain("s3cret").doesNotContain("czM");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '^',
        textBlock =
            """
            a: [s3cret            | meltano.yml:2:1
            a: "s3cret            | meltano.yml:2:1
            a: *s3cret            | meltano.yml:1:4
            a: @s3cret            | meltano.yml:1:4
            a: s3cret: s3cret     | meltano.yml:1:10
            a: !!s3cret x         | meltano.yml:1:4
            """)
    void ofYamlAreToldWithLineAndColumnAndNoValue(String yaml, String place) {
      workspace.project(yaml).flag(Setting.URI, "clickhouse://etl@ch/mart");

      assertThat(workspace.problems())
          .containsExactly(
              place
                  + ": is no valid YAML; mend it there or just before: check indentation, brackets"
                  + " and quotes");
    }

    @Test
    void ofEncodingAreToldWithTheirLine() throws IOException {
      workspace.project("a: 1", "b: \u0001s3cret").flag(Setting.URI, "memory:");

      assertThat(workspace.problems())
          .containsExactly(
              "meltano.yml:2: holds a character that YAML does not allow; remove or escape it");

      Files.write(root.resolve("meltano.yml"), new byte[] {'a', ':', ' ', (byte) 0xFF});

      assertThat(workspace.problems())
          .containsExactly("meltano.yml: is not encoded in UTF-8; save the file as UTF-8");
    }

    @Test
    void ofKeysThatStandTwiceAreToldWithBothPlaces() {
      workspace.project(
          URI,
          "state_backend:",
          "  clickhouse:",
          "    table: a",
          "    table: b",
          "  clickhouse.table: c",
          "  clickhouse.schema: [");
      assertThat(workspace.problems()).hasSize(1).first().asString().startsWith("meltano.yml:8:1:");

      workspace.project(
          URI,
          "state_backend:",
          "  clickhouse:",
          "    table: a",
          "    table: b",
          "  clickhouse.table: c");
      assertThat(workspace.problems())
          .containsExactly(
              "meltano.yml:5 table: is set twice, the first time at meltano.yml:4; remove one of the"
                  + " two",
              "meltano.yml:6 state_backend.clickhouse.table: is set twice, the first time at"
                  + " meltano.yml:4 state_backend.clickhouse.table; remove one of the two");
    }

    @Test
    void ofADotenvThatIsNoTextAreTold() throws IOException {
      workspace.project(URI);
      Files.write(root.resolve(".env"), new byte[] {'A', '=', (byte) 0xFF});

      assertThat(workspace.problems())
          .containsExactly(
              ".env: cannot be read; check that it is a file in UTF-8 and that you may read it");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "state_backend: clickhouse",
          "state_backend: {uri: [a]}",
          "state_backend.clickhouse: 7"
        })
    void areNotTakenForSettingsThatAreNotThere(String yaml) {
      workspace.project(yaml);

      assertThat(workspace.problems()).singleElement().asString().startsWith("meltano.yml:1 ");
    }

    @Test
    void ofGlobsAreToldWithTheirPlace() {
      workspace.project(URI, "default_environment: ci", "include_paths:", "  - a.yml", "  - '[a'");

      assertThat(workspace.problems())
          .containsExactly(
              "meltano.yml:5 include_paths: is no glob; correct or remove it",
              "meltano.yml:2 default_environment: there is no environment ci; the project has none;"
                  + " choose null for none");
    }

    @Test
    void ofDepthAreRefused() {
      workspace.project(URI, "a: " + "[".repeat(10_000));

      assertThat(workspace.problems())
          .containsExactly("meltano.yml: is too large or nested too deeply; check the file");
    }
  }

  /** Small files that would grow without bound if aliases were followed as copies. */
  @Nested
  class Aliases {
    @Test
    void doNotMultiply() {
      StringBuilder yaml = new StringBuilder("a0: &a0 {clickhouse: {table: t}}\n");
      for (int i = 1; i <= 200; i++) {
        yaml.append(
            "a%1$d: &a%1$d {<<: [*a%2$d, *a%2$d, *a%2$d], x: [*a%2$d, *a%2$d]}\n"
                .formatted(i, i - 1));
      }
      workspace.project(URI, yaml + "state_backend: *a200");

      assertThat(workspace.clickHouse().table()).isEqualTo("t");
    }

    @Test
    void mayReferToThemselves() {
      workspace.project(URI, "state_backend: &a {clickhouse: &b {<<: *b, clickhouse: *a}, <<: *a}");

      assertThatCode(workspace::clickHouse).doesNotThrowAnyException();
    }
  }

  @Nested
  class Variables {
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        nullValues = "-",
        textBlock =
            """
            # .env | shell | env | environment's env | value
            d      | s     | t   | e                 | e
            d      | s     | t   | -                 | t
            d      | s     | -   | -                 | s
            d      | -     | -   | -                 | d
            """)
    void laterPlacesWinAsInMeltano(
        String dotenv, String shell, String top, String environment, String value) {
      workspace.project(
          "state_backend.uri: clickhouse://etl@ch/$DB",
          top == null ? "" : "env: {DB: " + top + "}",
          "default_environment: dev",
          "environments:",
          "- name: dev",
          environment == null ? "" : "  env: {DB: " + environment + "}");
      if (dotenv != null) {
        workspace.dotenv("DB=" + dotenv);
      }
      if (shell != null) {
        workspace.variable("DB", shell);
      }

      assertThat(workspace.clickHouse().database()).isEqualTo(value);
    }

    @Test
    void canReferToThoseOfOuterPlacesAndToEarlierOnes() {
      workspace
          .project(
              "state_backend.uri: clickhouse://etl@ch/${D}",
              "env:",
              "  B: ${A}b",
              "  C: ${B}c",
              "environments:",
              "- name: dev",
              "  env:",
              "    C: ${C}C",
              "    D: ${C}_${MELTANO_ENVIRONMENT}_$N",
              "    N: 5",
              "    N2: ~")
          .dotenv("A=a")
          .variable("N", "4")
          .variable("MELTANO_ENVIRONMENT", "dev");

      assertThat(workspace.clickHouse().database()).isEqualTo("abcC_dev_4");
    }

    @Test
    void thatAreMissingAreToldWhereTheyAreReferredTo() {
      workspace
          .project(
              "state_backend.uri: clickhouse://etl:$P@${H}/mart",
              "state_backend.clickhouse.table: $T",
              "state_backend.clickhouse.schema: ${S}",
              "env:",
              "  P: ${Q}")
          .dotenv("H=${G}", "S=${R:-meltano}", "UNUSED=${NOPE}");

      assertThat(workspace.problems())
          .containsExactly(
              "meltano.yml:5 env.P: refers to the variable Q, which is not set; set it in the"
                  + " environment or in the project's .env",
              ".env:1 H: refers to the variable G, which is not set; set it in the environment or"
                  + " in the project's .env");

      workspace.variable("MELTANO_STATE_BACKEND_URI", "clickhouse://etl@ch/mart");

      assertThat(workspace.problems())
          .containsExactly(
              "meltano.yml:2 state_backend.clickhouse.table: refers to the variable T, which is not"
                  + " set; set it in the environment or in the project's .env");
    }

    @Test
    void areNotFilledInOutsideOfTheProjectsFiles() {
      workspace
          .project(URI)
          .dotenv("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA=$HOME${HOME}")
          .variable("HOME", "h")
          .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_PASSWORD", "$HOME${HOME}")
          .flag(Setting.TABLE, "${HOME}");

      assertThat(workspace.clickHouse().schema()).isEqualTo("$HOMEh");
      assertThat(workspace.clickHouse().password()).isEqualTo("$HOME${HOME}");
      assertThat(workspace.clickHouse().table()).isEqualTo("${HOME}");
    }

    @Test
    void areNotLookedForInADirectoryThatIsNamedAsTheDotenv() {
      workspace.project(URI).in(".env/bin").in(".");

      assertThat(workspace.clickHouse().host()).isEqualTo("ch");
    }

    @Test
    void ofTheDotenvKeepTheirLastValue() {
      workspace
          .project(URI)
          .dotenv(
              "A=1",
              "MELTANO_STATE_BACKEND_CLICKHOUSE_TABLE=${A}",
              "A=2",
              "MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA=x",
              "MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA=");

      assertThat(workspace.clickHouse().table()).isEqualTo("1");
      assertThat(workspace.clickHouse().schema()).isEqualTo("meltano");
    }
  }
}
