package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.TlsSettings.Verification;
import dev.statectl.clickhouse.engine.TestAuthority;
import dev.statectl.clickhouse.engine.TestAuthority.Identity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsSettingsTest {
  private static final TestAuthority AUTHORITY = TestAuthority.create("Authority");
  private static final Identity CLIENT = AUTHORITY.issue("client");

  @ParameterizedTest
  @ValueSource(strings = {"", "ca.pem", "-----BEGIN CERTIFICATE-----\nAAAA"})
  void authoritiesNeedACertificate(String pem) {
    assertThatThrownBy(() -> TlsSettings.DEFAULT.withAuthorities(pem))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("holds no certificate in PEM (-----BEGIN CERTIFICATE-----)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"AAAA", "A", "?", ""})
  void aDamagedCertificateIsToldByItsNumber(String base64) {
    assertThatThrownBy(
            () ->
                TlsSettings.DEFAULT.withAuthorities(
                    AUTHORITY.pem()
                        + "-----BEGIN CERTIFICATE-----\n"
                        + base64
                        + "\n-----END CERTIFICATE-----\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("certificate 2 in it is damaged");
  }

  @Test
  void aKeyAmongOtherThingsIsFound() {
    String all = "for tests\r\n" + CLIENT.certificatePem() + CLIENT.keyPem().replace("\n", "\r\n");
    assertThat(TlsSettings.DEFAULT.withClient(all, all))
        .isEqualTo(TlsSettings.DEFAULT.withClient(CLIENT.certificatePem(), CLIENT.keyPem()));
  }

  @Test
  void aClientNeedsAKey() {
    assertThatThrownBy(
            () -> TlsSettings.DEFAULT.withClient(CLIENT.certificatePem(), CLIENT.certificatePem()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("holds no private key in PEM (-----BEGIN PRIVATE KEY-----)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"})
  void aKeyOfAnotherFormIsToldWithTheWayToConvertIt(String label) {
    String key = CLIENT.keyPem().replace("PRIVATE KEY", label);
    assertThatThrownBy(() -> TlsSettings.DEFAULT.withClient(CLIENT.certificatePem(), key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "holds a key of another form (%s); convert it with: openssl pkcs8 -topk8 -nocrypt -in"
                + " OLD -out NEW",
            label);
  }

  @Test
  void aKeyOfAnotherCertificateIsRefused() {
    String key = AUTHORITY.issue("somebody").keyPem();
    assertThatThrownBy(() -> TlsSettings.DEFAULT.withClient(CLIENT.certificatePem(), key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("holds the key of another certificate");
  }

  @Test
  void aDamagedKeyIsRefusedAndNothingOfItIsShown() {
    String key = CLIENT.keyPem().replaceFirst("\n.{8}", "\nAAAAAAAA");
    assertThatThrownBy(() -> TlsSettings.DEFAULT.withClient(CLIENT.certificatePem(), key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "holds a damaged key, or one of another kind than the certificate's, which is EC")
        .hasNoCause();
  }

  @Test
  void theTextFormShowsNoKey() {
    TlsSettings settings =
        TlsSettings.DEFAULT
            .withAuthorities(AUTHORITY.pem())
            .withClient(CLIENT.certificatePem(), CLIENT.keyPem())
            .withVerification(Verification.CA);
    assertThat(settings).hasToString("TlsSettings[verification=CA, authorities=own, client=***]");
    assertThat(TlsSettings.DEFAULT)
        .hasToString("TlsSettings[verification=FULL, authorities=Java's, client=none]");
  }

  @Test
  void trustMeansNothingWithoutTls() {
    ClickHouseSettings plain = ClickHouseSettings.of("h", 8123, false, "d", "u", "");
    TlsSettings off = TlsSettings.DEFAULT.withVerification(Verification.OFF);
    assertThatThrownBy(() -> plain.withTls(off))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("tls is set up, but secure is false");
  }
}
