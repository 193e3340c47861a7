package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.cli.settings.Setting;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigShowCommandTest {
  private static final String PREFIX = "MELTANO_STATE_BACKEND_CLICKHOUSE_";

  @TempDir private Path root;

  /** The project of the sample, with a subdirectory to work in. */
  @Nested
  class InAProject {
    private Path extract;

    @BeforeEach
    void copy() throws IOException {
      Files.copy(Path.of("src/test/resources/samples/meltano.yml"), root.resolve("meltano.yml"));
      extract = Files.createDirectories(root.resolve("extract/sql"));
    }

    @Test
    void everySettingIsShownWithItsPlaceAndWhatItOverrode() {
      Outcome outcome =
          RunStatectl.in(extract)
              .variable("CH_PASSWORD", "s3cret")
              .variable(PREFIX + "SCHEMA", "variable")
              .variable(PREFIX + "PASSWORD", "s3cret")
              .run("config", "show", "--table", "flag");

      assertThat(outcome.err()).isEmpty();
      assertThat(outcome.out())
          .isEqualTo(
              """
              SETTING                                   VALUE                                      FROM
              environment                               dev                                        ../../meltano.yml:5 default_environment
              state_backend.uri                         clickhouse://***@localhost:8123/analytics  ../../meltano.yml:7 state_backend.uri
              state_backend.clickhouse.host             localhost                                  the URI of ../../meltano.yml:7 state_backend.uri
              state_backend.clickhouse.port             8123                                       the URI of ../../meltano.yml:7 state_backend.uri
              state_backend.clickhouse.hosts            -                                          not set
              state_backend.clickhouse.database         analytics                                  the URI of ../../meltano.yml:7 state_backend.uri
              state_backend.clickhouse.user             etl                                        the URI of ../../meltano.yml:7 state_backend.uri
              state_backend.clickhouse.password         ***                                        MELTANO_STATE_BACKEND_CLICKHOUSE_PASSWORD; overrides the URI of ../../meltano.yml:7 state_backend.uri
              state_backend.clickhouse.secure           false                                      default
              state_backend.clickhouse.verify           full                                       default
              state_backend.clickhouse.ca_cert          -                                          not set
              state_backend.clickhouse.client_cert      -                                          not set
              state_backend.clickhouse.client_cert_key  -                                          not set
              state_backend.clickhouse.schema           variable                                   MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA; overrides ../../meltano.yml:9 state_backend.clickhouse.schema
              state_backend.clickhouse.table            flag                                       --table
              state_backend.clickhouse.cluster          -                                          not set
              state_backend.clickhouse.replicated       auto                                       default
              state_backend.clickhouse.consistency      auto                                       default
              state_backend.clickhouse.connect_timeout  60                                         default
              state_backend.clickhouse.request_timeout  30                                         default
              state_backend.clickhouse.lock_mode        auto                                       default
              state_backend.clickhouse.lock_peers       plugin                                     default
              state_backend.clickhouse.lock_timeout     30                                         default
              state_backend.clickhouse.lock_stale       300                                        default
              state_backend.clickhouse.max_state_bytes  67108864                                   default
              """);
      assertThat(outcome.code()).isZero();
    }

    /** Each row takes the strongest layer of the row before away. */
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        nullValues = "-",
        textBlock =
            """
            # flag | variable | .env | environment | top level | URI | winner | layer, place; overrides
            f      | v        | d    | e           | t         | u   | f      | flag --table < variable < dotenv < project_environment < project < uri
            -      | v        | d    | e           | t         | u   | v      | variable MELTANO_STATE_BACKEND_CLICKHOUSE_TABLE < dotenv < project_environment < project < uri
            -      | -        | d    | e           | t         | u   | d      | dotenv ../../.env:2 MELTANO_STATE_BACKEND_CLICKHOUSE_TABLE < project_environment < project < uri
            -      | -        | -    | e           | t         | u   | e      | project_environment ../../meltano.yml:18 state_backend.clickhouse.table < project < uri
            -      | -        | -    | -           | t         | u   | t      | project ../../meltano.yml:9 state_backend.clickhouse.table < uri
            -      | -        | -    | -           | -         | u   | u      | uri ../../meltano.yml:7 state_backend.uri
            -      | -        | -    | -           | -         | -   | state  | default default
            # what a stronger layer leaves out
            f      | -        | -    | -           | -         | u   | f      | flag --table < uri
            -      | v        | -    | e           | -         | -   | v      | variable MELTANO_STATE_BACKEND_CLICKHOUSE_TABLE < project_environment
            -      | -        | d    | -           | t         | -   | d      | dotenv ../../.env:2 MELTANO_STATE_BACKEND_CLICKHOUSE_TABLE < project
            """)
    void theStrongestLayerWins(
        String flag,
        String variable,
        String dotenv,
        String environment,
        String top,
        String uri,
        String winner,
        String origin)
        throws IOException {
      Path file = root.resolve("meltano.yml");
      String sample = Files.readString(file);
      // The environment's own URI would hide that of the top level.
      sample =
          sample.replace("      state_backend.uri: clickhouse://etl@ch.example.com/analytics", "#");
      sample =
          sample.replace("table: state_prod", environment == null ? "lock_stale: 9" : "table: e");
      sample = sample.replace("schema: meltano", top == null ? "schema: meltano" : "table: t");
      sample = sample.replace("/analytics", "/analytics" + (uri == null ? "" : "?table=u"));
      Files.writeString(file, sample);
      Files.writeString(
          root.resolve(".env"),
          "CH_PASSWORD=pw\n" + (dotenv == null ? "" : PREFIX + "TABLE=" + dotenv + "\n"));
      RunStatectl run = RunStatectl.in(extract);
      if (variable != null) {
        run.variable(PREFIX + "TABLE", variable);
      }
      List<String> args = new ArrayList<>(List.of("config", "show", "-o", "json"));
      args.add("--environment=prod");
      if (flag != null) {
        args.add("--table=" + flag);
      }

      JsonNode shown = settingOf(run.run(args.toArray(String[]::new)), Setting.TABLE);

      assertThat(shown.get("value").asText()).isEqualTo(winner);
      StringBuilder actual = new StringBuilder();
      actual.append(shown.at("/origin/layer").asText()).append(' ');
      actual.append(shown.at("/origin/place").asText());
      shown.get("overrides").forEach(o -> actual.append(" < ").append(o.get("layer").asText()));
      assertThat(actual).hasToString(origin);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        nullValues = "-",
        textBlock =
            """
            # flag | variable | .env | host           | table      | place
            prod   | dev      | dev  | ch.example.com | state_prod | --environment
            -      | prod     | dev  | ch.example.com | state_prod | MELTANO_ENVIRONMENT
            -      | -        | prod | ch.example.com | state_prod | ../../.env:2 MELTANO_ENVIRONMENT
            -      | -        | -    | localhost      | state      | ../../meltano.yml:5 default_environment
            null   | prod     | -    | localhost      | state      | --environment
            """)
    void theEnvironmentIsThatOfTheFlagTheVariableTheDotenvOrTheDefault(
        String flag, String variable, String dotenv, String host, String table, String place)
        throws IOException {
      Files.writeString(
          root.resolve(".env"),
          "CH_PASSWORD=pw\n" + (dotenv == null ? "" : "MELTANO_ENVIRONMENT=" + dotenv + "\n"));
      RunStatectl run = RunStatectl.in(extract);
      if (variable != null) {
        run.variable("MELTANO_ENVIRONMENT", variable);
      }
      Outcome outcome =
          flag == null
              ? run.run("config", "show", "-o", "json")
              : run.run("config", "show", "--format=json", "--environment", flag);

      assertThat(settingOf(outcome, Setting.HOST).get("value").asText()).isEqualTo(host);
      assertThat(settingOf(outcome, Setting.TABLE).get("value").asText()).isEqualTo(table);
      assertThat(settingOf(outcome, Setting.ENVIRONMENT).at("/origin/place").asText())
          .isEqualTo(place);
    }

    @Test
    void aVariableThatIsNotSetIsNamedAndTheRestIsShown() throws IOException {
      Files.writeString(
          root.resolve("meltano.yml"),
          Files.readString(root.resolve("meltano.yml")).replace("schema: meltano", "table: $TBL"));

      Outcome outcome = RunStatectl.in(extract).run("config", "show", "--uri=clickhouse://u@h/d");

      assertThat(outcome.code()).isEqualTo(2);
      assertThat(outcome.err())
          .isEqualTo(
              "statectl: ../../meltano.yml:9 state_backend.clickhouse.table: refers to the variable TBL,"
                  + " which is not set; set it in the environment or in the project's .env\n");
      assertThat(outcome.out())
          .containsPattern("(?m)^state_backend.clickhouse.host +h +the URI of --uri$")
          .containsPattern(
              "(?m)^state_backend.clickhouse.table +- +../../meltano.yml:9 state_backend.clickhouse.table$");
      assertThat(
              settingOf(
                      RunStatectl.in(extract)
                          .variable("TBL", "$x")
                          .run("config", "show", "-o=json", "--uri=clickhouse://u@h/d"),
                      Setting.TABLE)
                  .get("value")
                  .asText())
          .isEqualTo("$x");
    }

    /** Where Meltano takes them; not from an env key, which only makes variables. */
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            state_backend.clickhouse.password: s3cret             | project meltano.yml:2 state_backend.clickhouse.password
            state_backend: {clickhouse: {password: $PW}}          | project meltano.yml:2 state_backend.clickhouse.password
            state_backend.clickhouse: {password: '${PW}'}         | project meltano.yml:2 state_backend.clickhouse.password
            env: {MELTANO_STATE_BACKEND_CLICKHOUSE_PASSWORD: s3cret} | default default
            """)
    void aPasswordInTheProjectIsTakenFromItsSettings(String line, String origin)
        throws IOException {
      Files.writeString(
          root.resolve("meltano.yml"), "state_backend.uri: clickhouse://u@h/d\n" + line + "\n");

      Outcome outcome =
          RunStatectl.in(root).variable("PW", "s3cret").run("config", "show", "-o", "json");

      JsonNode shown = settingOf(outcome, Setting.PASSWORD);
      assertThat(shown.at("/origin/layer").asText() + " " + shown.at("/origin/place").asText())
          .isEqualTo(origin);
      assertThat(outcome.out() + outcome.err()).doesNotContain("s3cret");
      assertThat(outcome.code()).isEqualTo(origin.startsWith("default") ? 2 : 0);
    }
  }

  @Test
  void nothingIsConnectedTo() throws IOException {
    try (ServerSocket server = new ServerSocket(0)) {
      server.setSoTimeout(1);
      Outcome outcome =
          RunStatectl.in(root)
              .run(
                  "config",
                  "show",
                  "--uri=clickhouse://u@127.0.0.1:" + server.getLocalPort() + "/d");

      assertThat(outcome.code()).isZero();
      assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class);
    }
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void theEmbeddedStoreIsShownToo() {
    Outcome outcome = RunStatectl.in(root).run("config", "show");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out())
        .contains("memory:" + root.resolve(".statectl/state.json") + "  default\n")
        .containsPattern("(?m)^state_backend.clickhouse.user +- +not set$");
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void whatIsWrongIsSaidAndTheRestIsShown() {
    Outcome outcome =
        RunStatectl.in(root)
            .variable(PREFIX + "PORT", "http")
            .variable(PREFIX + "PASSWORT", "s3cret")
            .run("config", "show", "--host=h", "--no-secure");

    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err())
        .isEqualTo(
            """
            statectl: MELTANO_STATE_BACKEND_CLICKHOUSE_PASSWORT: there is no such setting, so it is not used
            statectl: MELTANO_STATE_BACKEND_CLICKHOUSE_PORT: must be a whole number from 1 to 65535; correct it there
            statectl: state_backend.clickhouse.database: no database is set; put it into the URI (clickhouse://USER:PASSWORD@HOST:PORT/DATABASE) or set MELTANO_STATE_BACKEND_CLICKHOUSE_DATABASE
            statectl: state_backend.clickhouse.user: no user is set; put it into the URI (clickhouse://USER:PASSWORD@HOST:PORT/DATABASE) or set MELTANO_STATE_BACKEND_CLICKHOUSE_USER
            """);
    assertThat(outcome.out())
        .containsPattern("(?m)^state_backend.clickhouse.host +h +--host$")
        .containsPattern(
            "(?m)^state_backend.clickhouse.port +http +MELTANO_STATE_BACKEND_CLICKHOUSE_PORT$")
        .containsPattern("(?m)^state_backend.clickhouse.database +- +not set$");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "clickhouse://etl:s3/cret@h/d",
        "clickhouse://etl:s3cret%@h/d",
        "clickhouse://etl:s3cret",
        "clickhouse://etl@h/d?secure=s3cret",
        "clickhouse://etl@s3cret_host/d",
        "clickhouse+http://etl:s3cret@h/d",
        "jdbc:clickhouse://etl:s3cret@h/d",
        "s3://keyid:s3cret@bucket/x",
        "s3cret",
        "s3cret://x"
      })
  void ofAWrongUriNoPieceIsShown(String uri) {
    for (String format : List.of("text", "json")) {
      Outcome outcome = RunStatectl.in(root).run("config", "show", "--uri", uri, "-o", format);

      assertThat(outcome.code()).isEqualTo(2);
      assertThat(outcome.out() + outcome.err())
          .doesNotContain("s3cret", "cret@", "keyid", "etl")
          .contains("***");
    }
  }

  /** No message may name a flag that does not exist. */
  @ParameterizedTest
  @EnumSource(Setting.class)
  void everySettingHasItsFlagBeforeAndBehindEveryCommand(Setting setting) throws IOException {
    Files.writeString(root.resolve("meltano.yml"), "environments: [{name: '7'}]\n");
    String[] flag =
        switch (setting) {
          case SECURE -> new String[] {setting.flag()};
          case URI -> new String[] {setting.flag(), "clickhouse://u@h/d"};
          case LOCK_MODE -> new String[] {setting.flag(), "settle"};
          case REPLICATED -> new String[] {setting.flag(), "on"};
          case CONSISTENCY -> new String[] {setting.flag(), "strong"};
          case LOCK_PEERS -> new String[] {setting.flag(), "none"};
          default -> new String[] {setting.flag(), "7"};
        };
    Files.writeString(root.resolve("7"), "pw");

    List<String> behind = new ArrayList<>(List.of("config", "show", "-o", "json"));
    behind.addAll(List.of(flag));
    List<String> before = new ArrayList<>(List.of(flag));
    before.addAll(List.of("config", "show", "-o", "json"));
    for (List<String> args : List.of(behind, before)) {
      JsonNode origin =
          settingOf(RunStatectl.in(root).run(args.toArray(String[]::new)), setting).get("origin");

      assertThat(origin.get("layer").asText()).isEqualTo("flag");
      assertThat(origin.get("place").asText()).isEqualTo(setting.flag());
    }
    for (String command : List.of("get", "lock break", "lock run", "config show", "ddl")) {
      assertThat(RunStatectl.in(root).run((command + " --help").split(" ")).out())
          .contains(setting == Setting.SECURE ? "--[no-]secure" : setting.flag() + "=");
    }
    before.addAll(List.of(flag));
    assertThat(RunStatectl.in(root).run(before.toArray(String[]::new)).err())
        .startsWith(
            "{\"error\":\"option '" + setting.flag() + "' should be specified only once\",");
  }

  @Test
  void aFlagWinsOverTheSwitchOfAVariable() throws IOException {
    RunStatectl run =
        RunStatectl.in(root)
            .variable(PREFIX + "SECURE", "true")
            .variable("MELTANO_STATE_BACKEND_URI", "clickhouse://u@h/d");

    assertThat(
            settingOf(run.run("config", "show", "-o", "json"), Setting.PORT).get("value").asText())
        .isEqualTo("8443");
    Outcome insecure = run.run("config", "show", "-o", "json", "--no-secure");
    assertThat(settingOf(insecure, Setting.SECURE).get("value").asText()).isEqualTo("false");
    assertThat(settingOf(insecure, Setting.PORT).get("value").asText()).isEqualTo("8123");
  }

  private static JsonNode settingOf(Outcome outcome, Setting setting) throws IOException {
    JsonNode settings = new ObjectMapper().readTree(outcome.out()).get("settings");
    assertThat(settings).as(outcome.err()).hasSize(Setting.values().length);
    JsonNode found = settings.get(setting.ordinal());
    assertThat(found.get("setting").asText()).isEqualTo(setting.key());
    return found;
  }
}
