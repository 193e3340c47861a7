package dev.statectl.clickhouse.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EngineConfigurationTest {
  private static final String KEEPER_MAP =
      "CREATE TABLE m (k String, v String) ENGINE = KeeperMap('/m') PRIMARY KEY k";

  @TempDir Path directory;

  @Test
  void macrosAndClustersAreThoseOfAServer() {
    EngineConfiguration configuration =
        EngineConfiguration.none()
            .withMacro("shard", "01")
            .withMacro("replica", "one & <only>")
            .withCluster("replicas", List.of(List.of("127.0.0.1:9001", "127.0.0.2:9002")))
            .withCluster("shards", List.of(List.of("127.0.0.1:9001"), List.of("127.0.0.2:9002")))
            .withSetting("display_name", "somewhere");

    try (LocalClickHouse engine = LocalClickHouse.start(directory, configuration)) {
      ClickHouseEndpoint admin = engine.endpoint();
      assertThat(admin.query("SELECT macro, substitution FROM system.macros ORDER BY macro"))
          .isEqualTo("replica\tone & <only>\nshard\t01");
      assertThat(
              admin.query(
                  "SELECT cluster, shard_num, replica_num, host_name, port FROM system.clusters"
                      + " ORDER BY ALL"))
          .isEqualTo(
              "replicas\t1\t1\t127.0.0.1\t9001\nreplicas\t1\t2\t127.0.0.2\t9002\n"
                  + "shards\t1\t1\t127.0.0.1\t9001\nshards\t2\t1\t127.0.0.2\t9002");
      engine.restart();
      assertThat(admin.query("SELECT getMacro('shard')")).isEqualTo("01");
    }
  }

  @Test
  void withoutAPrefixAndWithoutAKeeperThereAreNoKeeperMaps() {
    try (LocalClickHouse engine = LocalClickHouse.start(directory.resolve("plain"))) {
      assertRefused(
          engine.endpoint(),
          36,
          "KeeperMap is disabled because 'keeper_map_path_prefix' config is not defined.");
      assertThat(engine.endpoint().query("SELECT count() FROM system.clusters")).isEqualTo("0");
    }
    try (LocalClickHouse engine =
        LocalClickHouse.start(
            directory.resolve("prefix"), EngineConfiguration.none().withKeeperMap("/maps"))) {
      assertRefused(
          engine.endpoint(), 139, "There is no Zookeeper configuration in server config.");
    }
  }

  private static void assertRefused(ClickHouseEndpoint admin, int code, String reason) {
    QueryFailed failure = catchThrowableOfType(QueryFailed.class, () -> admin.execute(KEEPER_MAP));
    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure)
        .hasMessageStartingWith("Code: " + code + ". DB::Exception: " + reason + " (");
  }
}
