package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestAuthority;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.clickhouse.engine.TlsFront;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads and writes fail in the same way: each write reads first. */
class UnreachableTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @Test
  void openingSendsNothing() {
    try (ClickHouseBackend backend = ClickHouseBackend.open(settings("127.0.0.1", 1, false))) {
      assertThat(backend.target()).isEqualTo("127.0.0.1:1 meltano.state");
    }
  }

  @Test
  void deadPort() {
    assertUnavailable(
        settings("127.0.0.1", 1, false),
        "cannot read meltano.state at 127.0.0.1:1: no connection, nobody listens there; check host"
            + " and port, and that the server runs");
  }

  @Test
  void unknownHost() {
    assertUnavailable(
        settings("no-such-host.invalid", 8123, false),
        "cannot read meltano.state at no-such-host.invalid:8123: the host name is not known; check"
            + " the host");
  }

  @ParameterizedTest
  @CsvSource({"200", "301", "400", "401", "403", "404", "500", "502", "504"})
  void aServerThatIsNotClickHouse(int status) throws Exception {
    HttpServer server = HttpServer.create(ANY_PORT, 0);
    int port = answering(server, status, "<html><body>It works! Or does it?</body></html>");
    try {
      String reason =
          switch (status) {
            case 200, 301 -> "the answer is not one of ClickHouse; check host and port";
            case 502, 504 ->
                "HTTP status " + status + " instead of an answer from ClickHouse; try again later";
            default ->
                "HTTP status "
                    + status
                    + " instead of an answer from ClickHouse; check host and port";
          };
      assertUnavailable(
          settings("127.0.0.1", port, false),
          "cannot read meltano.state at 127.0.0.1:%d: %s".formatted(port, reason));
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aServerThatAnswersNothingWithStatus200() throws Exception {
    HttpServer server = HttpServer.create(ANY_PORT, 0);
    int port = answering(server, 200, "");
    try {
      assertUnavailable(
          settings("127.0.0.1", port, false),
          "cannot read meltano.state at 127.0.0.1:"
              + port
              + ": the answer is not one of ClickHouse; check host and port");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aProxyWithoutAServerBehindIt() throws Exception {
    HttpServer server = HttpServer.create(ANY_PORT, 0);
    int port = answering(server, 503, "<html>no upstream</html>");
    try (ClickHouseBackend backend = ClickHouseBackend.open(settings("127.0.0.1", port, false))) {
      assertThatThrownBy(() -> backend.states().find(StateId.of("a")))
          .isInstanceOf(StateFailure.Unavailable.class)
          .hasMessage(
              "cannot read meltano.state at 127.0.0.1:%d: HTTP status 503 instead of an answer from"
                  + " ClickHouse; try again later",
              port);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aServerThatKeepsSilent() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      assertUnavailable(
          settings("127.0.0.1", silent.getLocalPort(), false),
          "cannot read meltano.state at 127.0.0.1:"
              + silent.getLocalPort()
              + ": no answer within 1 s; try again, or raise the request timeout");
    }
  }

  @Test
  void tlsToAPortWithoutTls() {
    ClickHouseEndpoint plain = TestClickHouse.shared().endpoint();
    assertUnavailable(
        settings(plain.host(), plain.port(), true),
        "cannot read meltano.state at %s:%d: ".formatted(plain.host(), plain.port())
            + "no answer to TLS within 1 s; check host, port and secure (true)");
  }

  @Test
  void plainHttpToAPortWithTls() {
    try (TlsFront front =
        TlsFront.of(
            TestClickHouse.shared().endpoint(),
            TestAuthority.selfSigned("localhost", "ip:127.0.0.1"),
            null)) {
      assertThatThrownBy(() -> find(settings("127.0.0.1", front.endpoint().port(), false)))
          .isInstanceOf(StateFailure.Unavailable.class)
          .hasMessageMatching(
              "cannot read meltano\\.state at 127\\.0\\.0\\.1:\\d+: "
                  // Newer versions of Java send an alert before they close the connection.
                  + "(the answer is not one of ClickHouse; check host and port"
                  + "|the connection was closed without an answer; check host, port and secure"
                  + " \\(false\\))");
    }
  }

  @Test
  void theUsersOwnDatabaseIsMissing() {
    ClickHouseEndpoint endpoint = TestClickHouse.shared().endpoint();
    String schema = TestClickHouse.shared().freshSchema();
    ClickHouseSettings settings = TestStores.settings(endpoint.in("no_such_database"), schema);
    String message =
        "the database no_such_database to which the user %s connects does not exist at %s:%d; set"
                .formatted(endpoint.user(), endpoint.host(), endpoint.port())
            + " the database to one that does (only the tables' own database, "
            + schema
            + ", is created when it is missing)";
    try (ClickHouseBackend backend = ClickHouseBackend.open(settings)) {
      StateStore store = backend.states();
      assertThatThrownBy(() -> store.find(StateId.of("a")))
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessage(message);
      assertThatThrownBy(() -> store.save(TestStores.state("a", "{}")))
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessage(message);
      assertThatThrownBy(() -> store.saveAll(List.of(TestStores.state("a", "{}"))))
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessage(message);
      assertThatThrownBy(() -> TestStores.ids(store, "*"))
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessage(message);
    }
  }

  private static void find(ClickHouseSettings settings) {
    try (ClickHouseBackend backend = ClickHouseBackend.open(settings)) {
      backend.states().find(StateId.of("a"));
    }
  }

  private static void assertUnavailable(ClickHouseSettings settings, String message) {
    try (ClickHouseBackend backend = ClickHouseBackend.open(settings)) {
      StateStore store = backend.states();
      assertThatThrownBy(() -> store.find(StateId.of("a")))
          .isInstanceOf(StateFailure.Unavailable.class)
          .hasMessage(message);
      assertThatThrownBy(() -> store.save(TestStores.state("a", "{}")))
          .isInstanceOf(StateFailure.Unavailable.class)
          .hasMessage(message);
      assertThatThrownBy(() -> TestStores.ids(store, "*"))
          .isInstanceOf(StateFailure.Unavailable.class)
          .hasMessage(message);
    }
  }

  private static ClickHouseSettings settings(String host, int port, boolean secure) {
    return new ClickHouseSettings(
        host,
        port,
        secure,
        "default",
        "meltano",
        "secret",
        "meltano",
        "state",
        Duration.ofSeconds(1),
        Duration.ofSeconds(1));
  }

  private static int answering(HttpServer server, int status, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.getResponseHeaders().set("Content-Type", "text/html");
          exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    return server.getAddress().getPort();
  }
}
