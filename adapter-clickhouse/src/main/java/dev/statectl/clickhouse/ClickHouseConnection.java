package dev.statectl.clickhouse;

import com.clickhouse.client.api.Client;
import com.clickhouse.client.api.query.QueryResponse;
import com.clickhouse.client.api.query.QuerySettings;
import com.clickhouse.data.ClickHouseFormat;
import com.clickhouse.jdbc.ConnectionImpl;
import com.clickhouse.jdbc.Driver;
import com.clickhouse.jdbc.internal.ExceptionUtils;
import dev.statectl.port.StateFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.StatementCustomizer;
import org.jdbi.v3.core.statement.StatementExceptions;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements on a server, and turns every failure into one of ours. One connection of the
 * driver serves all threads: it is only a client with a pool of HTTP connections, and one for each
 * statement would dial anew each time. Thread-safe.
 */
final class ClickHouseConnection implements AutoCloseable {
  /** How many requests can be under way at once; the driver's own limit is 10. */
  static final int MAX_HTTP_CONNECTIONS = 64;

  private final Connection connection;
  private final Client client;
  private final StrictTransport transport;
  private final Servers servers;
  private final ReplicaConsistency consistency;
  private final Map<String, String> names;
  private final Supplier<Jdbi> jdbi;
  private final AtomicInteger handles;
  private final ClickHouseSettings settings;
  private final ClickHouseErrors errors;
  private final Backoff backoff;
  private final AtomicBoolean closed;
  // What must be so before a statement is sent that changes something.
  private final Runnable guard;

  private ClickHouseConnection(
      Connection connection,
      Client client,
      StrictTransport transport,
      Servers servers,
      ReplicaConsistency consistency,
      Map<String, String> names,
      Supplier<Jdbi> jdbi,
      AtomicInteger handles,
      ClickHouseSettings settings,
      ClickHouseErrors errors,
      Backoff backoff,
      AtomicBoolean closed,
      Runnable guard) {
    this.connection = connection;
    this.client = client;
    this.transport = transport;
    this.servers = servers;
    this.consistency = consistency;
    this.names = names;
    this.jdbi = jdbi;
    this.handles = handles;
    this.settings = settings;
    this.errors = errors;
    this.backoff = backoff;
    this.closed = closed;
    this.guard = guard;
  }

  private static Jdbi jdbi(
      Connection connection, AtomicInteger handles, Map<String, String> names) {
    Jdbi jdbi = Jdbi.create(new Shared(connection, handles));
    names.forEach(jdbi::define);
    // Else bound values, which are states, stand in the messages of exceptions.
    jdbi.getConfig(StatementExceptions.class)
        .setMessageRendering(StatementExceptions.MessageRendering.NONE);
    StatementSyntax syntax = new StatementSyntax();
    jdbi.getConfig(SqlStatements.class)
        .setTemplateEngine(syntax)
        .setSqlParser(syntax)
        .addCustomizer(new WithoutEscapeProcessing());
    return jdbi;
  }

