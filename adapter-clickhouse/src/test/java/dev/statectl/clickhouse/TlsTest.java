package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.TlsSettings.Verification;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestAuthority;
import dev.statectl.clickhouse.engine.TestAuthority.Identity;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.clickhouse.engine.TlsFront;
import dev.statectl.port.StateFailure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates of all kinds, on both sides, in front of the engine. */
class TlsTest {
  private static final TestAuthority AUTHORITY = TestAuthority.create("Authority");
  private static final TestAuthority OTHER_AUTHORITY = TestAuthority.create("Other");
  private static final Identity SERVER = AUTHORITY.issue("localhost", "ip:127.0.0.1");
  private static final TlsSettings TRUSTING = TlsSettings.DEFAULT.withAuthorities(AUTHORITY.pem());

  private final TestClickHouse clickHouse = TestClickHouse.shared();

  @Test
  void aServerWhoseAuthorityIsTrustedIsSpokenTo() {
    assertSpeaks(SERVER, null, TRUSTING);
  }

  @Test
  void ofSeveralAuthoritiesEachIsTrusted() {
    TlsSettings both =
        TlsSettings.DEFAULT.withAuthorities(
            OTHER_AUTHORITY.pem() + "\nfor tests\n" + AUTHORITY.pem());
    assertSpeaks(SERVER, null, both);
    assertSpeaks(OTHER_AUTHORITY.issue("localhost", "ip:127.0.0.1"), null, both);
  }

  @Test
  void aSelfSignedCertificateCanBeTrustedByItself() {
    Identity self = TestAuthority.selfSigned("localhost", "ip:127.0.0.1");
    assertSpeaks(self, null, TlsSettings.DEFAULT.withAuthorities(self.certificatePem()));
  }

  @Test
  void onlyJavasTrustStoreIsAskedWithoutAuthorities() {
    assertFails(
        SERVER,
        null,
        TlsSettings.DEFAULT,
        "TLS failed, no authority that is trusted here has signed the server's certificate; set"
            + " ca_cert to the certificate of its authority, or add that to Java's trust store");
  }

  @ParameterizedTest
  @EnumSource(names = {"FULL", "CA"})
  void anotherAuthorityIsNotTrusted(Verification verification) {
    assertFails(
        SERVER,
        null,
        TlsSettings.DEFAULT.withAuthorities(OTHER_AUTHORITY.pem()).withVerification(verification),
        "TLS failed, no authority that is trusted here has signed the server's certificate; check"
            + " that ca_cert holds the certificate of its authority");
  }

  @Test
  void aSelfSignedCertificateIsNotTrusted() {
    assertFails(
        TestAuthority.selfSigned("localhost", "ip:127.0.0.1"),
        null,
        TRUSTING,
        "TLS failed, no authority that is trusted here has signed the server's certificate; check"
            + " that ca_cert holds the certificate of its authority");
  }

  @Test
  void aCertificateForAnotherHostIsRefusedUnlessOnlyTheAuthorityIsVerified() {
    Identity elsewhere = AUTHORITY.issue("localhost", "other.example.com", "ip:127.0.0.2");
    assertFails(
        elsewhere,
        null,
        TRUSTING,
        "TLS failed, the server's certificate is for another host; check the host; verify=ca"
            + " accepts any host that the authority has signed");
    assertSpeaks(elsewhere, null, TRUSTING.withVerification(Verification.CA));
  }

  @ParameterizedTest
  @EnumSource(names = {"FULL", "CA"})
  void anExpiredCertificateIsRefused(Verification verification) {
    assertFails(
        AUTHORITY.issue("EC", "localhost", Instant.now().minusSeconds(60), "ip:127.0.0.1"),
        null,
        TRUSTING.withVerification(verification),
        "TLS failed, the server's certificate has expired; renew it there, or check this machine's"
            + " clock");
  }

  @Test
  void aCertificateOfTheFutureIsRefused() {
    assertFails(
        AUTHORITY.issue("EC", "localhost", Instant.now().plus(Duration.ofDays(5)), "ip:127.0.0.1"),
        null,
        TRUSTING,
        "TLS failed, the server's certificate is not valid yet; check this machine's clock");
  }

