package dev.statectl.clickhouse.engine;

import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * The ClickHouse engine in this process. Every run gets a connection of its own, which costs less
 * than a millisecond: so nothing that a statement sets can reach the next one, and statements run
 * in parallel. Thread-safe.
 */
final class Engine implements AutoCloseable {
  private static final String TAB_SEPARATED = "TabSeparated";

  private final Chdb chdb;
  private final Path data;
  private final Path configuration;
  // Held open for the life of the process: the engine shuts down with its last connection.
  private final Pointer first;

  private Engine(Chdb chdb, Path data, Path configuration) {
    this.chdb = chdb;
    this.data = data;
    this.configuration = configuration;
    this.first = connect();
  }

  /** Opens the data in that directory, with a file of a server's configuration. */
  static Engine open(Path library, Path data, Path configuration) {
    return new Engine(Native.load(library.toString(), Chdb.class), data, configuration);
  }

  /** What a statement gave: the bytes of its result in the format asked for, and its counts. */
  record Answer(
      byte[] body,
      long readRows,
      long readBytes,
      long writtenRows,
      long writtenBytes,
      long resultRows,
      long resultBytes) {}

  /**
   * Runs the statement after the ones that prepare its connection.
   *
   * @throws ServerError if the engine refuses one of them
   */
  Answer run(List<String> before, byte[] sql, String format) throws ServerError {
    Pointer connection = connect();
    try {
      for (String statement : before) {
        run(connection, statement.getBytes(StandardCharsets.UTF_8), TAB_SEPARATED);
      }
      return run(connection, sql, format);
    } finally {
      chdb.chdb_close_conn(connection);
    }
  }

  /** The one value that a query of ours gives, as text. */
  String value(String sql) throws ServerError {
    byte[] body = run(List.of(), sql.getBytes(StandardCharsets.UTF_8), TAB_SEPARATED).body();
    return new String(body, StandardCharsets.UTF_8).strip();
  }

  private Answer run(Pointer connection, byte[] sql, String format) throws ServerError {
    byte[] name = format.getBytes(StandardCharsets.UTF_8);
    Pointer result =
        chdb.chdb_query_n(
            connection.getPointer(0),
            sql,
            new NativeLong(sql.length),
            name,
            new NativeLong(name.length));
    try {
      String error = chdb.chdb_result_error(result);
      if (error != null) {
        throw ServerError.of(error);
      }
      int length = chdb.chdb_result_length(result).intValue();
      return new Answer(
          length == 0 ? new byte[0] : chdb.chdb_result_buffer(result).getByteArray(0, length),
          chdb.chdb_result_storage_rows_read(result),
          chdb.chdb_result_storage_bytes_read(result),
          chdb.chdb_result_rows_written(result),
          chdb.chdb_result_bytes_written(result),
          chdb.chdb_result_rows_read(result),
          chdb.chdb_result_bytes_read(result));
    } finally {
      chdb.chdb_destroy_query_result(result);
    }
  }

  private Pointer connect() {
    String[] arguments = {"clickhouse", "--path=" + data, "--config-file=" + configuration};
    Pointer connection = chdb.chdb_connect(arguments.length, arguments);
    if (connection == null) {
      throw new IllegalStateException("libchdb gives no connection to " + data);
    }
    return connection;
  }

  /** Only when no statement runs any more: else the process cannot end. */
  @Override
  public void close() {
    chdb.chdb_close_conn(first);
  }
}
