package dev.statectl.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.statectl.cli.settings.BackendLocation.ClickHouseLocation;
import dev.statectl.cli.settings.BackendLocation.MemoryLocation;
import dev.statectl.cli.settings.BackendLocation.SnapshotLocation;
import dev.statectl.clickhouse.ClickHouseSettings;
import dev.statectl.clickhouse.Consistency;
import dev.statectl.clickhouse.KeeperLocks;
import dev.statectl.clickhouse.LockPeers;
import dev.statectl.clickhouse.Replicated;
import dev.statectl.clickhouse.ReplicationSettings;
import dev.statectl.clickhouse.ServerAddress;
import dev.statectl.lock.LockMode;
import dev.statectl.lock.LockTerms;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  private static final String SECRET = "s3cret";
  private static final String ELSEWHERE =
      "; to look into ClickHouse all the same, pass --uri clickhouse://USER@HOST:PORT/DATABASE; to"
          + " bring the state over (Meltano 4.3 or newer): meltano state export | statectl --uri"
          + " clickhouse://USER@HOST:PORT/DATABASE import -";

  @TempDir private Path root;
  private Workspace workspace;

  @BeforeEach
  void open() {
    workspace = new Workspace(root);
  }

  @Nested
  class Location {
    @Test
    void isTheEmbeddedStoreWhenNothingIsSetOutsideOfAProject() {
      workspace.in("somewhere");

      assertThat(workspace.resolve().location())
          .isEqualTo(new SnapshotLocation(root.resolve("somewhere/.statectl/state.json"), true));
      assertThat(workspace.effective())
          .startsWith(
              "ENVIRONMENT=null (DEFAULT default)",
              "URI=memory:"
                  + root.resolve("somewhere/.statectl/state.json")
                  + " (DEFAULT default)");
    }

    @Test
    void isClickHouseWithAllDefaults() {
      workspace.flag(Setting.URI, "clickhouse://etl@ch/mart");

      assertThat(workspace.resolve().location())
          .isEqualTo(
              new ClickHouseLocation(
                  new ClickHouseSettings(
                      "ch",
                      8123,
                      false,
                      "mart",
                      "etl",
                      "",
                      "meltano",
                      "state",
                      Duration.ofSeconds(60),
                      Duration.ofSeconds(30)),
                  LockPeers.PLUGIN,
                  LockTerms.DEFAULT,
                  67_108_864));
    }

    @Test
    void isClickHouseWithAllParts() {
      workspace.flag(
          Setting.URI,
          "clickhouse://etl:pw@[::1]:9443/mart?secure=true&schema=s&table=t&connect_timeout=5"
              + "&cluster=c&replicated=yes&consistency=eventual"
              + "&request_timeout=7&lock_mode=settle&lock_peers=none&lock_timeout=0&lock_stale=3"
              + "&max_state_bytes=1000");

      assertThat(workspace.resolve().location())
          .isEqualTo(
              new ClickHouseLocation(
                  new ClickHouseSettings(
                          "::1",
                          9443,
                          true,
                          "mart",
                          "etl",
                          "pw",
                          "s",
                          "t",
                          Duration.ofSeconds(5),
                          Duration.ofSeconds(7))
                      .withReplication(
                          new ReplicationSettings(
                              "c", Replicated.ON, Consistency.EVENTUAL, KeeperLocks.OFF)),
                  LockPeers.NONE,
                  new LockTerms(
                      LockMode.SETTLE,
                      Duration.ofSeconds(3),
                      Duration.ofSeconds(1),
                      Duration.ZERO,
                      Duration.ofSeconds(1)),
                  1_000));
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "h1,h2 | h1:8124 h2:8124",
          "h1:1,h2,h3:3 | h1:1 h2:8124 h3:3",
          " h1 , h2 | h1:8124 h2:8124",
          "[::1]:1,[2001:db8::2],127.0.0.1 | [::1]:1 [2001:db8::2]:8124 127.0.0.1:8124",
          "h1 | h1:8124",
        })
    void areSeveralHosts(String hosts, String servers) {
      workspace
          .flag(Setting.URI, "clickhouse://etl@ch/mart")
          .flag(Setting.PORT, "8124")
          .flag(Setting.HOSTS, hosts);

      assertThat(servers()).isEqualTo(servers);
      assertThat(workspace.resolve().notices()).isEmpty();
    }

    @Test
    void areTheHostsOfTheUri() {
      workspace.flag(Setting.URI, "clickhouse://etl:pw@h1,[::1]:8124,h3/mart?secure=true");

      assertThat(servers()).isEqualTo("h1:8443 [::1]:8124 h3:8443");
      assertThat(workspace.effective())
          .contains(
              "HOST=null (DEFAULT not set)",
              "PORT=8443 (DEFAULT default)",
              "HOSTS=h1,[::1]:8124,h3 (URI --uri)");
    }

    @Test
    void isTheHostThatIsSetMoreStrongly() {
      workspace
          .variable("MELTANO_STATE_BACKEND_URI", "clickhouse://etl:pw@h1,h2/mart")
          .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_HOSTS", "h3,h4");
      assertThat(servers()).isEqualTo("h3:8123 h4:8123");

      workspace.variable("MELTANO_STATE_BACKEND_CLICKHOUSE_HOST", "h5");
      assertThat(servers()).isEqualTo("h3:8123 h4:8123");
      assertThat(workspace.effective())
          .contains("HOST=null (DEFAULT not set)")
          .anyMatch(each -> each.startsWith("HOSTS=h3,h4 ("));

      workspace.flag(Setting.HOST, "h6");
      assertThat(servers()).isEqualTo("h6:8123");
      assertThat(workspace.effective())
          .contains("HOSTS=null (DEFAULT not set)")
          .anyMatch(each -> each.startsWith("HOST=h6 (FLAG "));
    }

    @Test
    void ofTheUriOfThisRunIsNotSilentlyLeft() {
      workspace
          .file("meltano.yml", "state_backend: {clickhouse: {hosts: 'h1,h2'}}\n")
          .flag(Setting.URI, "clickhouse://etl@ch/mart");

      assertThat(servers()).isEqualTo("h1:8123 h2:8123");
      assertThat(workspace.resolve().notices())
          .contains("meltano.yml:1 state_backend.clickhouse.hosts is used, not what --uri says");
    }

    private String servers() {
      ClickHouseSettings settings = workspace.clickHouse();
      return Stream.concat(
              Stream.of(new ServerAddress(settings.host(), settings.port())),
              settings.fallbacks().stream())
          .map(ServerAddress::toString)
          .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource({
      "auto, IMMEDIATE, AUTO",
      "immediate, IMMEDIATE, OFF",
      "settle, SETTLE, OFF",
      "Keeper, IMMEDIATE, ON"
    })
    void ofALockModeIsWhenACandidateLooksAndWhoDecides(
        String text, LockMode mode, KeeperLocks keeper) {
      workspace.flag(Setting.URI, "clickhouse://etl@ch/mart").flag(Setting.LOCK_MODE, text);

      assertThat(workspace.resolve().location().locks().mode()).isEqualTo(mode);
      assertThat(workspace.clickHouse().replication().keeperLocks()).isEqualTo(keeper);
    }

    @ParameterizedTest
    @CsvSource({"auto, AUTO", "on, ON", "Yes, ON", "true, ON", "off, OFF", "no, OFF", "0, OFF"})
    void ofReplicatedIsAlsoWhatYamlHasForOnAndOff(String text, Replicated replicated) {
      workspace.flag(Setting.URI, "clickhouse://etl@ch/mart").flag(Setting.REPLICATED, text);

      assertThat(workspace.clickHouse().replication().replicated()).isEqualTo(replicated);
    }

    @Test
    void isClickHouseWithoutAUriWhenTheShellSetsIt() {
      workspace
          .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_DATABASE", "mart")
          .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_USER", "etl")
          .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_PASSWORD", "p@/#:")
          .variable("MELTANO_STATE_BACKEND_URI", "");

      assertThat(workspace.clickHouse().host()).isEqualTo("localhost");
      assertThat(workspace.clickHouse().password()).isEqualTo("p@/#:");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            clickhouse://u@h/d                  | 8123 | false
            clickhouse://u@h/d?secure=true      | 8443 | true
            clickhouse://u@h/d?secure=YES       | 8443 | true
            clickhouse://u@h/d?secure=1         | 8443 | true
            clickhouse://u@h/d?secure=off       | 8123 | false
            clickhouse://u@h:8123/d?secure=on   | 8123 | true
            clickhouse://u@h:8443/d             | 8443 | false
            """)
    void hasThePortOfItsProtocolUnlessOneIsSet(String uri, int port, boolean secure) {
      workspace.flag(Setting.URI, uri);

      assertThat(workspace.clickHouse().port()).isEqualTo(port);
      assertThat(workspace.clickHouse().secure()).isEqualTo(secure);
    }

    @Test
    void isMemoryOnly() {
      ResolvedSettings settings = workspace.flag(Setting.URI, "memory:").resolve();

      assertThat(settings.location()).isEqualTo(new MemoryLocation());
      assertThat(settings.notices())
          .containsExactly(
              "--uri: memory: keeps states until this command ends only; write memory:PATH to keep"
                  + " them");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            memory:state.json       | work/state.json
            memory:a b/../%41?#@.js | work/%41?#@.js
            memory:../x             | x
            MEMORY:x                | work/x
            memory:./~/x            | work/~/x
            memory:a~               | work/a~
            """)
    void isAFileInTheWorkingDirectory(String uri, String file) {
      workspace.flag(Setting.URI, uri).in("work");

      assertThat(workspace.resolve().location())
          .isEqualTo(new SnapshotLocation(root.resolve(file), false));
    }

    @Test
    void isTheFileThatAnAbsolutePathNames() {
      Path file = root.resolve("state.json");

      assertThat(workspace.flag(Setting.URI, "memory:" + file).in("work").resolve().location())
          .isEqualTo(new SnapshotLocation(file, false));
    }

    @Test
    void isAFileInTheProjectWhenTheProjectNamesIt() {
      workspace.project("state_backend.uri: memory:state.json").in("work");

      assertThat(workspace.resolve().location())
          .isEqualTo(new SnapshotLocation(root.resolve("state.json"), false));

      workspace.variable("MELTANO_STATE_BACKEND_URI", "memory:state.json");

      assertThat(workspace.resolve().location())
          .isEqualTo(new SnapshotLocation(root.resolve("work/state.json"), false));
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            memory://x  | --uri: memory: takes a path and no //; write memory:PATH
            memory:///x | --uri: memory: takes a path and no //; write memory:PATH
            memory:~    | --uri: ~ is not expanded behind memory:; write the path in full, or memory:./~/… for a directory of that name
            memory:~/x  | --uri: ~ is not expanded behind memory:; write the path in full, or memory:./~/… for a directory of that name
            """)
    void isNoFileThatIsNamedInAMisleadingWay(String uri, String problem) {
      assertThat(workspace.flag(Setting.URI, uri).problems()).containsExactly(problem);
    }

    @Test
    void isNoFileWhoseNameCannotBeOne() {
      assertThat(workspace.flag(Setting.URI, "memory:a\0b").problems())
          .containsExactly("--uri: memory: is not followed by a path; write memory:PATH");
    }
  }

  /** Files are written for each of them, so there are fewer than URIs are tried with. */
  static Stream<String> someCharacters() {
    return Stream.concat(
        IntStream.rangeClosed(' ', '~').mapToObj(Character::toString),
        Stream.of("ж", "Ё", "🔑", "ß", "€", "\u00A0"));
  }

  /** A project that keeps its state elsewhere must not silently get another store. */
  @Nested
  class OtherBackend {
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            systemdb                           | Meltano's system database, .meltano/meltano.db
            s3://bucket/state                  | Amazon S3, s3://bucket/state
            s3://key:s3cret@bucket/state       | Amazon S3, s3://***@bucket/state
            s3://key:s3/cr/s3cret@bucket/state | Amazon S3, s3://***@bucket/state
            s3://key:s3cret                    | Amazon S3, s3:***
            s3:s3cret                          | Amazon S3, s3:***
            gs://bucket/state                  | Google Cloud Storage, gs://bucket/state
            azure://container/state?sig=s3cret | Azure Blob Storage, azure://container/state
            azure://a@container/b#s3cret       | Azure Blob Storage, azure://***@container/b
            file:///var/state                  | files, file:///var/state
            postgresql://u:s3cret@h:5432/d     | PostgreSQL, postgresql://***@h:5432/d
            postgresql+psycopg://u:s3cret@h/d  | PostgreSQL, postgresql+psycopg://***@h/d
            SNOWFLAKE://u:s3cret@a/d           | Snowflake, snowflake://***@a/d
            s3cret://u:p@h/d                   | a backend that is not known here
            s3cret                             | a backend that is not known here
            ''                                 | a backend that is not known here
            """)
    void isNamed(String uri, String where) {
      workspace.project("version: 1", "state_backend: {uri: '" + uri + "'}");

      assertThat(workspace.problems())
          .containsExactly(
              "meltano.yml:2 state_backend.uri: this project's state is in "
                  + where
                  + ", not in ClickHouse"
                  + ELSEWHERE);
    }

    @Test
    void isTheSystemDatabaseWhenTheProjectSaysNothing() {
      workspace.project("version: 1").dotenv("MELTANO_STATE_BACKEND_URI=").in("extract");

      assertThat(workspace.problems())
          .containsExactly(
              "../meltano.yml: state_backend.uri is not set, so this project's state is in Meltano's"
                  + " system database, ../.meltano/meltano.db, not in ClickHouse"
                  + ELSEWHERE);
    }

    @Test
    void isTheSystemDatabaseWhenTheProjectSetsAllButTheUri() {
      workspace.project("state_backend.clickhouse: {host: h, user: u, database: d}");

      assertThat(workspace.problems()).hasSize(1).first().asString().startsWith("meltano.yml: ");
    }

    @Test
    void isTheSystemDatabaseOfAnEmptyProject() {
      workspace.project("# nothing yet");

      assertThat(workspace.problems()).hasSize(1).first().asString().startsWith("meltano.yml: ");
    }

    @Test
    void isLeftByAUriForThisRun() {
      workspace
          .project("state_backend.uri: s3://bucket/state")
          .variable("MELTANO_STATE_BACKEND_URI", "clickhouse://etl@ch/mart");

      assertThat(workspace.clickHouse().database()).isEqualTo("mart");
      assertThat(workspace.resolve().notices()).isEmpty();
    }

    @Test
    void isLeftWithANoticeBySettingsForThisRun() {
      workspace
          .project("state_backend.uri: s3://bucket/state")
          .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_DATABASE", "mart")
          .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_USER", "etl");

      assertThat(workspace.clickHouse().database()).isEqualTo("mart");
      assertThat(workspace.resolve().notices())
          .containsExactly(
              "meltano.yml:1 state_backend.uri is not used, since ClickHouse was set for this run");
    }

    @Test
    void isNamedToWhoeverSetsItForThisRun() {
      workspace.variable("MELTANO_STATE_BACKEND_URI", "s3://key:s3cret@bucket/state");

      assertThat(workspace.problems())
          .containsExactly(
              "MELTANO_STATE_BACKEND_URI: the state is in Amazon S3, s3://***@bucket/state, not in"
                  + " ClickHouse"
                  + ELSEWHERE);

      workspace.variable("MELTANO_STATE_BACKEND_CLICKHOUSE_TABLE", "t");

      assertThat(workspace.problems()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        nullValues = "-",
        textBlock =
            """
            # variable               | .env           | environment    | top level         | where
            -                        | -              | -              | sqlite:///x.db    | sqlite:///x.db
            -                        | -              | mssql://h/d    | sqlite:///x.db    | mssql://h/d
            -                        | mssql://e/d    | mssql://h/d    | sqlite:///x.db    | mssql://e/d
            postgresql://u:s3cret@h/d | mssql://e/d   | mssql://h/d    | sqlite:///x.db    | postgresql://***@h/d
            s3cret                   | -              | -              | -                 | ***
            -                        | -              | -              | sqlite:///$ROOT/x | sqlite:////r/x
            -                        | -              | -              | sqlite:///$NONE/x | .meltano/meltano.db
            """)
    void isTheSystemDatabaseThatTheProjectNames(
        String variable, String dotenv, String environment, String top, String where) {
      workspace
          .project(
              "default_environment: dev",
              top == null ? "" : "database_uri: " + top,
              "environments:",
              "- name: dev",
              environment == null ? "" : "  config: {database_uri: '" + environment + "'}")
          .variable("ROOT", "/r");
      if (dotenv != null) {
        workspace.dotenv("MELTANO_DATABASE_URI=" + dotenv);
      }
      if (variable != null) {
        workspace.variable("MELTANO_DATABASE_URI", variable);
      }

      assertThat(workspace.problems())
          .containsExactly(
              "meltano.yml: state_backend.uri is not set, so this project's state is in Meltano's"
                  + " system database, "
                  + where
                  + ", not in ClickHouse"
                  + ELSEWHERE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"systemdb", "s3://bucket", "s3cret@h", "s3cret://u", "mart", "file:x"})
    void cannotBeAskedFor(String uri) {
      assertThat(workspace.flag(Setting.URI, uri).problems())
          .containsExactly(
              "--uri: names no backend of statectl; write clickhouse://… or memory:PATH");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "clickhouse+http://u:s3cret@h/d",
          "clickhouse+https://u:s3cret@h/d",
          "clickhouses://u:s3cret@h/d",
          "clickhouse:u:s3cret@h/d",
          "jdbc:clickhouse://u:s3cret@h/d",
          "https://u:s3cret@h/d",
          "tcp://u:s3cret@h/d",
        })
    void thatLooksLikeClickHouseIsRefusedWithAHint(String uri) {
      String what =
          "the scheme of a ClickHouse URI is clickhouse://; write"
              + " clickhouse://USER:PASSWORD@HOST:PORT/DATABASE, with ?secure=true for TLS";

      assertThat(workspace.flag(Setting.URI, uri).problems()).containsExactly("--uri: " + what);

      assertThat(new Workspace(root).project("state_backend.uri: " + uri).problems())
          .containsExactly("meltano.yml:1 state_backend.uri: " + what);
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
            PORT            | 80x     | must be a whole number from 1 to 65535
            PORT            | 0       | must be a whole number from 1 to 65535
            PORT            | 65536   | must be a whole number from 1 to 65535
            PORT            | -1      | must be a whole number from 1 to 65535
            PORT            | ^^      | must be a whole number from 1 to 65535
            PORT            | 99999999999 | must be a whole number from 1 to 65535
            SECURE          | maybe   | must be true or false
            SECURE          | ^^      | must be true or false
            CONNECT_TIMEOUT | 1.5     | must be a whole number from 1 to 86400
            REQUEST_TIMEOUT | 86401   | must be a whole number from 1 to 86400
            CLUSTER         | a b     | cluster must be a name of letters, digits, '_', '-' and '.', or a macro such as {cluster}
            REPLICATED      | maybe   | must be auto or on or off
            CONSISTENCY     | quorum  | must be auto or strong or eventual
            LOCK_MODE       | fast    | must be auto or immediate or settle or keeper
            LOCK_PEERS      | ^^      | must be plugin or none
            LOCK_TIMEOUT    | -1      | must be a whole number from 0 to 86400
            LOCK_STALE      | 2       | must be a whole number from 3 to 300
            LOCK_STALE      | 301     | must be a whole number from 3 to 300
            MAX_STATE_BYTES | 0       | must be a whole number from 1 to 67108864
            MAX_STATE_BYTES | 67108865 | must be a whole number from 1 to 67108864
            MAX_STATE_BYTES | 1 MB    | must be a whole number from 1 to 67108864
            HOST            | ^^      | must be a host's name or address alone
            HOST            | u:p@h   | must be a host's name or address alone
            HOST            | h:9000  | must be a host's name or address alone
            HOST            | http://h | must be a host's name or address alone
            HOST            | a b     | must be a host's name or address alone
            HOSTS           | ^^      | must be hosts with commas between them, each with its port behind a colon or without
            HOSTS           | a,      | must be hosts with commas between them, each with its port behind a colon or without
            HOSTS           | a:1:2,b | a host's port must be a whole number from 1 to 65535
            HOSTS           | a:0     | a host's port must be a whole number from 1 to 65535
            HOSTS           | a,u@b   | must be a host's name or address alone
            HOSTS           | [::1    | must be hosts with commas between them, each with its port behind a colon or without
            HOSTS           | a:1,b,a:1 | has a host twice
            HOSTS           | a,b_c   | host must be a name of letters, digits, '-' and '.', or an address, not 'b_c'
            DATABASE        | ^^      | database must not be blank
            USER            | ^ ^     | user must not be blank
            TABLE           | a`b     | table must not hold a backtick: the Meltano plugin, which uses the same tables, puts names between backticks as they are
            """)
    void areToldWithTheirPlace(Setting setting, String text, String what) {
      workspace.flag(Setting.URI, "clickhouse://etl@ch/mart").flag(setting, text);

      assertThat(workspace.problems())
          .containsExactly(setting.flag() + ": " + what + "; correct it there");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        nullValues = "-",
        textBlock =
            """
            # schema | table | where    | length
            -        | 300   | --table  | 312
            -        | 201   | -        | 213
            -        | 202   | --table  | 214
            300      | -     | --schema | 310
            203      | -     | -        | 213
            204      | -     | --schema | 214
            150      | 100   | --table  | 255
            """)
    void ofNamesThatClickHouseCannotStoreAreTold(
        Integer schema, Integer table, String where, int length) {
      workspace.flag(Setting.URI, "clickhouse://etl@ch/mart");
      if (schema != null) {
        workspace.flag(Setting.SCHEMA, "s".repeat(schema));
      }
      if (table != null) {
        workspace.flag(Setting.TABLE, "t".repeat(table));
      }

      String problem =
          "%s: table is too long: ClickHouse stores at most 213 bytes for schema and lock table"
              + " together (a letter of English, a digit or _ is one, any other byte is three), and"
              + " these would take %d; correct it there";
      assertThat(workspace.problems())
          .isEqualTo(where == null ? List.of() : List.of(problem.formatted(where, length)));
    }

    @Test
    void ofTheUriAreToldWithCharacterOrParameter() {
      workspace.variable(
          "MELTANO_STATE_BACKEND_URI",
          "clickhouse://эtl:🔑%@ch:99999/mart?secure=s3cret&connect_timeout=s3cret&x=s3cret");

      assertThat(workspace.problems())
          .containsExactly(
              "MELTANO_STATE_BACKEND_URI, character 19: a % stands there that encodes no character in"
                  + " UTF-8; percent-encode what is meant as text (% is %25, @ is %40, / is %2F, ?"
                  + " is %3F, # is %23, : is %3A), or give the password as"
                  + " MELTANO_STATE_BACKEND_CLICKHOUSE_PASSWORD, as it is",
              "MELTANO_STATE_BACKEND_URI, character 72: there is no such parameter; the parameters"
                  + " are secure, verify, ca_cert, client_cert, client_cert_key, schema, table, cluster, replicated, consistency, connect_timeout, request_timeout,"
                  + " lock_mode, lock_peers, lock_timeout, lock_stale, max_state_bytes",
              "MELTANO_STATE_BACKEND_URI, port: must be a whole number from 1 to 65535; correct it"
                  + " there",
              "MELTANO_STATE_BACKEND_URI, secure: must be true or false; correct it there",
              "MELTANO_STATE_BACKEND_URI, connect_timeout: must be a whole number from 1 to 86400;"
                  + " correct it there");
    }

    @Test
    void ofWhatIsMissingAreTold() {
      workspace.flag(Setting.URI, "clickhouse://ch");

      assertThat(workspace.problems())
          .containsExactly(
              "state_backend.clickhouse.database: no database is set; put it into the URI"
                  + " (clickhouse://USER:PASSWORD@HOST:PORT/DATABASE) or set"
                  + " MELTANO_STATE_BACKEND_CLICKHOUSE_DATABASE",
              "state_backend.clickhouse.user: no user is set; put it into the URI"
                  + " (clickhouse://USER:PASSWORD@HOST:PORT/DATABASE) or set"
                  + " MELTANO_STATE_BACKEND_CLICKHOUSE_USER");
    }

    @Test
    void ofAllPlacesAreToldAtOnce() {
      workspace
          .project(
              "state_backend.clickhouse.table: [x]",
              "state_backend.clickhouse.schema: $NONE",
              "state_backend.clickhouse.request_timeout: soon")
          .dotenv("MELTANO_STATE_BACKEND_CLICKHOUSE_SECURE=perhaps")
          .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_PORT", "http")
          .flag(Setting.ENVIRONMENT, "prod")
          .flag(Setting.URI, "clickhouse://etl:%@ch/mart");

      assertThat(workspace.problems())
          .extracting(problem -> problem.substring(0, problem.indexOf("; ")))
          .containsExactly(
              "--environment: there is no environment prod",
              "meltano.yml:1 state_backend.clickhouse.table: must be a text, a number or true or"
                  + " false",
              "--uri, character 18: a % stands there that encodes no character in UTF-8",
              "MELTANO_STATE_BACKEND_CLICKHOUSE_PORT: must be a whole number from 1 to 65535",
              ".env:1 MELTANO_STATE_BACKEND_CLICKHOUSE_SECURE: must be true or false",
              "meltano.yml:2 state_backend.clickhouse.schema: refers to the variable NONE, which is"
                  + " not set",
              "meltano.yml:3 state_backend.clickhouse.request_timeout: must be a whole number from 1"
                  + " to 86400");
    }

    @Test
    void areAllInTheMessage() {
      workspace.flag(Setting.URI, "clickhouse://etl@ch:x/mart?secure");

      SettingsException failure = catchThrowableOfType(SettingsException.class, workspace::resolve);

      assertThat(failure)
          .hasMessage(
              "--uri, character 21: the port must be a number; write HOST:PORT, an IPv6 address in"
                  + " brackets, and user and password before an @\n"
                  + "--uri, character 34: secure has no value; write secure=VALUE");
    }
  }

  @Nested
  class Precedence {
    @Test
    void ofASettingOverTheUriIsToldWhenOnlyTheUriIsForThisRun() {
      workspace
          .project(
              "state_backend.clickhouse: {host: ch.example.com, user: etl, schema: s, table: t}")
          .flag(Setting.URI, "clickhouse://etl:pw@localhost/mart?table=u");

      assertThat(workspace.clickHouse().host()).isEqualTo("ch.example.com");
      assertThat(workspace.resolve().notices())
          .containsExactly(
              "meltano.yml:1 state_backend.clickhouse.host is used, not what --uri says",
              "meltano.yml:1 state_backend.clickhouse.table is used, not what --uri says");
    }

    @Test
    void ofASettingOverTheUriIsTheRuleWhereBothAreForThisRun() {
      workspace
          .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_PASSWORD", "p2")
          .flag(Setting.URI, "clickhouse://etl:p1@ch/mart");

      assertThat(workspace.clickHouse().password()).isEqualTo("p2");
      assertThat(workspace.resolve().notices()).isEmpty();
    }

    @Test
    void ofAnEmptyVariableIsNone() {
      workspace
          .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_PASSWORD", "")
          .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_PORT", "")
          .flag(Setting.URI, "clickhouse://etl:p1@ch/mart");

      assertThat(workspace.clickHouse().password()).isEqualTo("p1");
    }

    @Test
    void ofAnEmptyPasswordInTheProjectIsThatOfAValue() {
      workspace.project(
          "state_backend.uri: clickhouse://etl:p1@ch/mart",
          "state_backend.clickhouse.password: ''");

      assertThat(workspace.clickHouse().password()).isEmpty();
    }
  }

  @Nested
  class Secrets {
    @ParameterizedTest
    @MethodSource("dev.statectl.cli.settings.SettingsTest#someCharacters")
    void arriveAsTheyAreFromEveryPlace(String character) {
      String password = character + "a" + character + character + "z" + character;
      String quoted = password.replace("'", "''");
      String uri = "state_backend.uri: clickhouse://etl@ch/mart";

      assertThat(
              workspace
                  .flag(Setting.URI, "clickhouse://etl@ch/mart")
                  .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_PASSWORD", password)
                  .clickHouse()
                  .password())
          .isEqualTo(password);
      assertThat(
              new Workspace(root)
                  .project(uri, "state_backend.clickhouse.password: '" + quoted + "'")
                  .clickHouse()
                  .password())
          .isEqualTo(password);
      assertThat(
              new Workspace(root)
                  .project(uri, "state_backend.clickhouse.password: $PW")
                  .variable("PW", password)
                  .clickHouse()
                  .password())
          .isEqualTo(password);
      assertThat(
              new Workspace(root)
                  .project(uri)
                  .dotenv(
                      "MELTANO_STATE_BACKEND_CLICKHOUSE_PASSWORD='"
                          + password.replace("\\", "\\\\").replace("'", "\\'")
                          + "'")
                  .clickHouse()
                  .password())
          .isEqualTo(password);
    }

    @Test
    void areInNoTextOfARightConfiguration() {
      workspace
          .project("state_backend.clickhouse.password: s3cret-yml")
          .file("password", "s3cret-file\n")
          .dotenv("OTHER=s3cret")
          .variable("PW", "s3cret")
          .flag(Setting.URI, "clickhouse://etl:s3cret@ch/mart")
          .flag(Setting.PASSWORD, "password");

      ResolvedSettings resolved = workspace.resolve();

      assertThat(workspace.clickHouse().password()).isEqualTo("s3cret-file");
      assertThat(resolved.toString())
          .doesNotContain(SECRET)
          .contains("clickhouse://***@ch/mart", "user=etl", "shown=***");
      assertThat(resolved.location().toString()).doesNotContain(SECRET);
      assertThat(
              new SettingsRequest(
                      root,
                      Map.of("PW", SECRET),
                      Map.of(Setting.URI, SECRET, Setting.PASSWORD, SECRET))
                  .toString())
          .isEqualTo("SettingsRequest[workingDirectory=" + root + ", flags=[URI, PASSWORD]]");
    }

    /** Whatever is wrong with a URI, and wherever in it the password ended up. */
    @ParameterizedTest
    @MethodSource("wrongUris")
    void areInNoMessage(String uri) {
      for (Workspace each :
          List.of(
              new Workspace(root).flag(Setting.URI, uri),
              new Workspace(root).variable("MELTANO_STATE_BACKEND_URI", uri),
              new Workspace(root).project("state_backend.uri: '" + uri.replace("'", "''") + "'"))) {
        assertThat(String.join("\n", each.problems()))
            .isNotEmpty()
            .doesNotContain(SECRET)
            .doesNotContain("etl-user");
      }
    }

    static Stream<String> wrongUris() {
      return Stream.concat(
          IntStream.rangeClosed('!', '~')
              .mapToObj(Character::toString)
              .flatMap(
                  each ->
                      Stream.of(
                          "clickhouse://etl-user:s3cret" + each + "x@ch:port/mart",
                          "clickhouse://etl-user:" + each + "s3cret",
                          "etl-user:s3cret" + each + "@ch")),
          Stream.of(
              "s3cret",
              "s3cret://etl-user@ch",
              "clickhouse://s3cret",
              "clickhouse://ch/s3cret",
              "clickhouse://ch?s3cret",
              "clickhouse://ch?s3cret=1",
              "clickhouse://etl-user@ch/?secure=s3cret",
              "clickhouse://etl-user@ch/?table=`s3cret",
              "clickhouse:/etl-user:s3cret@ch/mart",
              "clickhouse+http://etl-user:s3cret@ch/mart"));
    }
  }
}
