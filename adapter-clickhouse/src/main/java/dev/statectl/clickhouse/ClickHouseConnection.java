package dev.statectl.clickhouse;

import com.clickhouse.jdbc.Driver;
import com.clickhouse.jdbc.StatementImpl;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.result.ResultIterator;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.StatementCustomizer;
import org.jdbi.v3.core.statement.StatementExceptions;
import org.jdbi.v3.core.statement.Update;

/**
 * Runs statements on a server, and turns every failure into one of ours. One connection of the
 * driver serves all threads: it is only a client with a pool of HTTP connections, and one for each
 * statement would dial anew each time. Thread-safe.
 */
final class ClickHouseConnection implements AutoCloseable {
  /** How many requests can be under way at once; the driver's own limit is 10. */
  static final int MAX_HTTP_CONNECTIONS = 64;

  private final Connection connection;
  private final Jdbi jdbi;
  private final ClickHouseErrors errors;
  private final String place;
  private volatile boolean closed;

  private ClickHouseConnection(
      Connection connection, TableNames names, ClickHouseErrors errors, String place) {
    this.connection = connection;
    this.errors = errors;
    this.place = place;
    this.jdbi = Jdbi.create(new Shared(connection));
    jdbi.define("schema", names.schemaSql());
    jdbi.define("table", names.stateSql());
    jdbi.define("lock_table", names.lockSql());
    jdbi.define("history_table", names.historySql());
    jdbi.define("history_view", names.historyViewSql());
    // Else bound values, which are states, stand in the messages of exceptions.
    jdbi.getConfig(StatementExceptions.class)
        .setMessageRendering(StatementExceptions.MessageRendering.NONE);
    StatementSyntax syntax = new StatementSyntax();
    jdbi.getConfig(SqlStatements.class)
        .setTemplateEngine(syntax)
        .setSqlParser(syntax)
        .addCustomizer(new WithoutEscapeProcessing());
  }

  /**
   * Prepares a connection. Nothing is sent before the first statement.
   *
   * @throws IllegalArgumentException when the driver cannot use the settings
   */
  static ClickHouseConnection open(
      ClickHouseSettings settings, TableNames names, ClickHouseErrors errors) {
    String url =
        "jdbc:clickhouse:"
            + (settings.secure() ? "https" : "http")
            + "://"
            + settings.place()
            + "/";
    Connection connection;
    try {
      connection = new Driver().connect(url, properties(settings));
    } catch (SQLException | RuntimeException e) {
      throw new IllegalArgumentException(
          "the driver cannot use these settings: " + settings, WithheldException.of(e));
    }
    return new ClickHouseConnection(
        Objects.requireNonNull(connection), names, errors, settings.place());
  }

  private static Properties properties(ClickHouseSettings settings) {
    Properties properties = new Properties();
    // Not in the URL: the driver ignores what stands there.
    properties.setProperty("user", settings.user());
    properties.setProperty("password", settings.password());
    properties.setProperty("database", settings.database());
    properties.setProperty("connection_timeout", millis(settings.connectTimeout()));
    properties.setProperty("connection_request_timeout", millis(settings.connectTimeout()));
    properties.setProperty("socket_timeout", millis(settings.requestTimeout()));
    properties.setProperty("max_open_connections", Integer.toString(MAX_HTTP_CONNECTIONS));
    // Else the driver sends writes again when it cannot know whether they were done.
    properties.setProperty("client_retry_on_failures", "None");
    properties.setProperty("client_name", "statectl/" + version());
    // Compressed answers carry checksums, so whatever else answers is not taken for rows.
    properties.setProperty("compress", "true");
    // Else a library is unpacked into the directory for temporary files at every start.
    properties.setProperty("disable_native_compression", "true");
    // A parameter of the request and no setting, so users with readonly = 1 may send it. The server
    // answers when it has the whole result: else an error in the middle of a result arrives as
    // bytes at its end, which the driver takes for rows.
    // https://clickhouse.com/docs/interfaces/http#response-buffering
    properties.setProperty("clickhouse_setting_wait_end_of_query", "1");
    if (settings.secure()) {
      addTls(settings.tls(), properties);
    }
    return properties;
  }

  private static void addTls(TlsSettings tls, Properties properties) {
    properties.setProperty("ssl_mode", tls.verification().driverMode());
    if (tls.verification() != TlsSettings.Verification.OFF) {
      tls.authorities().ifPresent(pem -> properties.setProperty("sslrootcert", pem));
    }
    tls.client()
        .ifPresent(
            client -> {
              properties.setProperty("sslcert", client.certificates());
              properties.setProperty("ssl_key", client.key());
            });
  }

