package dev.statectl.benchmark;

import com.clickhouse.jdbc.Driver;
import com.clickhouse.jdbc.StatementImpl;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/**
 * Runs recorded statements through a plain connection of the JDBC driver, with the settings that
 * went with them, and reads all columns of all rows.
 */
final class BareDriver implements AutoCloseable {
  /** What the driver sends by itself. */
  private static final Set<String> ITS_OWN =
      Set.of("client_protocol_version", "compress", "database", "query", "query_id", "role");

  private final Connection connection;

  /** A statement with the settings of its request. */
  record Prepared(String sql, Map<String, String> settings) {}

  BareDriver(ClickHouseEndpoint server) {
    Properties properties = new Properties();
    properties.setProperty("user", server.user());
    properties.setProperty("password", server.password());
    properties.setProperty("database", server.database());
    properties.setProperty("compress", "true");
    try {
      connection =
          Objects.requireNonNull(
              new Driver()
                  .connect(
                      "jdbc:clickhouse:http://" + server.host() + ":" + server.port() + "/",
                      properties));
    } catch (SQLException e) {
      throw new IllegalStateException("No connection of the driver", e);
    }
  }

  /** The driver's own version. */
  static String version(ClickHouseEndpoint server) {
    try (BareDriver driver = new BareDriver(server)) {
      return driver.connection.getMetaData().getDriverVersion();
    } catch (SQLException e) {
      throw new IllegalStateException("The driver does not tell its version", e);
    }
  }

  /** A statement for the driver; empty where the request holds more than text. */
  static Optional<Prepared> prepared(RecordedRequest request) {
    Map<String, String> settings = request.parameters();
    settings.keySet().removeAll(ITS_OWN);
    return request.sql().map(sql -> new Prepared(sql, settings));
  }

  /** Runs them one after the other. */
  void run(List<Prepared> statements) {
    for (Prepared prepared : statements) {
      try (Statement statement = connection.createStatement()) {
        statement.setEscapeProcessing(false);
        StatementImpl implementation = statement.unwrap(StatementImpl.class);
        prepared
            .settings()
            .forEach((name, value) -> implementation.getLocalSettings().serverSetting(name, value));
        if (statement.execute(prepared.sql())) {
          read(statement);
        }
      } catch (SQLException e) {
        throw new IllegalStateException("The driver could not repeat: " + prepared.sql(), e);
      }
    }
  }

  private static void read(Statement statement) throws SQLException {
    try (ResultSet rows = statement.getResultSet()) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        for (int i = 1; i <= columns; i++) {
          rows.getObject(i);
        }
      }
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("The driver's connection does not close", e);
    }
  }
}