  @Test
  void withVerificationOffEveryCertificateWillDo() {
    TlsSettings off = TlsSettings.DEFAULT.withVerification(Verification.OFF);
    assertSpeaks(TestAuthority.selfSigned("x", "other.example.com"), null, off);
    assertSpeaks(
        AUTHORITY.issue("EC", "x", Instant.now().minusSeconds(60)),
        null,
        off.withAuthorities(OTHER_AUTHORITY.pem()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA", "Ed25519"})
  void aClientShowsItsCertificate(String algorithm) {
    Identity client = AUTHORITY.issue(algorithm, "client", Instant.now().plusSeconds(3600));
    assertSpeaks(
        SERVER,
        AUTHORITY.certificate(),
        TRUSTING.withClient(client.certificatePem(), client.keyPem()));
  }

  @Test
  void aServerThatWantsACertificateGetsNone() {
    assertRefused(
        TRUSTING, "a server may want a client's certificate: set client_cert and client_cert_key");
  }

  @Test
  void aServerDoesNotTrustTheClientsAuthority() {
    Identity client = OTHER_AUTHORITY.issue("client");
    assertRefused(
        TRUSTING.withClient(client.certificatePem(), client.keyPem()),
        "check that the server trusts the authority of client_cert");
  }

  /** In a JVM of its own, since a JVM reads its trust store once. */
  @Test
  void whomJavaTrustsIsTrusted(@TempDir Path directory) throws Exception {
    String schema = clickHouse.freshSchema();
    Path errors = directory.resolve("errors");
    try (TlsFront front = TlsFront.of(clickHouse.endpoint(), SERVER, null)) {
      ClickHouseEndpoint endpoint = front.endpoint();
      Process client =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Djavax.net.ssl.trustStore="
                      + AUTHORITY.writeTrustStore(directory.resolve("trust.p12")),
                  "-Djavax.net.ssl.trustStorePassword=" + TestAuthority.PASSWORD,
                  "-cp",
                  System.getProperty("java.class.path"),
                  Client.class.getName(),
                  Integer.toString(endpoint.port()),
                  endpoint.user(),
                  endpoint.password(),
                  endpoint.database(),
                  schema)
              // Newer versions of Java warn there of what libraries do.
              .redirectError(errors.toFile())
              .start();
      String said = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(client.waitFor()).as(said + Files.readString(errors)).isZero();
      assertThat(said).isEqualToNormalizingNewlines("{\"n\":1}\n");
    }
    assertThat(clickHouse.query("SELECT state_id FROM " + schema + ".state")).isEqualTo("a");
  }

  private void assertSpeaks(Identity server, @Nullable X509Certificate clients, TlsSettings tls) {
    String schema = clickHouse.freshSchema();
    try (TlsFront front = TlsFront.of(clickHouse.endpoint(), server, clients);
        ClickHouseBackend backend = open(front, schema, tls)) {
      backend.states().save(TestStores.state("a", "{\"n\":1}"));
      assertThat(TestStores.completedOf(backend.states(), "a")).isEqualTo("{\"n\":1}");
    }
    assertThat(clickHouse.query("SELECT state_id FROM " + schema + ".state")).isEqualTo("a");
  }

  private void assertFails(
      Identity server, @Nullable X509Certificate clients, TlsSettings tls, String reason) {
    String schema = clickHouse.freshSchema();
    try (TlsFront front = TlsFront.of(clickHouse.endpoint(), server, clients);
        ClickHouseBackend backend = open(front, schema, tls)) {
      assertThatThrownBy(() -> backend.states().save(TestStores.state("a", "{}")))
          .isInstanceOf(StateFailure.Unavailable.class)
          .hasMessage(
              "cannot read %s.state at 127.0.0.1:%d: %s", schema, front.endpoint().port(), reason);
    }
    assertThat(
            clickHouse.query("SELECT count() FROM system.databases WHERE name = '" + schema + "'"))
        .isEqualTo("0");
  }

  /** Whether the server's alert arrives before the connection breaks off is a race. */
  private void assertRefused(TlsSettings tls, String advice) {
    String schema = clickHouse.freshSchema();
    try (TlsFront front = TlsFront.of(clickHouse.endpoint(), SERVER, AUTHORITY.certificate());
        ClickHouseBackend backend = open(front, schema, tls)) {
      assertThatThrownBy(() -> backend.states().save(TestStores.state("a", "{}")))
          .isInstanceOf(StateFailure.Unavailable.class)
          .hasMessageStartingWith(
              "cannot read %s.state at 127.0.0.1:%d: ", schema, front.endpoint().port())
          .hasMessageMatching(
              ".*: (TLS failed, the server refused with [a-z_]+"
                  + "|the connection broke off; check host and port, or try again); .*")
          .hasMessageEndingWith("; " + advice);
    }
    assertThat(
            clickHouse.query("SELECT count() FROM system.databases WHERE name = '" + schema + "'"))
        .isEqualTo("0");
  }

  private static ClickHouseBackend open(TlsFront front, String schema, TlsSettings tls) {
    return ClickHouseBackend.open(TestStores.settings(front.endpoint(), schema).withTls(tls));
  }

  /** Saves a state over TLS and prints what is found. */
  static final class Client {
    public static void main(String[] args) {
      ClickHouseEndpoint endpoint =
          new ClickHouseEndpoint(
              "127.0.0.1", Integer.parseInt(args[0]), true, args[1], args[2], args[3]);
      try (ClickHouseBackend backend =
          ClickHouseBackend.open(TestStores.settings(endpoint, args[4]))) {
        backend.states().save(TestStores.state("a", "{\"n\":1}"));
        System.out.println(TestStores.completedOf(backend.states(), "a"));
      }
    }
  }
}
