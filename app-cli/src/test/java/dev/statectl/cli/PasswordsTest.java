package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Passwords of every kind reach the real engine, which compares them, by every way there is. */
class PasswordsTest {
  private static final String PASSWORD = "MELTANO_STATE_BACKEND_CLICKHOUSE_PASSWORD";

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();

  @TempDir private Path directory;

  @BeforeEach
  void storeAState() {
    Outcome set =
        as(clickHouse.endpoint().uri()).run("set", "dev:a", "{\"singer_state\": {\"n\": 1}}");
    assertThat(set.code()).as(set.err()).isZero();
  }

  static Stream<String> passwords() {
    List<String> odd =
        List.of("#", "/", "?", "@", ":", "%", "+", " ", "й", "'", "\"", "\\", "&", "=", "$", "`");
    return Stream.concat(
        odd.stream().flatMap(each -> Stream.of("a" + each + "z", each + each)),
        Stream.of(
            String.join("", odd), "пароль ЁЖ", "p#/?@:%+ йы'\"\\", "%41%2F", "${HOME}", "--uri"));
  }

  @ParameterizedTest
  @MethodSource("passwords")
  void thePasswordArrivesByEveryWay(String password) throws IOException {
    ClickHouseEndpoint user =
        clickHouse.createUserWithPassword(password, "SELECT ON " + schema + ".*");
    ClickHouseEndpoint wrong = user.as(user.user(), password + "x");
    String without = user.as(user.user(), "").uri();
    Outcome listed = new Outcome(0, "dev:a\n", "");

    assertThat(as(user.uri()).run("list")).isEqualTo(listed);
    assertThat(as(without).variable(PASSWORD, password).run("list")).isEqualTo(listed);
    Path file = directory.resolve("password");
    Files.writeString(file, password + "\nlogin: etl\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThat(as(without).run("list", "--password-file", "password")).isEqualTo(listed);
    assertThat(as(without).answering(password).run("list", "--ask-password")).isEqualTo(listed);
    Files.writeString(directory.resolve("meltano.yml"), "version: 1\n");
    Files.writeString(
        directory.resolve(".env"),
        PASSWORD + "='" + password.replace("\\", "\\\\").replace("'", "\\'") + "'\n");
    if (!password.contains("${")) {
      assertThat(as(without).run("list")).isEqualTo(listed);
    }
    Files.delete(directory.resolve("meltano.yml"));

    for (Outcome refused :
        List.of(
            as(wrong.uri()).run("list"),
            as(without).run("list"),
            as(without).variable(PASSWORD, password + "x").run("list"),
            as(without).answering("").run("list", "--ask-password"))) {
      assertThat(refused.code()).isEqualTo(6);
      assertThat(refused.out()).isEmpty();
      assertThat(refused.err())
          .isEqualTo(
              "statectl: cannot read %s.state at %s:%d: the server does not accept the user %s with this password (ClickHouse error 516); check user and password\n"
                  .formatted(schema, user.host(), user.port(), user.user()));
    }
  }

  @Test
  void aPersonIsAskedOnceAndByTheNameOfTheServer() {
    ClickHouseEndpoint user = clickHouse.createUserWithPassword("pw", "SELECT ON " + schema + ".*");
    RunStatectl run = as(user.as(user.user(), "weaker").uri()).answering("pw");

    assertThat(run.run("--ask-password", "list").out()).isEqualTo("dev:a\n");
    assertThat(run.questions())
        .containsExactly(
            "Password of " + user.user() + " at " + user.host() + ":" + user.port() + ": ");
  }

  @Test
  void thePasswordIsNotAskedForWhereThatMakesNoSense() {
    assertThat(as(clickHouse.uri()).run("list", "--ask-password"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: --ask-password: there is no terminal to ask on (standard input and error"
                    + " must both be one); give the password as "
                    + PASSWORD
                    + " or by --password-file\n"));
    assertThat(as("memory:").answering("pw").run("list", "--ask-password"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: --ask-password: an embedded store has no password; leave the option"
                    + " out\n"));
    assertThat(as(clickHouse.uri()).answering().run("list", "--ask-password"))
        .isEqualTo(new Outcome(1, "", "statectl: no password was given; nothing was changed\n"));
  }

  @Test
  void aFileAndAQuestionAreOneTooMany() throws IOException {
    Files.writeString(directory.resolve("password"), "pw");
    Files.setPosixFilePermissions(
        directory.resolve("password"), PosixFilePermissions.fromString("rw-------"));

    assertThat(
            as(clickHouse.uri())
                .answering("pw")
                .run("list", "--ask-password", "--password-file", "password"))
        .isEqualTo(
            new Outcome(
                2, "", "statectl: give either --ask-password or --password-file, not both\n"));
  }

  private RunStatectl as(String uri) {
    return RunStatectl.in(directory)
        .variable("MELTANO_STATE_BACKEND_URI", uri)
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema);
  }
}
