package dev.statectl.clickhouse.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/**
 * Where a ClickHouse listens and as whom to talk to it. Queries go through the JDK's HTTP client
 * and never through what is tested, so tests see the tables with independent eyes. Thread-safe.
 *
 * @param host the host's name or address
 * @param port the HTTP port
 * @param secure whether it is HTTPS
 * @param user the user's name
 * @param password the user's password
 * @param database the database of names without one
 */
public record ClickHouseEndpoint(
    String host, int port, boolean secure, String user, String password, String database) {

  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();

  /**
   * This place as another user.
   *
   * @param name the user's name
   * @param secret the user's password
   * @return the endpoint
   */
  public ClickHouseEndpoint as(String name, String secret) {
    return new ClickHouseEndpoint(host, port, secure, name, secret, database);
  }

  /**
   * This place with another database.
   *
   * @param name the database's name
   * @return the endpoint
   */
  public ClickHouseEndpoint in(String name) {
    return new ClickHouseEndpoint(host, port, secure, user, password, name);
  }

  /**
   * The URI by which the product is configured, all parts percent-encoded.
   *
   * @return {@code clickhouse://user:password@host:port/database}, with {@code ?secure=true} for
   *     HTTPS
   */
  public String uri() {
    return "clickhouse://"
        + encoded(user)
        + ":"
        + encoded(password)
        + "@"
        + host
        + ":"
        + port
        + "/"
        + encoded(database)
        + (secure ? "?secure=true" : "");
  }

  /**
   * Runs one statement and returns its result as text.
   *
   * @param sql the statement; with {@code FORMAT TSVRaw} a value comes unescaped
   * @return the result, without the last line end; empty if there is none
   * @throws QueryFailed if ClickHouse answers with an error
   * @throws UncheckedIOException if there is no answer within two minutes
   */
  public String query(String sql) {
    HttpResponse<String> response = send(sql);
    if (response.statusCode() != 200) {
      int code =
          response
              .headers()
              .firstValue("X-ClickHouse-Exception-Code")
              .map(Integer::valueOf)
              .orElse(0);
      throw new QueryFailed(response.statusCode(), code, response.body().strip());
    }
    String text = response.body();
    return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
  }

  /**
   * Runs statements one after the other.
   *
   * @param statements the statements
   * @throws QueryFailed if ClickHouse answers one with an error; the later ones are not run
   * @throws UncheckedIOException if there is no answer within two minutes
   */
  public void execute(String... statements) {
    for (String sql : statements) {
      query(sql);
    }
  }

  private HttpResponse<String> send(String sql) {
    String credentials = user + ":" + password;
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(
                    (secure ? "https://" : "http://")
                        + host
                        + ":"
                        + port
                        + "/?wait_end_of_query=1&database="
                        + encoded(database)))
            .timeout(Duration.ofMinutes(2))
            .header(
                "Authorization",
                "Basic "
                    + Base64.getEncoder()
                        .encodeToString(credentials.getBytes(StandardCharsets.UTF_8)))
            .POST(HttpRequest.BodyPublishers.ofString(sql))
            .build();
    try {
      return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException("No answer from ClickHouse at " + host + ":" + port, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for ClickHouse", e);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Leaves out the password. */
  @Override
  public String toString() {
    return (secure ? "https://" : "http://") + user + "@" + host + ":" + port + "/" + database;
  }
}