  /**
   * Prepares a connection. Nothing is sent before the first statement.
   *
   * @throws IllegalArgumentException when the driver cannot use the settings
   * @throws IllegalStateException when the driver is of another version than the one that is needed
   */
  static ClickHouseConnection open(
      ClickHouseSettings settings, TableNames names, ClickHouseErrors errors, Backoff backoff) {
    String url =
        "jdbc:clickhouse:"
            + (settings.secure() ? "https" : "http")
            + "://"
            + settings.servers().get(0)
            + "/";
    Connection connection;
    try {
      connection = Objects.requireNonNull(new Driver().connect(url, properties(settings)));
    } catch (SQLException | RuntimeException e) {
      throw new IllegalArgumentException(
          "the driver cannot use these settings: " + settings, WithheldException.of(e));
    } catch (LinkageError e) {
      throw otherDriver(e);
    }
    Client client;
    StrictTransport transport;
    try {
      client = connection.unwrap(ConnectionImpl.class).getClient();
      transport = StrictTransport.installIn(client, settings.secure());
    } catch (SQLException | ReflectiveOperationException | RuntimeException | LinkageError e) {
      // What a constructor of the driver says may quote settings.
      throw otherDriver(e instanceof RuntimeException ? WithheldException.of(e) : e);
    }
    AtomicInteger handles = new AtomicInteger();
    Map<String, String> attributes =
        Map.of(
            "schema", names.schemaSql(),
            "table", names.stateSql(),
            "lock_table", names.lockSql(),
            "claim_table", names.claimSql(),
            "claim_path", names.claimPathSql(),
            "history_table", names.historySql(),
            "history_view", names.historyViewSql());
    return new ClickHouseConnection(
        connection,
        client,
        transport,
        new Servers(settings.servers()),
        ReplicaConsistency.NONE,
        attributes,
        once(() -> jdbi(connection, handles, attributes)),
        handles,
        settings,
        errors,
        backoff,
        new AtomicBoolean(),
        () -> {});
  }

  /** Makes a thing when it is first asked for: reads alone need none of it. */
  private static <T> Supplier<T> once(Supplier<T> made) {
    return new Supplier<>() {
      private @Nullable T thing;

      @Override
      public synchronized T get() {
        if (thing == null) {
          thing = made.get();
        }
        return thing;
      }
    };
  }

  /** This connection, with the timeouts of other settings; closing one closes both. */
  ClickHouseConnection within(ClickHouseSettings others, ClickHouseErrors theirs) {
    return with(consistency, others, theirs, guard);
  }

  /** This connection, whose statements get what makes all replicas as one server. */
  ClickHouseConnection consistent(ReplicaConsistency others) {
    return with(others, settings, errors, guard);
  }

  /** This connection, which runs a check before each statement that changes something. */
  ClickHouseConnection guarded(Runnable check) {
    return with(consistency, settings, errors, check);
  }

