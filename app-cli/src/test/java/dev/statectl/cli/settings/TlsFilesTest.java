package dev.statectl.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.TlsSettings;
import dev.statectl.clickhouse.TlsSettings.Verification;
import dev.statectl.clickhouse.engine.TestAuthority;
import dev.statectl.clickhouse.engine.TestAuthority.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsFilesTest {
  private static final TestAuthority AUTHORITY = TestAuthority.create("Authority");
  private static final Identity CLIENT = AUTHORITY.issue("client");

  @TempDir private Path root;
  private Workspace workspace;

  @BeforeEach
  void speakTls() {
    workspace = new Workspace(root).flag(Setting.URI, "clickhouse://etl@ch/mart?secure=true");
  }

  @Test
  void withoutSettingsJavaSaysWhomToTrust() {
    assertThat(workspace.clickHouse().tls()).isEqualTo(TlsSettings.DEFAULT);
  }

  @Test
  void certificatesAndKeyComeFromFilesInTheWorkingDirectory() throws IOException {
    write("ca.pem", AUTHORITY.pem());
    write("client.pem", CLIENT.certificatePem());
    write("client.key", CLIENT.keyPem());
    workspace
        .in("extract")
        .flag(Setting.CA_CERT, "../ca.pem")
        .flag(Setting.CLIENT_CERT, "../client.pem")
        .flag(Setting.CLIENT_CERT_KEY, root.resolve("client.key").toString())
        .flag(Setting.VERIFY, "ca");

    assertThat(workspace.clickHouse().tls())
        .isEqualTo(
            TlsSettings.DEFAULT
                .withAuthorities(AUTHORITY.pem())
                .withClient(CLIENT.certificatePem(), CLIENT.keyPem())
                .withVerification(Verification.CA));
  }

  @Test
  void aVariableMayHoldTheTextItself() {
    workspace.variable("MELTANO_STATE_BACKEND_CLICKHOUSE_CA_CERT", AUTHORITY.pem());

    assertThat(workspace.clickHouse().tls())
        .isEqualTo(TlsSettings.DEFAULT.withAuthorities(AUTHORITY.pem()));
  }

  @Test
  void theKeyIsShownNowhere() {
    workspace
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_CLIENT_CERT", CLIENT.certificatePem())
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_CLIENT_CERT_KEY", CLIENT.keyPem());
    String secret = CLIENT.keyPem().split("\n")[1];

    assertThat(workspace.effective())
        .contains(
            "CLIENT_CERT_KEY=*** (VARIABLE MELTANO_STATE_BACKEND_CLICKHOUSE_CLIENT_CERT_KEY)");
    assertThat(workspace.effective().toString() + workspace.resolve()).doesNotContain(secret);
  }

  @Test
  void aKeyThatStandsBehindItsCertificateIsShownNowhere() {
    String both = CLIENT.certificatePem() + CLIENT.keyPem();
    workspace
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_CLIENT_CERT", both)
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_CLIENT_CERT_KEY", both);

    assertThat(workspace.effective())
        .contains("CLIENT_CERT=*** (VARIABLE MELTANO_STATE_BACKEND_CLICKHOUSE_CLIENT_CERT)");
    assertThat(workspace.effective().toString() + workspace.resolve())
        .doesNotContain(CLIENT.keyPem().split("\n")[1]);
  }

  @Test
  void mistakesAreToldByTheSettingThatHasThem() throws IOException {
    write("empty.pem", "");
    write("other.key", AUTHORITY.issue("other").keyPem());
    write("client.pem", CLIENT.certificatePem());
    write("large.pem", "x".repeat(1_000_001));

    assertThat(problemsOf(Setting.CA_CERT, "nowhere.pem"))
        .isEqualTo("--ca-cert: names no file that is there; correct it there");
    assertThat(problemsOf(Setting.CA_CERT, "."))
        .isEqualTo("--ca-cert: names a file that cannot be read; correct it there");
    assertThat(problemsOf(Setting.CA_CERT, "large.pem"))
        .isEqualTo(
            "--ca-cert: names a file of more than 1000000 bytes, which is no PEM file; correct it"
                + " there");
    assertThat(problemsOf(Setting.CA_CERT, "empty.pem"))
        .isEqualTo(
            "--ca-cert: holds no certificate in PEM (-----BEGIN CERTIFICATE-----); correct it"
                + " there");
    assertThat(problemsOf(Setting.VERIFY, "none"))
        .isEqualTo("--verify: must be full or ca or off; correct it there");
    assertThat(problemsOf(Setting.CLIENT_CERT_KEY, "other.key"))
        .isEqualTo("--client-cert-key: needs client_cert, which is not set; correct it there");
    workspace.flag(Setting.CLIENT_CERT, "client.pem");
    assertThat(problemsOf(Setting.CLIENT_CERT_KEY, "other.key"))
        .isEqualTo("--client-cert-key: holds the key of another certificate; correct it there");
  }

  @Test
  void aCertificateNeedsItsKey() throws IOException {
    write("client.pem", CLIENT.certificatePem());

    assertThat(problemsOf(Setting.CLIENT_CERT, "client.pem"))
        .isEqualTo("--client-cert: needs client_cert_key, which is not set; correct it there");
  }

  @Test
  void withoutTlsTheyAreAMistake() {
    workspace.flag(Setting.SECURE, "false");

    assertThat(problemsOf(Setting.VERIFY, "off"))
        .isEqualTo(
            "--verify: is for connections with TLS, and secure is not set; correct it there");
  }

  private String problemsOf(Setting setting, String value) {
    workspace.flag(setting, value);
    String problems = String.join("\n", workspace.problems());
    workspace.without(setting);
    return problems;
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(root.resolve(name), text);
  }
}
