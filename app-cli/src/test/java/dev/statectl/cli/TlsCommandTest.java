package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestAuthority;
import dev.statectl.clickhouse.engine.TestAuthority.Identity;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.clickhouse.engine.TlsFront;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command over TLS to the engine, and what it warns of. */
class TlsCommandTest {
  private static final TestAuthority AUTHORITY = TestAuthority.create("Authority");
  private static final Identity SERVER = AUTHORITY.issue("localhost", "ip:127.0.0.1");
  private static final Identity CLIENT = AUTHORITY.issue("client");
  private static final String STATE = "{\"singer_state\":{}}";

  @TempDir private Path directory;
  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();

  @BeforeEach
  void writeFiles() throws IOException {
    Files.writeString(directory.resolve("ca.pem"), AUTHORITY.pem());
    Files.writeString(directory.resolve("client.pem"), CLIENT.certificatePem());
    Files.writeString(directory.resolve("client.key"), CLIENT.keyPem());
  }

  @Test
  void aServerThatWantsAClientsCertificateIsSpokenTo() {
    try (TlsFront front = TlsFront.of(clickHouse.endpoint(), SERVER, AUTHORITY.certificate())) {
      String[] files = {
        "--ca-cert", "ca.pem", "--client-cert", "client.pem", "--client-cert-key", "client.key"
      };
      assertThat(run(front.endpoint(), files, "set", "dev:a", STATE).code()).isZero();
      assertThat(run(front.endpoint(), files, "get", "dev:a"))
          .isEqualTo(new Outcome(0, STATE + "\n", ""));
    }
  }

  @Test
  void anUnknownAuthorityIsToldWithWhatToSet() {
    try (TlsFront front = TlsFront.of(clickHouse.endpoint(), SERVER, null)) {
      assertThat(run(front.endpoint(), new String[0], "get", "dev:a"))
          .isEqualTo(
              new Outcome(
                  7,
                  "",
                  "statectl: cannot read %s.state at 127.0.0.1:%d: TLS failed, no authority that is trusted here has signed the server's certificate; set ca_cert to the certificate of its authority, or add that to Java's trust store\n"
                      .formatted(schema, front.endpoint().port())));
    }
  }

  @Test
  void verificationOffIsWarnedOfInEachRunAndAlsoWhenQuiet() {
    try (TlsFront front = TlsFront.of(clickHouse.endpoint(), TestAuthority.selfSigned("x"), null)) {
      assertThat(run(front.endpoint(), new String[] {"--verify=off"}, "--quiet", "list").err())
          .isEqualTo(
              "statectl: state_backend.clickhouse.verify is off: whoever is between here and"
                  + " 127.0.0.1:%d can read and change everything, the password included\n"
                      .formatted(front.endpoint().port()));
    }
  }

  @Test
  void aPasswordInPlainHttpToAnotherMachineIsWarnedOfOnce() {
    Outcome outcome =
        RunStatectl.in(directory)
            .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_PASSWORD", "s3cret")
            .run(
                "--uri", "clickhouse://etl@no-such-host.invalid/mart", "clear", "--all", "--force");

    assertThat(outcome.code()).isEqualTo(7);
    assertThat(outcome.err())
        .isEqualTo(
            """
            statectl: the password goes to no-such-host.invalid:8123 in plain HTTP, where others on the way can read it; use --secure if the server speaks TLS
            statectl: cannot read meltano.state at no-such-host.invalid:8123: the host name is not known; check the host
            """);
  }

  @Test
  void withoutAPasswordOrOnThisMachineNobodyIsWarned() {
    for (String uri :
        List.of(
            "clickhouse://etl@no-such-host.invalid/mart",
            "clickhouse://etl:pw@localhost:1/mart",
            "clickhouse://etl:pw@127.0.0.1:1/mart",
            "clickhouse://etl:pw@[::1]:1/mart")) {
      assertThat(RunStatectl.in(directory).run("--uri", uri, "list").err())
          .as(uri)
          .startsWith("statectl: cannot read meltano.state at ")
          .doesNotContain("plain HTTP");
    }
  }

  private Outcome run(ClickHouseEndpoint endpoint, String[] options, String... command) {
    List<String> arguments = new ArrayList<>(List.of("--uri", endpoint.uri()));
    arguments.addAll(List.of("--schema", schema));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of(command));
    return RunStatectl.in(directory)
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_PASSWORD", endpoint.password())
        .run(arguments.toArray(String[]::new));
  }
}
