package dev.statectl.clickhouse;

import java.net.SocketException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * Why the two sides did not trust each other; the words name the settings as they are known to
 * users. Each is a failure in which no request was read by the server.
 */
final class TlsFault {
  private static final String ALERT = "Received fatal alert: ";

  private final ClickHouseSettings settings;

  TlsFault(ClickHouseSettings settings) {
    this.settings = settings;
  }

  /** Why there was no trust; empty when that is not what failed. */
  Optional<ClickHouseErrors.Reason> of(Throwable thrown) {
    if (find(thrown, SSLPeerUnverifiedException.class) != null) {
      return reason(
          "the server's certificate is for another host",
          "check the host; verify=ca accepts any host that the authority has signed");
    }
    if (find(thrown, CertificateExpiredException.class) != null) {
      return reason(
          "the server's certificate has expired", "renew it there, or check this machine's clock");
    }
    if (find(thrown, CertificateNotYetValidException.class) != null) {
      return reason("the server's certificate is not valid yet", "check this machine's clock");
    }
    if (find(thrown, CertPathBuilderException.class) != null) {
      return reason(
          "no authority that is trusted here has signed the server's certificate",
          settings.tls().authorities().isPresent()
              ? "check that ca_cert holds the certificate of its authority"
              : "set ca_cert to the certificate of its authority, or add that to Java's trust"
                  + " store");
    }
    SSLHandshakeException handshake = find(thrown, SSLHandshakeException.class);
    if (handshake == null) {
      return Optional.empty();
    }
    String message = String.valueOf(handshake.getMessage());
    return message.startsWith(ALERT)
        ? reason("the server refused with " + alert(message), clientAdvice())
        : reason("both sides found no common way", "check host, port and secure (true)");
  }

  /**
   * Why a connection with TLS broke off without an answer, which may be for trust: a server can end
   * it with nothing said when it does not like the client's certificate.
   */
  Optional<ClickHouseErrors.Reason> ofBreakOff(Throwable thrown) {
    return settings.secure() && find(thrown, SocketException.class) != null
        ? Optional.of(
            new ClickHouseErrors.Reason(
                "the connection broke off",
                "check host and port, or try again; " + clientAdvice(),
                true))
        : Optional.empty();
  }

  private String clientAdvice() {
    return settings.tls().client().isPresent()
        ? "check that the server trusts the authority of client_cert"
        : "a server may want a client's certificate: set client_cert and client_cert_key";
  }

  // The names of alerts are fixed words of TLS; what else a server could make of it is left out.
  private static String alert(String message) {
    String alert = message.substring(ALERT.length());
    return alert.matches("[a-z_]{1,40}") ? alert : "an alert";
  }

  private static Optional<ClickHouseErrors.Reason> reason(String text, String advice) {
    return Optional.of(new ClickHouseErrors.Reason("TLS failed, " + text, advice));
  }

  private static <T> @Nullable T find(Throwable thrown, Class<T> kind) {
    return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
        .filter(kind::isInstance)
        .map(kind::cast)
        .findFirst()
        .orElse(null);
  }
}
