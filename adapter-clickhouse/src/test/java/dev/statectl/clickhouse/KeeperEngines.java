package dev.statectl.clickhouse;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.Directories;
import dev.statectl.clickhouse.engine.EngineConfiguration;
import dev.statectl.clickhouse.engine.LocalClickHouse;
import dev.statectl.clickhouse.engine.TestKeeper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Two engines on one Keeper, which share nothing but the claim tables in it. Started when they are
 * first asked for, and used by all tests of a run.
 */
public final class KeeperEngines {
  private static @Nullable KeeperEngines shared;

  private final TestKeeper keeper;
  private final LocalClickHouse first;
  private final LocalClickHouse second;

  private KeeperEngines(Path directory) {
    keeper = TestKeeper.start(directory.resolve("keeper"));
    EngineConfiguration configuration = EngineConfiguration.on(keeper);
    first = LocalClickHouse.start(directory.resolve("first"), configuration);
    second = LocalClickHouse.start(directory.resolve("second"), configuration);
  }

  public static synchronized KeeperEngines shared() {
    if (shared == null) {
      try {
        Path directory = Files.createTempDirectory("statectl-keeper-");
        KeeperEngines engines = new KeeperEngines(directory);
        Runtime.getRuntime()
            .addShutdownHook(
                new Thread(
                    () -> {
                      engines.first.close();
                      engines.second.close();
                      engines.keeper.close();
                      try {
                        Directories.delete(directory);
                      } catch (IOException e) {
                        System.err.println("The engines for tests were not cleaned up: " + e);
                      }
                    }));
        shared = engines;
      } catch (IOException e) {
        throw new UncheckedIOException("No temporary directory for the local engines", e);
      }
    }
    return shared;
  }

  public TestKeeper keeper() {
    return keeper;
  }

  public ClickHouseEndpoint first() {
    return first.endpoint();
  }

  public ClickHouseEndpoint second() {
    return second.endpoint();
  }

  /** A name that no test used before. */
  public static String freshSchema() {
    return "schema_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
  }

  /** Settings under which locks are claimed. */
  static ClickHouseSettings settings(ClickHouseEndpoint endpoint, String schema) {
    return TestStores.settings(endpoint, schema)
        .withReplication(
            new ReplicationSettings("", Replicated.AUTO, Consistency.AUTO, KeeperLocks.ON));
  }

  static ClickHouseBackend open(ClickHouseEndpoint endpoint, String schema) {
    return ClickHouseBackend.open(settings(endpoint, schema));
  }

  /** Stores a claim of some age, past the adapter. */
  public static void plantClaim(
      ClickHouseEndpoint endpoint,
      String schema,
      String id,
      String lockId,
      String holder,
      long age) {
    TableNames names = TableNames.of(schema, "state");
    endpoint.execute(
        "CREATE DATABASE IF NOT EXISTS `" + schema + "`",
        names.runIn(ClaimTableSql.CREATE.replace("<on_cluster>", "")),
        // Not strict, so it takes the place of any other.
        names.runIn("INSERT INTO <claim_table> (state_id, lock_id, holder, locked_at) SELECT ")
            + String.join(
                ", ",
                TestStores.literal(id),
                TestStores.literal(lockId),
                TestStores.literal(holder),
                "now() - " + age));
  }
}
