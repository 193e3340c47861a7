package dev.statectl.clickhouse;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Whom a TLS connection trusts, and how the client shows who it is. Immutable; the text form shows
 * no key.
 */
public final class TlsSettings {
  /** Full verification by Java's own trust store, no client certificate. */
  public static final TlsSettings DEFAULT =
      new TlsSettings(Verification.FULL, Optional.empty(), Optional.empty());

  /** What of a server's certificate is verified. */
  public enum Verification {
    /** That a trusted authority signed it, that it is in its time, and that it is for the host. */
    FULL("strict"),
    /** As {@link #FULL}, but it may be for any host. */
    CA("verify_ca"),
    /**
     * Nothing: whoever is in between reads and changes everything, the password included. For
     * finding out what is wrong with a certificate, not for use.
     */
    OFF("trust");

    private final String driverMode;

    Verification(String driverMode) {
      this.driverMode = driverMode;
    }

    /** The driver's name for it. */
    String driverMode() {
      return driverMode;
    }
  }

  private final Verification verification;
  private final Optional<String> authorities;
  private final Optional<ClientIdentity> client;

  private TlsSettings(
      Verification verification, Optional<String> authorities, Optional<ClientIdentity> client) {
    this.verification = verification;
    this.authorities = authorities;
    this.client = client;
  }

  /**
   * Changes what is verified.
   *
   * @param verification what of the server's certificate is verified
   * @return settings that differ in that
   */
  public TlsSettings withVerification(Verification verification) {
    return new TlsSettings(Objects.requireNonNull(verification), authorities, client);
  }

  /**
   * Trusts these authorities alone, and Java's trust store no more. With {@link Verification#OFF}
   * they mean nothing.
   *
   * @param pem certificates in PEM, one or several
   * @return settings that differ in that
   * @throws IllegalArgumentException when the text holds no certificate, or one that cannot be read
   */
  public TlsSettings withAuthorities(String pem) {
    return new TlsSettings(verification, Optional.of(Pem.text(Pem.certificates(pem))), client);
  }

  /**
   * Shows the server a certificate of the client.
   *
   * @param certificates the client's certificate in PEM, and those that lead to its authority
   * @param key the private key of the first certificate: PKCS #8 in PEM, not encrypted; RSA, EC or
   *     Ed25519
   * @return settings that differ in that
   * @throws IllegalArgumentException when a text does not hold this, or the key belongs to another
   *     certificate; the message shows nothing of the key
   */
  public TlsSettings withClient(String certificates, String key) {
    List<X509Certificate> chain = Pem.certificates(certificates);
    return new TlsSettings(
        verification,
        authorities,
        Optional.of(new ClientIdentity(Pem.text(chain), Pem.keyText(key, chain.get(0)))));
  }

  /**
   * Gives what is verified.
   *
   * @return what of the server's certificate is verified
   */
  public Verification verification() {
    return verification;
  }

  /** The authorities' certificates in PEM; empty for Java's own. */
  Optional<String> authorities() {
    return authorities;
  }

  /** The client's certificate and key; empty for none. */
  Optional<ClientIdentity> client() {
    return client;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TlsSettings settings
        && verification == settings.verification
        && authorities.equals(settings.authorities)
        && client.equals(settings.client);
  }

  @Override
  public int hashCode() {
    return Objects.hash(verification, authorities, client);
  }

  /** Tells what is set, without certificates and key. */
  @Override
  public String toString() {
    return "TlsSettings[verification=%s, authorities=%s, client=%s]"
        .formatted(
            verification,
            authorities.isPresent() ? "own" : "Java's",
            client.isPresent() ? "***" : "none");
  }

  /**
   * A client's certificate and its key as the driver takes them.
   *
   * @param certificates in PEM
   * @param key in PEM
   */
  record ClientIdentity(String certificates, String key) {
    @Override
    public String toString() {
      return "ClientIdentity[***]";
    }
  }
}
