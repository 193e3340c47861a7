package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsServer;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
  private final TestClickHouse clickHouse = TestClickHouse.shared();

  /** In a JVM of its own, since a JVM reads its trust store once. */
  @Test
  void aServerWhoseCertificateIsTrustedIsSpokenToOverTls(@TempDir Path directory) throws Exception {
    HttpsServer server = TlsServer.create(directory);
    HttpClient http = HttpClient.newHttpClient();
    server.createContext("/", exchange -> pass(exchange, http));
    server.start();
    String schema = clickHouse.freshSchema();
    ClickHouseEndpoint endpoint = clickHouse.endpoint();
    Path errors = directory.resolve("errors");
    try {
      Process client =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Djavax.net.ssl.trustStore=" + TlsServer.keys(directory),
                  "-Djavax.net.ssl.trustStorePassword=" + TlsServer.PASSWORD,
                  "-cp",
                  System.getProperty("java.class.path"),
                  Client.class.getName(),
                  Integer.toString(server.getAddress().getPort()),
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
    } finally {
      server.stop(0);
    }
    assertThat(clickHouse.query("SELECT state_id FROM " + schema + ".state")).isEqualTo("a");
  }

  private void pass(HttpExchange exchange, HttpClient http) throws IOException {
    ClickHouseEndpoint endpoint = clickHouse.endpoint();
    List<String> headers = new ArrayList<>();
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (!List.of("Host", "Connection", "Content-length").contains(name)) {
                headers.addAll(List.of(name, values.get(0)));
              }
            });
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(
                    (endpoint.secure() ? "https" : "http")
                        + "://"
                        + endpoint.host()
                        + ":"
                        + endpoint.port()
                        + exchange.getRequestURI()))
            .headers(headers.toArray(String[]::new))
            .POST(HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()))
            .build();
    try (exchange) {
      HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
      answer
          .headers()
          .map()
          .forEach(
              (name, values) -> {
                if (name.toLowerCase(java.util.Locale.ROOT).startsWith("x-")) {
                  exchange.getResponseHeaders().put(name, values);
                }
              });
      int length = answer.body().length;
      exchange.sendResponseHeaders(answer.statusCode(), length == 0 ? -1 : length);
      exchange.getResponseBody().write(answer.body());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
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
