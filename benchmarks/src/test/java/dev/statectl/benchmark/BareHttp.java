package dev.statectl.benchmark;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Sends recorded requests again with the JDK's HTTP client, byte for byte, and reads the answers to
 * their end without looking at them: what the engine and the wire take. One connection, which is
 * kept.
 */
final class BareHttp {
  /** What the client sets by itself. */
  private static final Set<String> ITS_OWN =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "host",
          "keep-alive",
          "transfer-encoding",
          "upgrade");

  private final ClickHouseEndpoint server;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final byte[] buffer = new byte[1 << 16];

  BareHttp(ClickHouseEndpoint server) {
    this.server = server;
  }

  /** Makes a request ready, which is no part of what is timed. */
  HttpRequest prepared(RecordedRequest recorded) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address() + recorded.target()))
            .timeout(Duration.ofMinutes(5))
            .POST(HttpRequest.BodyPublishers.ofByteArray(recorded.body()));
    for (Map.Entry<String, String> header : recorded.headers()) {
      if (!ITS_OWN.contains(header.getKey().toLowerCase(Locale.ROOT))) {
        request.header(header.getKey(), header.getValue());
      }
    }
    return request.build();
  }

  /** A request of one's own, as the user who may do everything. */
  HttpRequest request(String parameters, byte[] body) {
    return HttpRequest.newBuilder(URI.create(address() + "/?" + parameters))
        .timeout(Duration.ofMinutes(5))
        .header("X-ClickHouse-User", server.user())
        .header("X-ClickHouse-Key", server.password())
        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
        .build();
  }

  private String address() {
    return "http://" + server.host() + ":" + server.port();
  }

  /** Sends them one after the other; the first row is the first byte of the first answer's body. */
  Operation.Run send(List<HttpRequest> requests) {
    long start = System.nanoTime();
    long first = 0;
    for (HttpRequest request : requests) {
      long at = send(request);
      first = first == 0 ? at : first;
    }
    return new Operation.Run(System.nanoTime() - start, first - start);
  }

  /** Sends one, and gives the time at which the first byte was there. */
  private long send(HttpRequest request) {
    try {
      HttpResponse<InputStream> response =
          client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        if (response.statusCode() != 200) {
          throw new IllegalStateException(
              "ClickHouse answered a request that was recorded with "
                  + response.statusCode()
                  + ": "
                  + new String(body.readNBytes(2_000), StandardCharsets.UTF_8));
        }
        int read = body.read(buffer);
        long first = System.nanoTime();
        while (read >= 0) {
          read = body.read(buffer);
        }
        return first;
      }
    } catch (IOException e) {
      throw new IllegalStateException("No answer from ClickHouse", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }
}
