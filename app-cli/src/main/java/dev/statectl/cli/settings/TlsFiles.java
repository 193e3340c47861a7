package dev.statectl.cli.settings;

import dev.statectl.clickhouse.TlsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the certificates and the key that settings name, or hold themselves. */
final class TlsFiles {
  /** No certificate's or key's file; one that was meant to be another is not read to its end. */
  private static final int LONGEST = 1_000_000;

  private static final String PEM = "-----BEGIN ";
  private static final List<Setting> NEED_TLS =
      List.of(Setting.VERIFY, Setting.CA_CERT, Setting.CLIENT_CERT, Setting.CLIENT_CERT_KEY);

  /** Takes in what is wrong with a setting. */
  interface Report {
    void add(Setting setting, Candidate value, String what);
  }

  private final SettingLayers layers;
  private final Report report;

  TlsFiles(SettingLayers layers, Report report) {
    this.layers = layers;
    this.report = report;
  }

  /** Gives what is trusted and shown; what is wrong is reported and left out. */
  TlsSettings read(Map<Setting, Candidate> chosen) {
    Candidate secure = chosen.get(Setting.SECURE);
    if (secure == null || !ConnectionDraft.isTrue(secure.text())) {
      for (Setting setting : NEED_TLS) {
        Candidate value = chosen.get(setting);
        if (value != null && value.origin().layer() != Origin.Layer.DEFAULT) {
          report.add(setting, value, "is for connections with TLS, and secure is not set");
        }
      }
      return TlsSettings.DEFAULT;
    }
    return withClient(withAuthorities(TlsSettings.DEFAULT, chosen), chosen);
  }

  private TlsSettings withAuthorities(TlsSettings tls, Map<Setting, Candidate> chosen) {
    String pem = text(Setting.CA_CERT, chosen);
    if (pem != null) {
      try {
        return tls.withAuthorities(pem);
      } catch (IllegalArgumentException e) {
        report(Setting.CA_CERT, chosen, e);
      }
    }
    return tls;
  }

  private TlsSettings withClient(TlsSettings tls, Map<Setting, Candidate> chosen) {
    Candidate certificate = chosen.get(Setting.CLIENT_CERT);
    Candidate key = chosen.get(Setting.CLIENT_CERT_KEY);
    if (certificate == null || key == null) {
      if (certificate != null) {
        report.add(Setting.CLIENT_CERT, certificate, "needs client_cert_key, which is not set");
      } else if (key != null) {
        report.add(Setting.CLIENT_CERT_KEY, key, "needs client_cert, which is not set");
      }
      return tls;
    }
    String certificates = text(Setting.CLIENT_CERT, chosen);
    String keyText = text(Setting.CLIENT_CERT_KEY, chosen);
    if (certificates == null || keyText == null) {
      return tls;
    }
    try {
      // Its certificates alone first, so that each mistake is told by its own setting.
      TlsSettings.DEFAULT.withAuthorities(certificates);
    } catch (IllegalArgumentException e) {
      report(Setting.CLIENT_CERT, chosen, e);
      return tls;
    }
    try {
      return tls.withClient(certificates, keyText);
    } catch (IllegalArgumentException e) {
      report(Setting.CLIENT_CERT_KEY, chosen, e);
      return tls;
    }
  }

  private void report(
      Setting setting, Map<Setting, Candidate> chosen, IllegalArgumentException mistake) {
    report.add(setting, chosen.get(setting), String.valueOf(mistake.getMessage()));
  }

  /** The text of a file, or of a value that is no path; null when there is none. */
  private @Nullable String text(Setting setting, Map<Setting, Candidate> chosen) {
    Candidate value = chosen.get(setting);
    if (value == null || value.text().contains(PEM)) {
      return value == null ? null : value.text();
    }
    String what;
    try (InputStream in = Files.newInputStream(layers.baseOf(value).resolve(value.text()))) {
      byte[] bytes = in.readNBytes(LONGEST + 1);
      if (bytes.length <= LONGEST) {
        // Other bytes than those of ASCII only stand between what is read.
        return new String(bytes, StandardCharsets.ISO_8859_1);
      }
      what = "names a file of more than " + LONGEST + " bytes, which is no PEM file";
    } catch (NoSuchFileException | InvalidPathException e) {
      what = "names no file that is there";
    } catch (IOException e) {
      what = "names a file that cannot be read";
    }
    report.add(setting, value, what);
    return null;
  }
}
