package dev.statectl.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The versions that the build wrote down, and that of Java: no class of the driver is loaded. */
final class VersionProvider implements IVersionProvider {
  private static final String RESOURCE = "version.properties";

  @Override
  public String[] getVersion() throws IOException {
    Properties versions = new Properties();
    try (InputStream in = VersionProvider.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("missing in the jar: " + RESOURCE);
      }
      versions.load(in);
    }
    return new String[] {
      "statectl " + versions.getProperty("statectl"),
      "clickhouse-jdbc " + versions.getProperty("clickhouse-jdbc"),
      "Java " + System.getProperty("java.version")
    };
  }
}
