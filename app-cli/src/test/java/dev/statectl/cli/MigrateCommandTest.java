package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.engine.EngineConfiguration;
import dev.statectl.clickhouse.engine.LocalClickHouse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * On an engine that says of itself that it is both replicas of a cluster. It has no statements for
 * a whole cluster, so that a migration ends with its first step.
 */
class MigrateCommandTest {
  private static final String STATE = "{\"singer_state\": {\"n\": 1}}";

  @TempDir private static Path directory;

  private static LocalClickHouse engine;
  private static int schemas;

  private final String schema = "c" + schemas++;

  @BeforeAll
  static void start() {
    engine =
        LocalClickHouse.start(
            directory.resolve("engine"),
            EngineConfiguration.none()
                .withSetting("tcp_port", "9000")
                .withMacro("shard", "1")
                .withMacro("replica", "r1")
                .withCluster("default", List.of(List.of("127.0.0.1:9000", "localhost:9000")))
                .withCluster("sharded", List.of(List.of("127.0.0.1:9000"), List.of("b:9000"))));
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @BeforeEach
  void plant() {
    assertThat(run("set", "dev:a", STATE, "--replicated", "off").code()).isZero();
  }

  @Test
  void whatIsNotReplicatedIsRefusedAndExamined() {
    String why =
        "SCHEMA.state and SCHEMA.state_lock are not replicated, but the cluster default has 2"
            + " replicas, and each would keep states and locks of its own";

    assertThat(run("set", "dev:b", STATE))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: cannot write to SCHEMA.state at PLACE: "
                    + why
                    + "; look at statectl doctor, and replicate what is there with statectl migrate"
                    + " --to replicated, or, if everybody connects to this one server, set"
                    + " state_backend.clickhouse.replicated to off\n"));
    assertThat(run("get", "dev:a").out()).isEqualTo(STATE + "\n");
    Outcome doctor = run("doctor");
    assertThat(doctor.code()).isEqualTo(1);
    assertThat(doctor.out())
        .contains(
            "ERROR    replication (SCHEMA): " + why + "\n",
            "         mend: statectl migrate --to replicated --dry-run\n",
            "               statectl migrate --to replicated\n");
    assertThat(run("doctor", "--replicated", "off").out())
        .contains(
            "WARNING  replication (SCHEMA): there are other servers, and"
                + " state_backend.clickhouse.replicated is off\n");
  }

  @Test
  void aDryRunSaysWhatEachServerHoldsAndEveryStatement() {
    Outcome outcome = run("migrate", "--to", "replicated", "--dry-run");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().lines().filter(line -> line.matches("statectl: {3}\\d\\. .*")))
        .containsExactly(
            "statectl:   1. make the tables on servers that lack them",
            "statectl:   2. make replicated tables beside them",
            "statectl:   3. copy what all servers have",
            "statectl:   4. compare the copies",
            "statectl:   5. wait until every server has the copies",
            "statectl:   6. exchange the tables and their copies",
            "statectl:   7. copy what was written meanwhile",
            "statectl:   8. compare the tables",
            "statectl:   9. set the old tables aside");
    assertThat(outcome.err())
        .contains(
            " has 1 state, 0 of them alone, 0 older than elsewhere\n",
            "statectl:      EXCHANGE TABLES \"SCHEMA\".\"state_lock\" AND"
                + " \"SCHEMA\".\"state_lock_migration\", \"SCHEMA\".\"state\" AND"
                + " \"SCHEMA\".\"state_migration\" ON CLUSTER 'default'\n")
        .endsWith(
            "statectl: would migrate TARGET to replicated tables in the cluster default\n"
                + "statectl: dry run: nothing was changed\n");
    assertThat(tables()).isEqualTo("state\nstate_lock");
  }

  @Test
  void itIsNotDoneUnasked() {
    Outcome outcome = run("migrate", "--to", "replicated");

    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err())
        .endsWith(
            "statectl: this would migrate TARGET to replicated tables in the cluster default; give"
                + " --yes to do it; nothing was changed\n");
  }

  @Test
  void whereAStepFailsNothingOfTheNextIsBegun() {
    Outcome outcome = run("migrate", "--to", "replicated", "--yes");

    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: step 1 of 9: make the tables on servers that lack them\n"
                    + "statectl: cannot replicate the tables SCHEMA.state and SCHEMA.state_lock at"
                    + " PLACE: the server's configuration lacks what tables on several servers need"
                    + " (ClickHouse error 392); an administrator sets up the cluster, its Keeper,"
                    + " macros and distributed_ddl on each server"
                    + " (https://clickhouse.com/docs/architecture/replication)\n"));
    assertThat(tables()).isEqualTo("state\nstate_lock");
  }

  @Test
  void severalShardsAreRefusedWithTheReason() {
    assertThat(run("migrate", "--to", "replicated", "--cluster", "sharded"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: cannot replicate the tables SCHEMA.state and SCHEMA.state_lock at PLACE:"
                    + " the cluster sharded has 2 shards, and each would keep states and locks of"
                    + " its own; name a cluster of one shard in state_backend.clickhouse.cluster,"
                    + " or, if everybody connects to this one server, set"
                    + " state_backend.clickhouse.replicated to off\n"));
  }

  @Test
  void anEmbeddedStoreHasNoReplicas() {
    assertThat(
            RunStatectl.in(directory)
                .run("migrate", "--to", "replicated", "--uri", "memory:")
                .err())
        .endsWith(
            "statectl: an embedded store has one file and no replicas; nothing was changed\n");
  }

  private static String tables(String schema) {
    return engine
        .endpoint()
        .query("SELECT name FROM system.tables WHERE database = '" + schema + "' ORDER BY name");
  }

  private String tables() {
    return tables(schema);
  }

  private Outcome run(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--schema", schema));
    Outcome outcome =
        RunStatectl.in(directory)
            .variable("MELTANO_STATE_BACKEND_URI", engine.endpoint().uri())
            .run(all.toArray(String[]::new));
    String place = engine.endpoint().host() + ":" + engine.endpoint().port();
    return new Outcome(outcome.code(), masked(outcome.out(), place), masked(outcome.err(), place));
  }

  private String masked(String text, String place) {
    return text.replace(" --schema=" + schema, "")
        .replace(place + " " + schema + ".state", "TARGET")
        .replace(schema, "SCHEMA")
        .replace(place, "PLACE");
  }
}
