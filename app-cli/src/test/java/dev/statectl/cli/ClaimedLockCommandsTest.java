package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.KeeperEngines;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that see and meet locks, where Keeper gives them, with claims planted. */
class ClaimedLockCommandsTest {
  private static final String DOCUMENT = "{\"singer_state\": {}}";
  private static final String OURS = "00000000-0000-716f-5e66-e80069539bfe";

  private final ClickHouseEndpoint server = KeeperEngines.shared().first();
  private final String schema = KeeperEngines.freshSchema();
  private final String target = server.host() + ":" + server.port() + " " + schema + ".state";

  @TempDir private Path directory;

  @Test
  void aStateIsWrittenUnderAClaimAndNothingIsLeft() {
    assertThat(run("set", "dev:a", DOCUMENT))
        .isEqualTo(new Outcome(0, "", "statectl: set 'dev:a' in " + target + " (20 bytes)\n"));

    assertThat(claims()).isEqualTo("dev:a\t");
    assertThat(run("lock", "list")).isEqualTo(new Outcome(0, "", ""));
    assertThat(run("set", "dev:a", DOCUMENT, "--force").code()).isZero();
    assertThat(run("clear", "dev:a", "--force").code()).isZero();
    assertThat(claims()).isEqualTo("dev:a\t");
  }

  @Test
  void whoeverHasTheClaimIsNamedAndBroken() {
    run("set", "dev:a", DOCUMENT);
    plantClaim(10);

    Outcome refused = run("set", "dev:a", DOCUMENT, "--force", "--wait", "0");
    assertThat(refused.code()).isEqualTo(4);
    assertThat(refused.err())
        .contains("the lock of 'dev:a' is held by etl@worker pid 7 (lock id " + OURS + ")");
    assertThat(run("lock", "show", "dev:a").out())
        .contains("dev:a  etl@worker pid 7  ")
        .contains(OURS);
    Outcome broken = run("lock", "break", "dev:a", "--force");
    assertThat(broken.code()).isZero();
    assertThat(broken.err())
        .startsWith("statectl: broke the lock of 'dev:a' in " + target + ", which was held by")
        .contains("etl@worker pid 7");
    assertThat(run("lock", "show", "dev:a"))
        .isEqualTo(new Outcome(3, "", "statectl: nobody holds the lock of 'dev:a'\n"));
    assertThat(run("set", "dev:a", DOCUMENT, "--force", "--wait", "0").code()).isZero();
  }

  @Test
  void aClaimIsBrokenByItsLockIdAndNoOther() {
    run("set", "dev:a", DOCUMENT);
    plantClaim(10);

    assertThat(run("lock", "break", "dev:a", "--lock-id", "x"))
        .satisfies(outcome -> assertThat(outcome.code()).isEqualTo(5))
        .satisfies(
            outcome ->
                assertThat(outcome.err())
                    .contains("is not held with the lock id x any more; it is held by etl@worker"));
    assertThat(run("lock", "break", "dev:a", "--lock-id", OURS))
        .isEqualTo(
            new Outcome(
                0,
                "",
                "statectl: broke the lock of 'dev:a' in " + target + " (lock id " + OURS + ")\n"));
    assertThat(claims()).isEqualTo("dev:a\t");
  }

  @Test
  void aStaleClaimKeepsNobodyOut() {
    run("set", "dev:a", DOCUMENT);
    plantClaim(301);

    assertThat(run("lock", "show", "dev:a").code()).isEqualTo(3);
    assertThat(run("set", "dev:a", DOCUMENT, "--force", "--wait", "0").code()).isZero();
    assertThat(claims()).isEqualTo("dev:a\t");
  }

  @Test
  void aServerWithoutTablesInKeeperIsRefused() {
    ClickHouseEndpoint without = TestClickHouse.shared().endpoint();
    String fresh = TestClickHouse.shared().freshSchema();
    Outcome outcome =
        RunStatectl.in(directory)
            .variable("MELTANO_STATE_BACKEND_URI", without.uri())
            .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", fresh)
            .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_LOCK_MODE", "keeper")
            .run("set", "dev:a", DOCUMENT);

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err())
        .contains("the server offers no tables in Keeper")
        .contains("set keeper_map_path_prefix in the configuration of every server");
  }

  private void plantClaim(long age) {
    KeeperEngines.plantClaim(server, schema, "dev:a", OURS, "etl@worker pid 7", age);
  }

  private String claims() {
    return server.query("SELECT state_id, lock_id FROM " + schema + ".state_claim FORMAT TSVRaw");
  }

  private Outcome run(String... args) {
    return RunStatectl.in(directory)
        .variable("MELTANO_STATE_BACKEND_URI", server.uri())
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema)
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_LOCK_MODE", "keeper")
        .run(args);
  }
}
