package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What operators get wrong, and what the command answers: one line, an exit code, no secret. */
class WrongInputTest {
  private static final String DOCUMENT = "{\"singer_state\":{}}";

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "postgres://me:secret@host/db | --uri: names no backend of statectl; write clickhouse://… or"
            + " memory:PATH",
        "clickhouse://me:secret@host:http/db | --uri, character 29: the port must be a number; write"
            + " HOST:PORT, an IPv6 address in brackets, and user and password before an @",
        "clickhouse://me:secret@host:99999/db | --uri, port: must be a whole number from 1 to 65535;"
            + " correct it there",
      })
  void aBadUri(String uri, String message) {
    assertThat(RunStatectl.in(directory).run("list", "--uri", uri))
        .isEqualTo(new Outcome(2, "", "statectl: " + message + "\n"));
  }

  @Test
  void allMistakesOfTheSettingsAtOnce() {
    Outcome outcome = RunStatectl.in(directory).run("list", "--uri", "clickhouse://host:99999");

    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().lines())
        .hasSize(3)
        .allMatch(line -> line.startsWith("statectl: "))
        .anyMatch(line -> line.contains("port"))
        .anyMatch(line -> line.contains("no database is set"))
        .anyMatch(line -> line.contains("no user is set"));
  }

  @Test
  void aWrongPassword() {
    ClickHouseEndpoint known = clickHouse.createUser("SELECT ON " + schema + ".*");
    String uri = known.as(known.user(), "secret").uri();
    String reason =
        "the server does not accept the user "
            + known.user()
            + " with this password (ClickHouse error 516); check user and password\n";

    assertThat(run(uri, "list"))
        .isEqualTo(new Outcome(6, "", "statectl: cannot read " + table() + ": " + reason));
    assertThat(run(uri, "set", "dev:a", DOCUMENT, "--force"))
        .isEqualTo(new Outcome(6, "", "statectl: cannot read " + table() + ": " + reason));
  }

  @Test
  void aDeadPort() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    String uri = "clickhouse://me:secret@127.0.0.1:" + port + "/db";
    String reason =
        "no connection, nobody listens there; check host and port, and that the server runs\n";

    assertThat(run(uri, "list"))
        .isEqualTo(new Outcome(7, "", "statectl: cannot read " + table(port) + ": " + reason));
    assertThat(run(uri, "set", "dev:a", DOCUMENT, "--force"))
        .isEqualTo(new Outcome(7, "", "statectl: cannot read " + table(port) + ": " + reason));
  }

  @ParameterizedTest
  @CsvSource({
    "404, HTTP status 404 instead of an answer from ClickHouse; check host and port",
    "200, the answer is not one of ClickHouse; check host and port",
  })
  void aPortOfAnotherWebServer(int status, String reason) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> welcome(exchange, status));
    server.start();
    try {
      int port = server.getAddress().getPort();

      assertThat(run("clickhouse://me:secret@127.0.0.1:" + port + "/db", "list"))
          .isEqualTo(
              new Outcome(7, "", "statectl: cannot read " + table(port) + ": " + reason + "\n"));
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aPortThatIsNoWebServer() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread server = new Thread(() -> greetAll(socket));
      server.setDaemon(true);
      server.start();
      int port = socket.getLocalPort();

      assertThat(run("clickhouse://me:secret@127.0.0.1:" + port + "/db", "list"))
          .isEqualTo(
              new Outcome(
                  7,
                  "",
                  "statectl: cannot read "
                      + table(port)
                      + ": "
                      + "the answer is not one of ClickHouse; check host and port"
                      + "\n"));
    }
  }

  @Test
  void anUnknownHost() {
    assertThat(run("clickhouse://me@no-such-host.invalid/db", "list"))
        .isEqualTo(
            new Outcome(
                7,
                "",
                "statectl: cannot read "
                    + schema
                    + ".state at no-such-host.invalid:8123: the host name is not known; check the"
                    + " host\n"));
  }

  @Test
  void aMissingDatabase() {
    ClickHouseEndpoint endpoint = clickHouse.endpoint();
    String uri = endpoint.in("no_such_database").uri();
    Outcome refused =
        new Outcome(
            1,
            "",
            "statectl: the database no_such_database to which the user "
                + endpoint.user()
                + " connects does not exist at "
                + place()
                + "; set the database to one that does (only the tables' own database, "
                + schema
                + ", is created when it is missing)\n");

    assertThat(run(uri, "list")).isEqualTo(refused);
    assertThat(run(uri, "set", "dev:a", DOCUMENT)).isEqualTo(refused);
  }

  @Test
  void aReadOnlyUserWhoWrites() {
    run(clickHouse.uri(), "set", "dev:a", DOCUMENT);
    ClickHouseEndpoint reader =
        clickHouse.createReadOnlyUser("SELECT, INSERT, ALTER DELETE ON " + schema + ".*");
    String reason =
        "the user "
            + reader.user()
            + " may only read (its profile says readonly) (ClickHouse error 164); use another user,"
            + " or ask the administrator to change its profile\n";

    assertThat(run(reader.uri(), "set", "dev:b", DOCUMENT))
        .isEqualTo(new Outcome(6, "", "statectl: cannot write to " + lockTable() + ": " + reason));
    assertThat(run(reader.uri(), "clear", "dev:a", "--force"))
        .isEqualTo(new Outcome(6, "", "statectl: cannot write to " + lockTable() + ": " + reason));
    assertThat(run(clickHouse.uri(), "list")).isEqualTo(new Outcome(0, "dev:a\n", ""));
  }

  @Test
  void aUserWithoutTheRightToWrite() {
    run(clickHouse.uri(), "set", "dev:a", DOCUMENT);
    ClickHouseEndpoint reader = clickHouse.createUser("SELECT ON " + schema + ".*");

    assertThat(run(reader.uri(), "set", "dev:b", DOCUMENT))
        .isEqualTo(
            new Outcome(
                6,
                "",
                "statectl: cannot write to "
                    + lockTable()
                    + ": the user "
                    + reader.user()
                    + " lacks a right; an administrator can grant it: GRANT INSERT ON "
                    + schema
                    + ".state_lock TO "
                    + reader.user()
                    + "\n"));
  }

  @Test
  void malformedJson() throws IOException {
    Files.writeString(directory.resolve("state.json"), "{\n  \"singer_state\": {\n    \"a\": 01\n");

    assertThat(run(clickHouse.uri(), "set", "dev:a", "--input-file=state.json"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: state.json: line 3, column 11: unexpected '1'; nothing was changed\n"));
  }

  @Test
  void jsonWithoutASingerState() {
    assertThat(run(clickHouse.uri(), "set", "dev:a", "{\"bookmarks\": {}}"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: STATE: at /singer_state: missing at the top of the document"
                    + " (--no-validate stores it all the same); nothing was changed\n"));
  }

  @Test
  void aDamagedSnapshot() throws IOException {
    Path snapshot = directory.resolve("snapshot.json");
    Files.writeString(snapshot, "{\"dev:a\": {\"completed\": {\"singer_state\"");
    Outcome refused =
        new Outcome(
            1,
            "",
            "statectl: the snapshot file "
                + snapshot
                + " is damaged: line 1, column 40: the text ends before the JSON does; it was left"
                + " as it is: mend it, or move it away to start without states\n");

    assertThat(run("memory:snapshot.json", "list")).isEqualTo(refused);
    assertThat(run("memory:snapshot.json", "set", "dev:b", DOCUMENT, "--force")).isEqualTo(refused);
    assertThat(snapshot).hasContent("{\"dev:a\": {\"completed\": {\"singer_state\"");
  }

  @Test
  void aColumnThatHoldsAList() {
    run(clickHouse.uri(), "set", "dev:a", DOCUMENT);
    clickHouse.execute(
        "INSERT INTO " + schema + ".state (state_id, completed_state) VALUES ('dev:b', '[]')");

    assertThat(run(clickHouse.uri(), "get", "dev:b"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: the state of 'dev:b' cannot be read: column completed_state: line 1,"
                    + " column 1: expected an object, found an array (nothing was changed; set the"
                    + " state anew or clear it)\n"));
    assertThat(run(clickHouse.uri(), "list")).isEqualTo(new Outcome(0, "dev:a\ndev:b\n", ""));
  }

  private Outcome run(String uri, String... args) {
    return RunStatectl.in(directory)
        .variable("MELTANO_STATE_BACKEND_URI", uri)
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema)
        .run(args);
  }

  private String place() {
    return clickHouse.endpoint().host() + ":" + clickHouse.endpoint().port();
  }

  // Where a write begins.
  private String lockTable() {
    return schema + ".state_lock at " + place();
  }

  private String table() {
    return schema + ".state at " + place();
  }

  private String table(int port) {
    return schema + ".state at 127.0.0.1:" + port;
  }

  private static void welcome(HttpExchange exchange, int status) throws IOException {
    byte[] body = "<html>welcome</html>".getBytes(StandardCharsets.UTF_8);
    exchange.getRequestBody().readAllBytes();
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static void greetAll(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        socket.getOutputStream().write("SSH-2.0-x\r\n".getBytes(StandardCharsets.US_ASCII));
      } catch (IOException e) {
        // The test is over, or the client is gone; the next one is greeted in any case.
        continue;
      }
    }
  }
}
