package dev.statectl.clickhouse;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * Where a server listens. Immutable.
 *
 * @param host the server's name or address; an IPv6 address with or without brackets
 * @param port the port of its HTTP or HTTPS interface, 1 to 65535
 */
public record ServerAddress(String host, int port) {
  /**
   * Checks the address.
   *
   * @param host the server's name or address; an IPv6 address with or without brackets
   * @param port the port of its HTTP or HTTPS interface, 1 to 65535
   * @throws IllegalArgumentException when the host cannot be one, or the port is out of range
   */
  public ServerAddress {
    if (host.isBlank()) {
      throw new IllegalArgumentException("host must not be blank");
    }
    requireHost(host);
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("port must be from 1 to 65535, not " + port);
    }
  }

  /**
   * Tells whether the host is this machine itself, so that nobody on the way can listen. By its
   * name alone; nothing is looked up.
   *
   * @return true when the host is {@code localhost}, a name below that, or a loopback address
   */
  public boolean isLoopback() {
    String name = host.toLowerCase(Locale.ROOT);
    return name.equals("localhost")
        || name.endsWith(".localhost")
        || name.matches("127(\\.[0-9]{1,3}){3}")
        || name.matches("\\[?(0*:)+0*1]?");
  }

  /** Gives the address as it stands in URLs, as in {@code ch.example.com:8443}. */
  @Override
  public String toString() {
    return bracketed(host) + ":" + port;
  }

  private static void requireHost(String host) {
    try {
      if (bracketed(host).equals(new URI("http://" + bracketed(host) + ":1/").getHost())) {
        return;
      }
    } catch (URISyntaxException e) {
      // Reported below, like a host that is not one.
    }
    throw new IllegalArgumentException(
        "host must be a name of letters, digits, '-' and '.', or an address, not '" + host + "'");
  }

  private static String bracketed(String host) {
    return host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
  }
}
