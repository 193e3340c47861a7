package dev.statectl.clickhouse.engine;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Signs certificates for tests; nobody trusts it unless told to. Thread-safe. */
public final class TestAuthority {
  /** The password of every key store that tests write. */
  public static final String PASSWORD = "changeit";

  private final Identity own;

  private TestAuthority(Identity own) {
    this.own = own;
  }

  /**
   * Makes an authority.
   *
   * @param name its common name
   * @return the authority
   */
  public static TestAuthority create(String name) {
    KeyPair keys = keys("EC");
    Instant now = Instant.now();
    return new TestAuthority(
        new Identity(
            keys.getPrivate(),
            certificate(
                name, name, keys, keys.getPrivate(), now, now.plus(Duration.ofDays(1)), true)));
  }

  /**
   * Signs a certificate for an hour from now.
   *
   * @param name its common name
   * @param names for which hosts it is: names, or addresses as {@code ip:127.0.0.1}
   * @return the certificate and its key
   */
  public Identity issue(String name, String... names) {
    return issue("EC", name, Instant.now().plus(Duration.ofHours(1)), names);
  }

  /**
   * Signs a certificate.
   *
   * @param algorithm that of its key: EC, RSA, Ed25519
   * @param name its common name
   * @param until when it expires
   * @param names for which hosts it is: names, or addresses as {@code ip:127.0.0.1}
   * @return the certificate and its key
   */
  public Identity issue(String algorithm, String name, Instant until, String... names) {
    KeyPair keys = keys(algorithm);
    String issuer = own.certificate().getSubjectX500Principal().getName().substring(3);
    return new Identity(
        keys.getPrivate(),
        certificate(
            name, issuer, keys, own.key(), until.minus(Duration.ofDays(2)), until, false, names));
  }

  /**
   * Makes a certificate that only its own key has signed.
   *
   * @param name its common name
   * @param names for which hosts it is: names, or addresses as {@code ip:127.0.0.1}
   * @return the certificate and its key
   */
  public static Identity selfSigned(String name, String... names) {
    KeyPair keys = keys("EC");
    Instant now = Instant.now();
    return new Identity(
        keys.getPrivate(),
        certificate(
            name,
            name,
            keys,
            keys.getPrivate(),
            now.minus(Duration.ofDays(1)),
            now.plus(Duration.ofDays(1)),
            false,
            names));
  }

  /**
   * The certificate to trust.
   *
   * @return the authority's own certificate
   */
  public X509Certificate certificate() {
    return own.certificate();
  }

  /**
   * The certificate to trust, as files hold it.
   *
   * @return the authority's own certificate in PEM
   */
  public String pem() {
    return own.certificatePem();
  }

  /**
   * Writes a key store that trusts this authority.
   *
   * @param file where to
   * @return the file
   */
  public Path writeTrustStore(Path file) {
    try (OutputStream out = Files.newOutputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setCertificateEntry("authority", certificate());
      store.store(out, PASSWORD.toCharArray());
      return file;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyPair keys(String algorithm) {
    try {
      return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static X509Certificate certificate(
      String name,
      String issuer,
      KeyPair keys,
      PrivateKey signer,
      Instant from,
      Instant until,
      boolean authority,
      String... names) {
    JcaX509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            new X500Name("CN=" + issuer),
            new BigInteger(64, new SecureRandom()),
            Date.from(from),
            Date.from(until),
            new X500Name("CN=" + name),
            keys.getPublic());
    try {
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
      if (names.length > 0) {
        builder.addExtension(
            Extension.subjectAlternativeName,
            false,
            new GeneralNames(
                Arrays.stream(names).map(TestAuthority::name).toArray(GeneralName[]::new)));
      }
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer)));
    } catch (CertIOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static GeneralName name(String text) {
    return text.startsWith("ip:")
        ? new GeneralName(GeneralName.iPAddress, text.substring(3))
        : new GeneralName(GeneralName.dNSName, text);
  }

  /**
   * A certificate and its key.
   *
   * @param key the key
   * @param certificate the certificate
   */
  public record Identity(PrivateKey key, X509Certificate certificate) {
    /**
     * The certificate as files hold it.
     *
     * @return the certificate in PEM
     */
    public String certificatePem() {
      try {
        return pem("CERTIFICATE", certificate.getEncoded());
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }

    /**
     * The key as files hold it.
     *
     * @return PKCS #8 in PEM
     */
    public String keyPem() {
      return pem("PRIVATE KEY", key.getEncoded());
    }

    private static String pem(String label, byte[] bytes) {
      return "-----BEGIN %s-----\n%s\n-----END %1$s-----\n"
          .formatted(label, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes));
    }
  }
}
