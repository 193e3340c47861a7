package dev.statectl.clickhouse.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LocalClickHouseTest {
  private static final String VERSION = " (version 26.5.1.1 (official build))";
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir private static Path directory;
  private static LocalClickHouse engine;
  private static ClickHouseEndpoint admin;
  private static final AtomicInteger USERS = new AtomicInteger();

  @BeforeAll
  static void start() {
    engine = LocalClickHouse.start(directory);
    admin = engine.endpoint();
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @BeforeEach
  void freshTable() {
    admin.execute(
        "DROP TABLE IF EXISTS t",
        "CREATE TABLE t (k String, v String, n UInt64 DEFAULT 0)"
            + " ENGINE = ReplacingMergeTree(n) ORDER BY k");
  }

  @Test
  void isTheRealEngine() {
    assertThat(admin.query("SELECT version()")).isEqualTo("26.5.1.1");
    assertThat(
            admin.query(
                "SELECT currentDatabase(), engine FROM system.databases"
                    + " WHERE name = currentDatabase()"))
        .isEqualTo("testing\tAtomic");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void theDriverWritesReadsAndDeletes(String compress) throws SQLException {
    String odd = "it's \\ \"odd\"\n\t;{x} – 😀";
    try (Connection connection = connect(compress)) {
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO t (k, v, n) VALUES (?, ?, ?)")) {
        for (int version = 1; version <= 2; version++) {
          insert.setString(1, "a");
          insert.setString(2, odd + version);
          insert.setInt(3, version);
          assertThat(insert.executeUpdate()).isEqualTo(1);
        }
      }
      assertThat(select(connection)).containsExactly(odd + "2");
      try (Statement delete = connection.createStatement()) {
        delete.executeUpdate("DELETE FROM t WHERE k = 'a'");
      }
      assertThat(select(connection)).isEmpty();
      assertThat(admin.query("SELECT count() FROM t")).isEqualTo("0");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void theDriverSeesTheErrorCode(String compress) throws SQLException {
    try (Connection connection = connect(compress);
        Statement statement = connection.createStatement()) {
      SQLException failure =
          catchThrowableOfType(
              SQLException.class, () -> statement.executeQuery("SELECT * FROM missing"));
      assertThat(failure.getErrorCode()).isEqualTo(60);
      assertThat(failure.getMessage())
          .startsWith(
              "Code: 60. DB::Exception: Unknown table expression identifier 'missing' in scope"
                  + " SELECT * FROM missing. (UNKNOWN_TABLE)"
                  + VERSION);
    }
  }

  private static Connection connect(String compress) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", admin.user());
    properties.setProperty("password", admin.password());
    properties.setProperty("compress", compress);
    return DriverManager.getConnection(
        "jdbc:clickhouse:http://" + admin.host() + ":" + admin.port() + "/" + admin.database(),
        properties);
  }

  private static List<String> select(Connection connection) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Statement select = connection.createStatement();
        ResultSet rows = select.executeQuery("SELECT v FROM t FINAL ORDER BY k")) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  @Test
  void settingsOfARequestDoNotReachTheNext() throws Exception {
    String get = "SELECT getSetting('max_block_size')";
    String before = admin.query(get);
    assertThat(before).isNotEqualTo("7");

    assertThat(body(post("max_block_size=7", get))).isEqualTo("7\n");
    assertThat(post("max_block_size=7", "SELECT nonsense").statusCode()).isEqualTo(404);

    for (int i = 0; i < 20; i++) {
      assertThat(admin.query(get)).isEqualTo(before);
    }
  }

  @Test
  void anUnknownSettingIsRefused() throws Exception {
    HttpResponse<byte[]> response = post("no_such_setting=1", "INSERT INTO t (k) VALUES ('a')");

    assertError(
        response,
        404,
        115,
        "Code: 115. DB::Exception: Unknown setting 'no_such_setting'." + " (UNKNOWN_SETTING)");
    assertThat(admin.query("SELECT count() FROM t")).isEqualTo("0");
  }

  @Test
  void parametersAreBoundAsAServerReadsThem() throws Exception {
    HttpResponse<byte[]> response =
        post(
            "param_x=" + encoded("it's \\t \\\\ ✓") + "&param_n=42",
            "SELECT {x:String}, {n:UInt8} + 1 FORMAT JSONCompactEachRow");

    assertThat(body(response)).isEqualTo("[\"it's \\t \\\\ ✓\", 43]\n");
  }

  @Test
  void theQueryOfTheUrlIsFollowedByTheDataOfTheBody() throws Exception {
    String lines = "{\"k\":\"a;b\"}\n\n{\"k\":\"it's\"}\n\n\n{\"k\":\"-- FORMAT x\"}\n";
    HttpResponse<byte[]> response =
        post("query=" + encoded("INSERT INTO t (k) FORMAT JSONEachRow"), lines);

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(admin.query("SELECT k FROM t ORDER BY k FORMAT TSVRaw"))
        .isEqualTo("-- FORMAT x\na;b\nit's");
  }

  @Test
  void dataMayBeBinary() throws Exception {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(bytes("INSERT INTO t (k, v) SETTINGS async_insert = 0 FORMAT RowBinary\n"));
    body.writeBytes(new byte[] {3, 'a', (byte) 0xff, '\n', 3, '\n', '\n', ';'});
    body.writeBytes(new byte[] {1, 'b', 1, '\n'});

    assertThat(post("database=testing", body.toByteArray()).statusCode()).isEqualTo(200);
    assertThat(admin.query("SELECT hex(k), hex(v) FROM t ORDER BY k"))
        .isEqualTo("61FF0A\t0A0A3B\n62\t0A");
  }

  @Test
  void dataThatDoNotFitAreRefused() throws Exception {
    HttpResponse<byte[]> response = post("", "INSERT INTO t (n) FORMAT TSV\n1\nx\n");

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.headers().firstValue("X-ClickHouse-Exception-Code")).hasValue("27");
    assertThat(admin.query("SELECT count() FROM t")).isEqualTo("0");
  }

  @Test
  void onlyOneStatementIsTaken() throws Exception {
    assertError(
        post("", "SELECT 1; SELECT 2"),
        400,
        62,
        "Code: 62. DB::Exception: Syntax error (Multi-statements are not allowed)."
            + " (SYNTAX_ERROR)");
    assertThat(body(post("", "SELECT ';', 1 /* ; */ -- ; \n ; \n"))).isEqualTo(";\t1\n");
  }

  @Test
  void anEmptyQueryIsRefused() throws Exception {
    assertError(
        post("", " -- nothing"),
        400,
        62,
        "Code: 62. DB::Exception: Syntax error: Empty query. (SYNTAX_ERROR)");
  }

  @Test
  void theStatementChoosesTheFormatThenTheUrlThenTheHeader() throws Exception {
    assertThat(body(post("", "SELECT 1 AS a"))).isEqualTo("1\n");
    HttpResponse<byte[]> header =
        post("", bytes("SELECT 1 AS a"), "X-ClickHouse-Format", "JSONEachRow");
    assertThat(body(header)).isEqualTo("{\"a\":1}\n");
    assertThat(header.headers().firstValue("X-ClickHouse-Format")).hasValue("JSONEachRow");
    assertThat(header.headers().firstValue("Content-Type"))
        .hasValue("application/json; charset=UTF-8");
    HttpResponse<byte[]> url =
        post("default_format=CSV", bytes("SELECT 'x'"), "X-ClickHouse-Format", "JSON");
    assertThat(body(url)).isEqualTo("\"x\"\n");
    HttpResponse<byte[]> sql = post("default_format=CSV", "SELECT 1 FORMAT TSVWithNames;");
    assertThat(body(sql)).isEqualTo("1\n1\n");
    assertThat(sql.headers().firstValue("X-ClickHouse-Format")).hasValue("TSVWithNames");
  }

  @Test
  void theDatabaseComesInTheUrlOrInAHeader() throws Exception {
    String sql = "SELECT currentDatabase()";
    assertThat(body(post("", bytes(sql)))).isEqualTo("default\n");
    assertThat(body(post("database=system", sql))).isEqualTo("system\n");
    assertThat(body(post("", bytes(sql), "X-ClickHouse-Database", "system"))).isEqualTo("system\n");
  }

  @Test
  void anUnknownDatabaseIsRefused() throws Exception {
    assertError(
        post("database=no%60such", "SELECT 1"),
        404,
        81,
        "Code: 81. DB::Exception: Database `no\\`such` does not exist. (UNKNOWN_DATABASE)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SELECT 1 +                                         | 400 | 62
          SELECT * FROM missing                              | 404 | 60
          INSERT INTO missing VALUES (1)                     | 404 | 60
          SELECT missing FROM t                              | 404 | 47
          SELECT missing()                                   | 404 | 46
          SELECT throwIf(1)                                  | 500 | 395
          SELECT sleep(1) SETTINGS max_execution_time = 0.1  | 408 | 159
          CREATE TABLE t (a Int8) ENGINE = Memory            | 500 | 57
          SELECT 1 FORMAT Missing                            | 404 | 73
          """)
  void errorsHaveTheStatusAndCodeOfAServer(String sql, int status, int code) throws Exception {
    HttpResponse<byte[]> response = post("database=testing", sql);

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.headers().firstValue("X-ClickHouse-Exception-Code"))
        .hasValue(Integer.toString(code));
    assertThat(body(response))
        .startsWith("Code: " + code + ". DB::Exception: ")
        .doesNotContain("Code: " + code + ". DB::Exception: Code:")
        .endsWith(")" + VERSION + "\n");
  }

  @Test
  void answersCarryTheHeadersOfAServer() throws Exception {
    HttpResponse<byte[]> insert =
        post("database=testing&query_id=mine", "INSERT INTO t (k) VALUES ('a'), ('b')");
    assertThat(insert.headers().firstValue("X-ClickHouse-Query-Id")).hasValue("mine");
    assertThat(insert.headers().firstValue("X-ClickHouse-Summary").orElseThrow())
        .contains("\"written_rows\":\"2\"");
    assertThat(insert.headers().firstValue("X-ClickHouse-Timezone"))
        .hasValue(admin.query("SELECT serverTimezone()"));
    assertThat(insert.headers().firstValue("X-ClickHouse-Server-Display-Name"))
        .hasValue(admin.query("SELECT displayName()"));
    HttpResponse<byte[]> select = post("database=testing", "SELECT * FROM t");
    assertThat(select.headers().firstValue("X-ClickHouse-Query-Id").orElseThrow()).hasSize(36);
    assertThat(select.headers().firstValue("X-ClickHouse-Summary").orElseThrow())
        .contains("\"read_rows\":\"2\"")
        .contains("\"result_rows\":\"2\"");
  }

  @Test
  void pingNeedsNoUser() throws Exception {
    assertThat(body(get("/ping"))).isEqualTo("Ok.\n");
    assertThat(body(get("/"))).isEqualTo("Ok.\n");
    assertThat(get("/nothing").statusCode()).isEqualTo(404);
  }

  @Test
  void gzipIsHonouredBothWays() throws Exception {
    ByteArrayOutputStream sql = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(sql)) {
      out.write(bytes("SELECT 'x'"));
    }
    HttpResponse<byte[]> response =
        post(
            "enable_http_compression=1",
            sql.toByteArray(),
            "Content-Encoding",
            "gzip",
            "Accept-Encoding",
            "gzip");

    assertThat(response.headers().firstValue("Content-Encoding")).hasValue("gzip");
    assertThat(new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes())
        .isEqualTo(bytes("x\n"));
  }

  /** Else it would be taken for a statement that does nothing. */
  @Test
  void anEncodingThatItDoesNotKnowIsRefused() throws Exception {
    HttpResponse<byte[]> response = post("", bytes("SELECT 1"), "Content-Encoding", "lz4");
    assertThat(response.headers().firstValue("X-ClickHouse-Exception-Code")).hasValue("89");
  }

  @Test
  void credentialsComeInThreeWays() throws Exception {
    ClickHouseEndpoint user = createUser("p@ss: /ü'x", "");
    assertThat(user.query("SELECT 1")).isEqualTo("1");
    assertThat(
            send(request("/?query=SELECT+1")
                    .header("X-ClickHouse-User", admin.user())
                    .header("X-ClickHouse-Key", admin.password()))
                .statusCode())
        .isEqualTo(200);
    assertThat(
            get("/?query=SELECT+1&user=" + user.user() + "&password=" + encoded(user.password()))
                .statusCode())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({"admin, wrong", "admin, ''", "nobody, admin-password", "default, ''"})
  void aWrongPasswordAndAnUnknownUserAreTheSame(String user, String password) {
    assertRefused(
        () -> admin.as(user, password).query("SELECT 1"),
        403,
        516,
        "Code: 516. DB::Exception: "
            + user
            + ": Authentication failed: password is incorrect, or there is no user with such"
            + " name. (AUTHENTICATION_FAILED)"
            + VERSION);
  }

  @Test
  void aReadOnlyUserReadsAndNothingElse() {
    ClickHouseEndpoint reader =
        createUser("secret", "SETTINGS readonly = 1", "SELECT, INSERT, CREATE TABLE ON testing.*");
    admin.execute("INSERT INTO t (k) VALUES ('a')");

    assertThat(reader.query("SELECT k FROM t FINAL")).isEqualTo("a");
    String refusal =
        "Code: 164. DB::Exception: default: Cannot execute query in readonly mode. (READONLY)"
            + VERSION;
    assertRefused(() -> reader.query("INSERT INTO t (k) VALUES ('b')"), 500, 164, refusal);
    assertRefused(
        () -> reader.query("CREATE TABLE IF NOT EXISTS t (k String) ENGINE = Memory"),
        500,
        164,
        refusal);
    assertRefused(
        () -> reader.query("SELECT 1 SETTINGS max_threads = 1"),
        500,
        164,
        "Code: 164. DB::Exception: Cannot modify 'max_threads' setting in readonly mode."
            + " (READONLY)"
            + VERSION);
    admin.execute("INSERT INTO t (k) VALUES ('b')");
    assertThat(reader.query("SELECT count() FROM t FINAL")).isEqualTo("2");
  }

  @Test
  void getNeverWrites() throws Exception {
    HttpResponse<byte[]> response =
        get(
            "/?user=admin&password=admin-password&database=testing&query="
                + encoded("INSERT INTO t (k) VALUES ('a')"));

    assertError(
        response,
        500,
        164,
        "Code: 164. DB::Exception: default: Cannot execute query in readonly mode. (READONLY)");
  }

  @Test
  void aUserHasOnlyTheRightsGranted() {
    ClickHouseEndpoint writer = createUser("secret", "", "SELECT, INSERT ON testing.*");

    writer.execute("INSERT INTO t (k) VALUES ('a')");
    assertThat(writer.query("SELECT k FROM testing.t WHERE k IN (SELECT k FROM t)")).isEqualTo("a");
    assertDenied(
        writer,
        "CREATE TABLE IF NOT EXISTS t (k Int8) ENGINE = Memory",
        "CREATE TABLE",
        "testing.t");
    assertDenied(writer, "DELETE FROM t WHERE k = 'a'", "ALTER DELETE", "testing.t");
    assertDenied(writer, "DROP TABLE t", "DROP TABLE", "testing.t");
    assertDenied(writer, "CREATE DATABASE other", "CREATE DATABASE", "other.*");
    assertDenied(writer, "SELECT * FROM other.t", "SELECT", "other.t");
    assertDenied(writer, "SYSTEM STOP MERGES", "ALL", "*.*");
    assertDenied(writer, "CREATE USER another", "ACCESS MANAGEMENT", "*.*");

    admin.execute("GRANT ALTER DELETE ON testing.t TO " + writer.user());
    writer.execute("DELETE FROM t WHERE k = 'a'");
    admin.execute("REVOKE INSERT ON testing.* FROM " + writer.user());
    assertDenied(writer, "INSERT INTO t (k) VALUES ('b')", "INSERT", "testing.t");
    assertThat(admin.query("SELECT count() FROM t")).isEqualTo("0");
  }

  @Test
  void anAccessStatementThatIsNotKnownIsRefused() {
    assertRefused(
        () -> admin.execute("CREATE ROLE r"),
        501,
        48,
        "Code: 48. DB::Exception: The local engine for tests knows of access statements only the"
            + " forms of CREATE USER, DROP USER, GRANT and REVOKE in the Javadoc of its class"
            + " Access. (NOT_IMPLEMENTED)"
            + VERSION);
    assertThat(
            catchThrowableOfType(
                    QueryFailed.class, () -> admin.execute("GRANT SELECT ON *.* TO nobody"))
                .code())
        .isEqualTo(192);
    admin.execute("CREATE USER twice", "CREATE USER IF NOT EXISTS twice");
    assertThat(
            catchThrowableOfType(QueryFailed.class, () -> admin.execute("CREATE USER twice"))
                .code())
        .isEqualTo(493);
    admin.execute("DROP USER twice", "DROP USER IF EXISTS twice");
    assertThat(
            catchThrowableOfType(QueryFailed.class, () -> admin.execute("DROP USER twice")).code())
        .isEqualTo(192);
  }

  @Test
  void requestsRunInParallel() {
    CompletableFuture<String> slow =
        CompletableFuture.supplyAsync(() -> admin.query("SELECT sleep(3)"));
    List<CompletableFuture<String>> quick = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String sql = "SELECT " + i + " FROM system.processes WHERE query = 'SELECT sleep(3)'";
      quick.add(
          CompletableFuture.supplyAsync(
              () -> {
                String answer = "";
                while (answer.isEmpty() && !slow.isDone()) {
                  answer = admin.query(sql);
                }
                return answer;
              }));
    }

    for (int i = 0; i < 8; i++) {
      assertThat(quick.get(i).join()).isEqualTo(Integer.toString(i));
    }
    assertThat(slow.isDone()).isFalse();
    assertThat(slow.join()).isEqualTo("0");
  }

  @Test
  void restartKeepsDataUsersAndPort() {
    ClickHouseEndpoint reader = createUser("secret", "", "SELECT ON testing.*");
    admin.execute("INSERT INTO t (k) VALUES ('kept')");
    long before = engine.pid();

    engine.restart();

    assertThat(engine.pid()).isNotEqualTo(before);
    assertThat(engine.endpoint()).isEqualTo(admin);
    assertThat(reader.query("SELECT k FROM t")).isEqualTo("kept");
  }

  @Test
  void killedAmidWritesItKeepsWhatItAcknowledged() throws Exception {
    AtomicInteger acknowledged = new AtomicInteger();
    CountDownLatch fiftyWritten = new CountDownLatch(50);
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(
            () -> {
              while (true) {
                admin.execute("INSERT INTO t (k) VALUES ('" + acknowledged.get() + "')");
                acknowledged.incrementAndGet();
                fiftyWritten.countDown();
              }
            });
    assertThat(fiftyWritten.await(1, TimeUnit.MINUTES)).isTrue();

    engine.kill();

    assertThatThrownBy(() -> writing.get(30, TimeUnit.SECONDS))
        .hasMessageContaining("No answer from ClickHouse at 127.0.0.1:" + admin.port());
    assertThat(engine.isRunning()).isFalse();
    engine.restart();
    int kept = Integer.parseInt(admin.query("SELECT uniqExact(k) FROM t"));
    assertThat(kept).isBetween(acknowledged.get(), acknowledged.get() + 1);
  }

  @Test
  void aCleanEndLeavesNoProcess(@TempDir Path other) {
    LocalClickHouse second = LocalClickHouse.start(other);
    Optional<ProcessHandle> process = ProcessHandle.of(second.pid());
    assertThat(process).isPresent();
    CompletableFuture<String> running =
        CompletableFuture.supplyAsync(() -> second.endpoint().query("SELECT sleep(3)"));
    String runs = "SELECT count() FROM system.processes WHERE query = 'SELECT sleep(3)'";
    while (second.endpoint().query(runs).equals("0")) {
      assertThat(running).isNotDone();
    }

    second.close();

    assertThat(process.get().isAlive()).isFalse();
    assertThat(second.isRunning()).isFalse();
    assertThat(running).isCompletedExceptionally();
    second.close();
  }

  @Test
  void itEndsWithTheProcessThatStartedIt(@TempDir Path other) throws Exception {
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Parent.class.getName(),
                other.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    ProcessHandle child =
        ProcessHandle.of(Long.parseLong(parent.inputReader().readLine())).orElseThrow();
    assertThat(child.isAlive()).isTrue();

    parent.destroyForcibly();

    try {
      assertThat(child.onExit().get(30, TimeUnit.SECONDS).isAlive()).isFalse();
    } finally {
      child.destroyForcibly();
    }
  }

  /** A process that starts an engine and never stops it. */
  static final class Parent {
    public static void main(String[] args) throws Exception {
      System.out.println(LocalClickHouse.start(Path.of(args[0])).pid());
      Thread.sleep(Duration.ofMinutes(5).toMillis());
    }
  }

  @Test
  void aFailedStartShowsTheEngineLog() {
    assertThatThrownBy(() -> LocalClickHouse.start(directory))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(
            "The local ClickHouse engine does not start. The end of "
                + directory.resolve("engine.log"))
        .hasMessageContaining("libchdb gives no connection to " + directory.resolve("data"));
  }

  private static ClickHouseEndpoint createUser(String password, String rest, String... grants) {
    String name = "user" + USERS.incrementAndGet();
    admin.execute(
        "CREATE USER "
            + name
            + " IDENTIFIED WITH sha256_password BY '"
            + password.replace("'", "\\'")
            + "' "
            + rest);
    for (String grant : grants) {
      admin.execute("GRANT " + grant + " TO " + name);
    }
    return admin.as(name, password);
  }

  private static void assertDenied(
      ClickHouseEndpoint user, String sql, String privilege, String place) {
    assertRefused(
        () -> user.query(sql),
        403,
        497,
        "Code: 497. DB::Exception: "
            + user.user()
            + ": Not enough privileges. To execute this query, it's necessary to have the grant "
            + privilege
            + " ON "
            + place
            + ". (ACCESS_DENIED)"
            + VERSION);
  }

  private static void assertRefused(Runnable query, int status, int code, String message) {
    QueryFailed failure = catchThrowableOfType(QueryFailed.class, query::run);
    assertThat(failure).hasMessage(message);
    assertThat(failure.httpStatus()).isEqualTo(status);
    assertThat(failure.code()).isEqualTo(code);
  }

  private static void assertError(
      HttpResponse<byte[]> response, int status, int code, String message) {
    assertThat(body(response)).isEqualTo(message + VERSION + "\n");
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.headers().firstValue("X-ClickHouse-Exception-Code"))
        .hasValue(Integer.toString(code));
  }

  private static HttpResponse<byte[]> post(String parameters, String sql) throws Exception {
    return post(
        parameters.contains("database=") ? parameters : "database=testing&" + parameters,
        bytes(sql));
  }

  private static HttpResponse<byte[]> post(String parameters, byte[] sql, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        request("/?user=admin&password=admin-password&" + parameters)
            .POST(HttpRequest.BodyPublishers.ofByteArray(sql));
    return send(headers.length == 0 ? request : request.headers(headers));
  }

  private static HttpResponse<byte[]> get(String path) throws Exception {
    return send(request(path));
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://" + admin.host() + ":" + admin.port() + path));
  }

  private static HttpResponse<byte[]> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static String body(HttpResponse<byte[]> response) {
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