  /** Runs a query that has one row at most. */
  <T> Optional<T> first(
      Operation operation, String sql, Consumer<Query> binding, RowMapper<T> rows) {
    List<T> all = all(operation, sql, binding, rows);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(0));
  }

  /** Runs a query of few rows. */
  <T> List<T> all(Operation operation, String sql, Consumer<Query> binding, RowMapper<T> rows) {
    return attempt(
        operation,
        () -> {
          try (Handle handle = jdbi.open();
              Query query = handle.createQuery(sql)) {
            binding.accept(query);
            return query.map(rows).list();
          }
        });
  }

  /** Runs a query and gives each row to the action as it arrives. What the action throws passes. */
  <T> void walk(
      Operation operation,
      String sql,
      Consumer<Query> binding,
      RowMapper<T> rows,
      Consumer<? super T> action) {
    try (Handle handle = open(operation)) {
      ResultIterator<T> iterator =
          attempt(
              operation,
              () -> {
                Query query = handle.createQuery(sql);
                binding.accept(query);
                return query.map(rows).iterator();
              });
      try {
        while (attempt(operation, iterator::hasNext)) {
          action.accept(attempt(operation, iterator::next));
        }
      } catch (TableMissingException e) {
        // Only a query that has given no row yet may be taken for one without a table.
        closeBesides(e.failure(), iterator);
        throw e.failure();
      } catch (RuntimeException | Error e) {
        closeBesides(e, iterator);
        throw e;
      }
      attempt(
          operation,
          () -> {
            iterator.close();
            return true;
          });
    }
  }

  /** Runs a statement that has no rows. */
  void execute(Operation operation, String sql, Consumer<Update> binding) {
    attempt(
        operation,
        () -> {
          try (Handle handle = jdbi.open();
              Update update = handle.createUpdate(sql)) {
            binding.accept(update);
            return update.execute();
          }
        });
  }

  /** Runs a statement that has no rows, with settings that go into the request. */
  void execute(
      Operation operation, String sql, Map<String, String> settings, Consumer<Update> binding) {
    execute(
        operation,
        sql,
        update -> {
          update.addCustomizer(new RequestSettings(settings));
          binding.accept(update);
        });
  }

  /**
   * Runs an insert of many rows, with settings that go into the request; the driver makes one
   * statement of it.
   */
  void executeBatch(
      Operation operation,
      String sql,
      Map<String, String> settings,
      Consumer<PreparedBatch> binding) {
    attempt(
        operation,
        () -> {
          try (Handle handle = jdbi.open();
              PreparedBatch batch = handle.prepareBatch(sql)) {
            batch.addCustomizer(new RequestSettings(settings));
            binding.accept(batch);
            return batch.execute();
          }
        });
  }

  /** Tells the driver's version; asks nobody. */
  String driverVersion() {
    try {
      return connection.getMetaData().getDriverVersion();
    } catch (SQLException | RuntimeException e) {
      return "of unknown version";
    }
  }

  /** Frees the HTTP connections. Statements under way fail. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      connection.close();
    } catch (SQLException | RuntimeException e) {
      // Nothing is kept here that could be lost, and nobody can do anything about it.
    }
  }

  private Handle open(Operation operation) {
    return attempt(operation, jdbi::open);
  }

  private <T> T attempt(Operation operation, Callable<T> work) {
    requireOpen();
    try {
      return work.call();
    } catch (Exception e) {
      // Every exception: the driver throws bare RuntimeExceptions, too, and Jdbi lets
      // SQLExceptions through undeclared while it reads rows.
      if (!operation.changesRows()) {
        requireOpen();
      }
      throw errors.failureOf(operation, e);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the backend at " + place + " was closed");
    }
  }

  private static void closeBesides(Throwable thrown, ResultIterator<?> iterator) {
    try {
      iterator.close();
    } catch (Exception e) {
      thrown.addSuppressed(WithheldException.of(e));
    }
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }

  /** The version of statectl. */
  static String version() {
    try (InputStream in = ClickHouseConnection.class.getResourceAsStream("version.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Hands out the one connection and keeps it open. */
  private record Shared(Connection connection) implements ConnectionFactory {
    @Override
    public Connection openConnection() {
      return connection;
    }

    @Override
    public void closeConnection(Connection ignored) {
      // It is closed with the backend.
    }
  }

  /** Else the driver replaces what looks like a JDBC escape, such as {fn now()}, inside values. */
  private static final class WithoutEscapeProcessing implements StatementCustomizer {
    @Override
    public void beforeBinding(PreparedStatement statement, StatementContext context)
        throws SQLException {
      statement.setEscapeProcessing(false);
    }
  }

  /** Settings beside the statement, where its length does not matter, nor what it may hold. */
  private record RequestSettings(Map<String, String> settings) implements StatementCustomizer {
    @Override
    public void beforeExecution(PreparedStatement statement, StatementContext context)
        throws SQLException {
      StatementImpl implementation = statement.unwrap(StatementImpl.class);
      settings.forEach(
          (name, value) -> implementation.getLocalSettings().serverSetting(name, value));
    }
  }
}
