package dev.statectl.clickhouse;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads certificates and keys in PEM, before the driver does: it says of any mistake only that a
 * connection could not be made.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7468">RFC 7468</a>
 */
final class Pem {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");
  private static final byte[] PROBE = "statectl".getBytes(StandardCharsets.US_ASCII);

  private Pem() {}

  /**
   * Reads all certificates of a text; other blocks are passed over.
   *
   * @throws IllegalArgumentException when there is none, or one that cannot be read
   */
  static List<X509Certificate> certificates(String pem) {
    List<X509Certificate> certificates = new ArrayList<>();
    Matcher block = BLOCK.matcher(pem);
    while (block.find()) {
      if (block.group(1).equals("CERTIFICATE")) {
        certificates.add(certificate(block.group(2), certificates.size() + 1));
      }
    }
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException(
          "holds no certificate in PEM (-----BEGIN CERTIFICATE-----)");
    }
    return certificates;
  }

  private static X509Certificate certificate(String base64, int number) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(decoded(base64)));
    } catch (CertificateException | IllegalArgumentException e) {
      throw new IllegalArgumentException("certificate " + number + " in it is damaged");
    }
  }

  /** Writes certificates one behind the other. */
  static String text(List<X509Certificate> certificates) {
    StringBuilder text = new StringBuilder();
    for (X509Certificate certificate : certificates) {
      try {
        append(text, "CERTIFICATE", certificate.getEncoded());
      } catch (CertificateException e) {
        throw new IllegalStateException(e);
      }
    }
    return text.toString();
  }

  /**
   * Reads a private key and writes it as the driver needs it, with the algorithm as the label:
   * without, the driver takes every key for one of RSA.
   *
   * @throws IllegalArgumentException when there is none that can be used, or it does not belong to
   *     the certificate
   */
  static String keyText(String pem, X509Certificate certificate) {
    Matcher block = BLOCK.matcher(pem);
    String unusable = "";
    while (block.find()) {
      String label = block.group(1);
      if (label.equals("PRIVATE KEY")) {
        PrivateKey key = key(block.group(2), certificate);
        StringBuilder text = new StringBuilder();
        append(text, key.getAlgorithm() + " PRIVATE KEY", key.getEncoded());
        return text.toString();
      }
      if (label.endsWith("PRIVATE KEY")) {
        unusable = label;
      }
    }
    throw new IllegalArgumentException(
        (unusable.isEmpty()
                ? "holds no private key in PEM (-----BEGIN PRIVATE KEY-----)"
                : "holds a key of another form (" + unusable + ")")
            + (unusable.isEmpty()
                ? ""
                : "; convert it with: openssl pkcs8 -topk8 -nocrypt -in OLD -out NEW"));
  }

  private static PrivateKey key(String base64, X509Certificate certificate) {
    // Named as the certificate's public key is: EC, RSA, EdDSA.
    String algorithm = certificate.getPublicKey().getAlgorithm();
    PrivateKey key;
    try {
      key =
          KeyFactory.getInstance(algorithm)
              .generatePrivate(new PKCS8EncodedKeySpec(decoded(base64)));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "holds a damaged key, or one of another kind than the certificate's, which is "
              + algorithm);
    }
    if (!belongs(key, certificate)) {
      throw new IllegalArgumentException("holds the key of another certificate");
    }
    return key;
  }

  private static boolean belongs(PrivateKey key, X509Certificate certificate) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(PROBE);
      byte[] signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(PROBE);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static byte[] decoded(String base64) {
    return Base64.getDecoder().decode(base64.replaceAll("\\s", ""));
  }

  private static void append(StringBuilder text, String label, byte[] bytes) {
    text.append("-----BEGIN ")
        .append(label)
        .append("-----\n")
        .append(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes))
        .append("\n-----END ")
        .append(label)
        .append("-----\n");
  }
}
