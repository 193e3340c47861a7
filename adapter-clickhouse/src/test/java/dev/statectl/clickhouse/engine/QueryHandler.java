package dev.statectl.clickhouse.engine;

import com.clickhouse.client.api.internal.ClickHouseLZ4InputStream;
import com.clickhouse.client.api.internal.ClickHouseLZ4OutputStream;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4Factory;
import org.jspecify.annotations.Nullable;

/**
 * ClickHouse's HTTP protocol for one engine.
 *
 * @see <a href="https://clickhouse.com/docs/interfaces/http">HTTP interface</a>
 */
final class QueryHandler implements HttpHandler {
  /** The URL parameters that are no settings; sessions, quotas and buffering mean nothing here. */
  private static final Set<String> NO_SETTINGS =
      Set.of(
          "buffer_size",
          "client_protocol_version",
          "compress",
          "database",
          "decompress",
          "default_format",
          "enable_http_compression",
          "password",
          "query",
          "query_id",
          "quota_key",
          "role",
          "session_check",
          "session_id",
          "session_timeout",
          "stacktrace",
          "user",
          "wait_end_of_query");

  private final Engine engine;
  private final Access access;
  private final Path directory;
  private final String version;
  private final String timezone;
  private final String displayName;

  QueryHandler(Engine engine, Access access, Path directory) throws ServerError {
    this.engine = engine;
    this.access = access;
    this.directory = directory;
    this.version = engine.value("SELECT version()");
    this.timezone = engine.value("SELECT serverTimezone()");
    this.displayName = engine.value("SELECT displayName()");
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Map<String, String> parameters = parameters(exchange.getRequestURI().getRawQuery());
      try {
        answer(exchange, parameters);
      } catch (ServerError e) {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", "text/plain; charset=UTF-8");
        headers.set("X-ClickHouse-Exception-Code", Integer.toString(e.code()));
        String text = e.getMessage() + " (version " + version + " (official build))\n";
        send(exchange, parameters, e.httpStatus(), text.getBytes(StandardCharsets.UTF_8));
      }
    } catch (RuntimeException | Error e) {
      // Not the client's to see, but to be found in the engine's log.
      e.printStackTrace();
      throw e;
    }
  }

  private void answer(HttpExchange exchange, Map<String, String> parameters)
      throws IOException, ServerError {
    String path = exchange.getRequestURI().getPath();
    boolean get = exchange.getRequestMethod().equals("GET");
    if (path.equals("/ping") || (path.equals("/") && get && !parameters.containsKey("query"))) {
      plain(exchange, 200, "Ok.\n");
      return;
    }
    if (!path.equals("/")) {
      plain(exchange, 404, "There is no handle " + path + "\n");
      return;
    }
    Headers request = exchange.getRequestHeaders();
    Headers response = exchange.getResponseHeaders();
    response.set("X-ClickHouse-Server-Display-Name", displayName);
    response.set("X-ClickHouse-Timezone", timezone);
    response.set(
        "X-ClickHouse-Query-Id", parameters.getOrDefault("query_id", UUID.randomUUID().toString()));

    byte[] sql = sql(exchange, parameters);
    String user = authenticate(request, parameters);
    Statement statement = Statement.of(sql);
    if (statement.isEmpty()) {
      throw ServerError.of(62, "SYNTAX_ERROR", "Syntax error: Empty query");
    }
    if (statement.isMany()) {
      throw ServerError.of(62, "SYNTAX_ERROR", "Syntax error (Multi-statements are not allowed)");
    }
    String database =
        first(parameters.get("database"), request.getFirst("X-ClickHouse-Database"), "default");
    String format =
        statement.format(
            first(
                parameters.get("default_format"),
                request.getFirst("X-ClickHouse-Format"),
                "TabSeparated"));
    Engine.Answer answer;
    long start = System.nanoTime();
    Optional<Boolean> isGranted = access.check(user, statement.text(), database);
    if (access.run(user, statement.text(), database)) {
      answer = new Engine.Answer(new byte[0], 0, 0, 0, 0, 0, 0);
    } else if (isGranted.isPresent()) {
      String result = "SELECT toUInt8(" + isGranted.get() + ") AS result";
      answer =
          engine.run(
              before(user, get, database, parameters),
              result.getBytes(StandardCharsets.UTF_8),
              format);
    } else {
      access.demand(user, statement.needs(database));
      answer = run(statement, before(user, get, database, parameters), format);
    }
    response.set("X-ClickHouse-Summary", summary(answer, System.nanoTime() - start));
    response.set("X-ClickHouse-Format", format);
    response.set("Content-Type", contentType(format));
    send(exchange, parameters, 200, answer.body());
  }

  private Engine.Answer run(Statement statement, List<String> before, String format)
      throws IOException, ServerError {
    if (!statement.hasData()) {
      return engine.run(before, statement.bytes(), format);
    }
    Path data = Files.createTempFile(directory, "insert-", "");
    try {
      Files.write(data, statement.data());
      return engine.run(before, statement.readingFrom(data), format);
    } finally {
      Files.delete(data);
    }
  }

  /** What makes the fresh connection the one that this request wants. */
  private List<String> before(
      String user, boolean get, String database, Map<String, String> parameters) {
    List<String> before = new ArrayList<>();
    int readonly = access.readonly(user);
    if (readonly > 0 || get) {
      before.add("SET readonly = " + (readonly > 0 ? readonly : 2));
    }
    before.add("USE `" + database.replace("\\", "\\\\").replace("`", "\\`") + "`");
    parameters.forEach(
        (name, value) -> {
          if (!NO_SETTINGS.contains(name)) {
            before.add(
                String.format(
                    "SET `%s` = '%s'",
                    name.replace("\\", "\\\\").replace("`", "\\`"),
                    value.replace("\\", "\\\\").replace("'", "\\'")));
          }
        });
    return before;
  }

  private static InputStream decoded(InputStream body, @Nullable String encoding)
      throws IOException, ServerError {
    if (encoding == null) {
      return body;
    }
    return switch (encoding) {
      case "gzip" -> new GZIPInputStream(body);
      default ->
          throw ServerError.of(
              89,
              "UNKNOWN_COMPRESSION_METHOD",
              "The local engine for tests knows gzip, not the Content-Encoding '" + encoding + "'");
    };
  }

  private static byte[] sql(HttpExchange exchange, Map<String, String> parameters)
      throws IOException, ServerError {
    ByteArrayOutputStream sql = new ByteArrayOutputStream();
    InputStream body =
        decoded(
            exchange.getRequestBody(), exchange.getRequestHeaders().getFirst("Content-Encoding"));
    if ("1".equals(parameters.get("decompress"))) {
      body =
          new ClickHouseLZ4InputStream(
              body,
              LZ4Factory.safeInstance().fastDecompressor(),
              ClickHouseLZ4OutputStream.UNCOMPRESSED_BUFF_SIZE);
    }
    byte[] sent = body.readAllBytes();
    String query = parameters.get("query");
    if (query != null) {
      sql.write(query.getBytes(StandardCharsets.UTF_8));
      sql.write(sent.length > 0 ? "\n".getBytes(StandardCharsets.UTF_8) : new byte[0]);
    }
    sql.write(sent);
    return sql.toByteArray();
  }

  private String authenticate(Headers request, Map<String, String> parameters) throws ServerError {
    String user = request.getFirst("X-ClickHouse-User");
    String password = request.getFirst("X-ClickHouse-Key");
    String authorization = request.getFirst("Authorization");
    if (user == null && authorization != null && authorization.startsWith("Basic ")) {
      String pair =
          new String(
              Base64.getDecoder().decode(authorization.substring("Basic ".length())),
              StandardCharsets.UTF_8);
      int colon = pair.indexOf(':');
      user = colon < 0 ? pair : pair.substring(0, colon);
      password = colon < 0 ? "" : pair.substring(colon + 1);
    }
    if (user == null) {
      user = parameters.get("user");
      password = parameters.get("password");
    }
    String name = first(user, null, "default");
    access.authenticate(name, password == null ? "" : password);
    return name;
  }

  private static String first(@Nullable String one, @Nullable String two, String otherwise) {
    if (one != null && !one.isEmpty()) {
      return one;
    }
    return two != null && !two.isEmpty() ? two : otherwise;
  }

  private static Map<String, String> parameters(@Nullable String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String pair : query == null ? new String[0] : query.split("&")) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      if (!name.isEmpty()) {
        parameters.put(
            URLDecoder.decode(name, StandardCharsets.UTF_8),
            URLDecoder.decode(value, StandardCharsets.UTF_8));
      }
    }
    return parameters;
  }

  private static String summary(Engine.Answer answer, long nanos) {
    return String.format(
        Locale.ROOT,
        "{\"read_rows\":\"%d\",\"read_bytes\":\"%d\",\"written_rows\":\"%d\","
            + "\"written_bytes\":\"%d\",\"total_rows_to_read\":\"0\",\"result_rows\":\"%d\","
            + "\"result_bytes\":\"%d\",\"elapsed_ns\":\"%d\"}",
        answer.readRows(),
        answer.readBytes(),
        answer.writtenRows(),
        answer.writtenBytes(),
        answer.resultRows(),
        answer.resultBytes(),
        nanos);
  }

  private static String contentType(String format) {
    if (format.startsWith("JSON")) {
      return "application/json; charset=UTF-8";
    }
    return format.startsWith("TabSeparated") || format.startsWith("TSV")
        ? "text/tab-separated-values; charset=UTF-8"
        : "application/octet-stream";
  }

  private static void plain(HttpExchange exchange, int status, String text) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=UTF-8");
    send(exchange, Map.of(), status, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void send(
      HttpExchange exchange, Map<String, String> parameters, int status, byte[] body)
      throws IOException {
    byte[] sent = body;
    String accepted = exchange.getRequestHeaders().getFirst("Accept-Encoding");
    if ("1".equals(parameters.get("compress"))) {
      sent = lz4(body);
    } else if ("1".equals(parameters.get("enable_http_compression"))
        && accepted != null
        && accepted.contains("gzip")) {
      exchange.getResponseHeaders().set("Content-Encoding", "gzip");
      sent = gzip(body);
    }
    exchange.sendResponseHeaders(status, sent.length == 0 ? -1 : sent.length);
    if (sent.length > 0) {
      exchange.getResponseBody().write(sent);
    }
  }

  private static byte[] lz4(byte[] body) throws IOException {
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    try (OutputStream out =
        new ClickHouseLZ4OutputStream(
            sent,
            LZ4Factory.safeInstance().fastCompressor(),
            ClickHouseLZ4OutputStream.UNCOMPRESSED_BUFF_SIZE)) {
      out.write(body);
    }
    return sent.toByteArray();
  }

  private static byte[] gzip(byte[] body) throws IOException {
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(sent)) {
      out.write(body);
    }
    return sent.toByteArray();
  }
}