  private ClickHouseConnection with(
      ReplicaConsistency whose,
      ClickHouseSettings others,
      ClickHouseErrors theirs,
      Runnable check) {
    return new ClickHouseConnection(
        connection,
        client,
        transport,
        servers,
        whose,
        names,
        jdbi,
        handles,
        others,
        theirs,
        backoff,
        closed,
        check);
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

  /** Runs a query that has one row at most, and reads it without JDBC. */
  <T> Optional<T> readFirst(
      Operation operation,
      String sql,
      Map<String, ? extends @Nullable Object> values,
      Function<Row, T> reader) {
    String text = SqlText.of(sql, names, values);
    return run(
        operation,
        sql,
        exchange -> {
          try (Answer answer = new Answer(text, Map.of())) {
            Optional<T> first =
                answer.row.next() ? Optional.of(reader.apply(answer.row)) : Optional.empty();
            // An answer that is not read to its end takes its connection with it.
            while (answer.row.next()) {
              // There is no other row.
            }
            return first;
          }
        });
  }

  /**
   * Runs a query and gives each row to the action as it arrives, reading without JDBC. What the
   * action throws passes.
   */
  <T> void readEach(
      Operation operation,
      String sql,
      Map<String, ? extends @Nullable Object> values,
      Function<Row, T> reader,
      Consumer<? super T> action) {
    String text = SqlText.of(sql, names, values);
    // Up to the first row it can begin anew; after that, nobody could take back what was given.
    Begun begun =
        run(
            operation,
            sql,
            exchange -> {
              Answer answer = new Answer(text, Map.of());
              try {
                return new Begun(exchange, answer, answer.row.next());
              } catch (IOException | RuntimeException | Error e) {
                closeBesides(e, answer);
                throw e;
              }
            });
    Exchange exchange = begun.exchange();
    Answer answer = begun.answer();
    answer.waiting = work -> step(operation, exchange, work);
    try {
      for (boolean more = begun.hasFirst(); more; more = next(operation, exchange, answer)) {
        action.accept(reader.apply(answer.row));
      }
    } catch (TableMissingException e) {
      // Only a query that has given no row yet may be taken for one without a table.
      closeBesides(e.failure(), answer);
      throw e.failure();
    } catch (RuntimeException | Error e) {
      closeBesides(e, answer);
      throw e;
    }
    step(
        operation,
        exchange,
        () -> {
          answer.close();
          return true;
        });
  }

  private boolean next(Operation operation, Exchange exchange, Answer answer) {
    try {
      return answer.row.next();
    } catch (IOException e) {
      // Waiting for the server is a step that tells its own failures; this is what it sent.
      throw failure(operation, e, exchange, List.of());
    }
  }

  /** Runs a query of few rows. */
  <T> List<T> all(Operation operation, String sql, Consumer<Query> binding, RowMapper<T> rows) {
    return run(
        operation,
        sql,
        exchange -> {
          try (Handle handle = jdbi.get().open();
              Query query = handle.createQuery(sql)) {
            binding.accept(query);
            return query.map(rows).list();
          }
        });
  }

  /** Runs a statement that has no rows. */
  void execute(Operation operation, String sql, Consumer<Update> binding) {
    run(
        operation,
        sql,
        exchange -> {
          try (Handle handle = jdbi.get().open();
              Update update = handle.createUpdate(sql)) {
            binding.accept(update);
            return update.execute();
          }
        });
  }

  /**
   * Runs a statement that has no rows, without JDBC, which makes several copies of what is bound.
   *
   * @param requestSettings settings that go into the request
   * @return how many rows the server says that it wrote, in the table and what is filled from it; 0
   *     also where it does not say
   * @see <a href="https://clickhouse.com/docs/interfaces/http">X-ClickHouse-Summary</a>
   */
  long write(
      Operation operation,
      String sql,
      Map<String, ? extends @Nullable Object> values,
      Map<String, String> requestSettings) {
    return write(operation, sql, SqlText.of(sql, names, values), requestSettings, exchange -> {});
  }

  /**
   * Runs an insert whose rows follow it in the format {@code TabSeparated}, with settings that go
   * into the request. Rows are written while they are sent, and once more for each further try.
   *
   * @return how many rows the server says that it wrote, as {@link #write} does
   */
  long insert(Operation operation, String sql, Map<String, String> requestSettings, Rows rows) {
    return write(
        operation,
        sql,
        SqlText.of(sql, names, Map.of()),
        requestSettings,
        exchange -> exchange.send(rows));
  }

  private long write(
      Operation operation,
      String template,
      String text,
      Map<String, String> requestSettings,
      Consumer<Exchange> beforehand) {
    return run(
        operation,
        template,
        exchange -> {
          beforehand.accept(exchange);
          try (Answer answer = new Answer(text, requestSettings)) {
            return answer.response.getWrittenRows();
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

  /** How many handles are open: one for each statement that is under way. */
  int openHandles() {
    return handles.get();
  }

  /** Frees the HTTP connections. Statements under way fail. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    try {
      connection.close();
    } catch (SQLException | RuntimeException e) {
      // Nothing is kept here that could be lost, and nobody can do anything about it.
    }
  }

  /**
   * Runs a statement, and again after a fault that may pass, as long as the statement's time lasts:
   * when the server has not begun with it for sure, or where {@link Operation#isRepeatable} says
   * that a second time does no harm. A server that cannot be reached is left for the next one.
   *
   * @param template the statement before names and values were put in
   */
  private <T> T run(Operation operation, String template, Attempt<T> attempt) {
    requireOpen();
    if (operation.changes()) {
      guard.run();
    }
    List<ReplicaConsistency.Sync> before = consistency.before(template);
    Map<String, String> besides = consistency.besides(template);
    long budget = settings.requestTimeout().toNanos();
    OptionalLong firstSent = OptionalLong.empty();
    StateFailure.OutcomeUnknown unknown = null;
    List<ServerAddress> unreachable = new ArrayList<>();
    ServerAddress ready = null;
    for (int tries = 1; ; tries++) {
      ServerAddress server = servers.current();
      while (!before.isEmpty() && !server.equals(ready)) {
        before.forEach(this::synchronize);
        ready = server;
        // Another thread may have moved on meanwhile, to one that has not caught up.
        server = servers.current();
      }
      long startedAt = backoff.nanoTime().getAsLong();
      long left = firstSent.isEmpty() ? budget : budget - (startedAt - firstSent.getAsLong());
      Exchange exchange =
          new Exchange(
              settings.connectTimeout(),
              Duration.ofNanos(Math.max(1, left)),
              settings.requestTimeout(),
              server,
              besides);
      T answer;
      try {
        answer = transport.during(exchange, () -> attempt.make(exchange));
      } catch (Exception e) {
        if (isUnreachable(e, exchange)) {
          servers.moveOnFrom(exchange.server());
          unreachable.add(exchange.server());
          if (unreachable.size() % servers.count() != 0 && !closed.get()) {
            // Not a try: this one was never asked.
            tries--;
            continue;
          }
        }
        RuntimeException failure = failure(operation, e, exchange, unreachable);
        if (failure instanceof StateFailure.OutcomeUnknown mine) {
          unknown = mine;
        }
        if (firstSent.isEmpty() && exchange.progress() != Progress.NOT_SENT) {
          firstSent = OptionalLong.of(startedAt);
        }
        boolean harmless =
            operation.isRepeatable() || !(failure instanceof StateFailure.OutcomeUnknown);
        Duration delay = backoff.delay(tries);
        if (tries == Backoff.MOST_TRIES
            || !harmless
            || !errors.mayPass(e, exchange.progress())
            || ClickHouseErrors.isUnfinished(e)
            || isOver(budget, firstSent, delay)
            || !backoff.await(delay)
            || isOver(budget, firstSent, Duration.ZERO)
            || closed.get()) {
          throw ofAllTries(failure, unknown);
        }
        continue;
      }
      if (exchange.progress() == Progress.NOT_SENT) {
        // It went past the transport: nothing that is promised of faults would hold.
        throw otherDriver(null);
      }
      return answer;
    }
  }

  private void synchronize(ReplicaConsistency.Sync sync) {
    try {
      execute(sync.operation(), sync.sql(), update -> {});
    } catch (StateFailure.WrongSchema e) {
      if (!ClickHouseErrors.isOfMissingTable(e)) {
        throw e;
      }
      // Whoever meets a missing table in the statement itself knows what to do about it.
    }
  }

  private boolean isUnreachable(Exception thrown, Exchange exchange) {
    return servers.count() > 1
        && exchange.progress() == Progress.NOT_SENT
        && ClickHouseErrors.isUnreachable(thrown);
  }

  /** The last try may have changed nothing for sure, and an earlier one something. */
  private static RuntimeException ofAllTries(
      RuntimeException last, StateFailure.@Nullable OutcomeUnknown unknown) {
    if (unknown == null || last == unknown) {
      return last;
    }
    unknown.addSuppressed(last);
    return unknown;
  }

  private static IllegalStateException otherDriver(@Nullable Throwable cause) {
    return new IllegalStateException(
        "statectl cannot work with this version of com.clickhouse:clickhouse-jdbc: use the one that"
            + " dev.statectl:adapter-clickhouse "
            + version()
            + " depends on, and client-v2 of the same version",
        cause);
  }

  private boolean isOver(long budget, OptionalLong firstSent, Duration delay) {
    return firstSent.isPresent()
        && backoff.nanoTime().getAsLong() - firstSent.getAsLong() + delay.toNanos() >= budget;
  }

  private <T> T step(Operation operation, Exchange exchange, Callable<T> work) {
    requireOpen();
    try {
      return transport.during(exchange, work);
    } catch (Exception e) {
      throw failure(operation, e, exchange, List.of());
    }
  }

  private RuntimeException failure(
      Operation operation, Exception thrown, Exchange exchange, List<ServerAddress> unreachable) {
    // Every exception: the driver throws bare RuntimeExceptions, too, and Jdbi lets
    // SQLExceptions through undeclared while it reads rows.
    if (closed.get() && (!operation.changesRows() || exchange.progress() == Progress.NOT_SENT)) {
      return wasClosed();
    }
    ClickHouseErrors there = errors.at(place(exchange.server(), unreachable));
    return there.refusingConsistency(
        operation,
        there.failureOf(operation, thrown, exchange.progress()),
        exchange.settings().keySet());
  }

  private static String place(ServerAddress server, List<ServerAddress> unreachable) {
    String before =
        unreachable.stream()
            .filter(other -> !other.equals(server))
            .distinct()
            .map(ServerAddress::toString)
            .collect(Collectors.joining(", "));
    return before.isEmpty() ? server.toString() : server + " (and before at " + before + ")";
  }

  private void requireOpen() {
    if (closed.get()) {
      throw wasClosed();
    }
  }

  private IllegalStateException wasClosed() {
    return new IllegalStateException("the backend at " + settings.place() + " was closed");
  }

  /** What waits for the server, one piece of an answer after the other. */
  @FunctionalInterface
  private interface Waiting {
    int read(Callable<Integer> work) throws IOException;
  }

  /** A query whose first row, or end, has come. */
  private record Begun(Exchange exchange, Answer answer, boolean hasFirst) {}

  /** The answer to a query, which its {@link Row} reads. Counts as a handle while it is open. */
  private final class Answer extends InputStream {
    private final QueryResponse response;
    private final InputStream in;
    private final Row row;
    // While the first row is awaited, whoever asks for it is the step.
    private Waiting waiting = ClickHouseConnection::readWithin;
    private boolean isOpen = true;

    Answer(String sql, Map<String, String> requestSettings) throws SQLException {
      response = query(sql, requestSettings);
      try {
        in = response.getInputStream();
      } catch (RuntimeException | Error e) {
        closeBesides(e, response);
        throw e;
      }
      row = new Row(this);
      handles.incrementAndGet();
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      // The driver gives no more than one frame of the compression at a time.
      return waiting.read(
          () -> {
            int read = in.readNBytes(bytes, offset, length);
            return read == 0 && length > 0 ? -1 : read;
          });
    }

    @Override
    public void close() throws IOException {
      if (isOpen) {
        isOpen = false;
        handles.decrementAndGet();
      }
      try {
        response.close();
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
    }
  }

  private QueryResponse query(String sql, Map<String, String> requestSettings) throws SQLException {
    QuerySettings query =
        new QuerySettings().setFormat(ClickHouseFormat.RowBinaryWithNamesAndTypes);
    requestSettings.forEach(query::serverSetting);
    try {
      return client.query(sql, query).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ExceptionUtils.toSqlState(e);
    } catch (ExecutionException | RuntimeException e) {
      // As the driver's JDBC does, so that failures look alike.
      throw ExceptionUtils.toSqlState(e);
    }
  }

  private static int readWithin(Callable<Integer> work) throws IOException {
    try {
      return work.call();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** What sends one request and reads its answer. */
  @FunctionalInterface
  private interface Attempt<T> {
    T make(Exchange exchange) throws Exception;
  }

  private static void closeBesides(Throwable thrown, AutoCloseable open) {
    try {
      open.close();
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

  /** Hands out the one connection and keeps it open; counts who has it. */
  private record Shared(Connection connection, AtomicInteger handles) implements ConnectionFactory {
    @Override
    public Connection openConnection() {
      handles.incrementAndGet();
      return connection;
    }

    @Override
    public void closeConnection(Connection ignored) {
      // It is closed with the backend.
      handles.decrementAndGet();
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
}
