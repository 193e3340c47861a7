package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The doctor's visits to real tables: what it finds, and what it mends. */
class DoctorCommandTest {
  private static final TestClickHouse CLICK_HOUSE = TestClickHouse.shared();
  private static final String STATE = "{\"singer_state\": {\"bookmarks\": {\"o\": {\"id\": 1.0}}}}";
  private static final String PLUGIN_LOCK = "f0000000-0000-4000-8000-000000000001";

  @TempDir private Path directory;
  private final String schema = CLICK_HOUSE.freshSchema();

  @Test
  void aHealthyStoreIsOkInEveryRespect() {
    run("set", "dev:a", STATE);

    Outcome outcome = run("doctor");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(
            outcome
                .out()
                .replace(target(), "TARGET")
                .replace(place(), "PLACE")
                .replace(schema, "SCHEMA")
                .replace(CLICK_HOUSE.version(), "VERSION")
                .replace("the user " + CLICK_HOUSE.endpoint().user(), "the user USER")
                .replace("as " + CLICK_HOUSE.endpoint().user(), "as USER")
                .replace("goes to " + CLICK_HOUSE.endpoint().database(), "goes to DATABASE")
                .replaceAll("takes \\d+ ms", "takes N ms")
                .replaceAll("(statectl|clickhouse-jdbc|Jdbi|Java) \\d[-.0-9A-Z_+]*", "$1 N")
                .replaceAll("\\d+ parts?", "N parts")
                .replaceAll("OK {7}async-insert .*\n", ""))
        .isEqualTo(
            """
            OK       connection (PLACE): plain HTTP within this machine, as USER
            OK       latency (PLACE): an answer takes N ms (median)
            OK       server-version (PLACE): ClickHouse VERSION
            OK       software (statectl N): clickhouse-jdbc N, Jdbi N, Java N
            OK       place (SCHEMA.state): states live in SCHEMA, by the setting schema; the connection\
             goes to DATABASE, which keeps none
            OK       rights (the user USER): has every right to read and write states and locks
            OK       table (SCHEMA.state): ReplacingMergeTree(updated_at) ORDER BY state_id, N parts
            OK       table (SCHEMA.state_lock): ReplacingMergeTree(locked_at) ORDER BY (state_id, candidate)\
             TTL locked_at + toIntervalSecond(300), N parts
            OK       history (SCHEMA.state_history): not recorded; statectl history enable begins
            OK       replication (SCHEMA): one server has all rows
            OK       mutations (SCHEMA): none is pending
            OK       clock (TARGET): the store's clock agrees with this machine's within 5 seconds
            OK       states (TARGET): 1 state, which can be read and is of a time that has come
            OK       locks (TARGET): no lock is held
            0 errors, 0 warnings, 0 infos, 15 ok
            """);
    assertThat(run("doctor", "--fix"))
        .satisfies(
            fixed -> {
              assertThat(fixed.code()).isZero();
              assertThat(fixed.err())
                  .isEqualTo(
                      "statectl: there is nothing in " + target() + " that --fix could mend\n");
            });
  }

  @Test
  void missingTablesAreWorthKnowingAndAreMade() {
    Outcome outcome = run("doctor");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out())
        .contains(
            "INFO     tables-missing ("
                + schema
                + "): "
                + schema
                + ".state and "
                + schema
                + ".state_lock are missing\n",
            "         mend: CREATE DATABASE IF NOT EXISTS " + schema + ";\n",
            "               (statectl doctor --fix does it)\n")
        .endsWith("0 errors, 0 warnings, 1 info, 12 ok; --fix mends 1\n");
    assertThat(CLICK_HOUSE.query("EXISTS DATABASE " + schema)).isEqualTo("0");

    Outcome fixed = run("doctor", "--fix", "--yes");

    assertThat(fixed.code()).isZero();
    assertThat(fixed.err()).isEqualTo("statectl: mended tables-missing (" + schema + ")\n");
    assertThat(fixed.out()).endsWith("0 errors, 0 warnings, 0 infos, 15 ok\n");
    assertThat(CLICK_HOUSE.query("EXISTS TABLE " + schema + ".state_lock")).isEqualTo("1");
  }

  @Test
  void theTablesOfTheOriginalDescriptionAreADangerThatIsMendedWhileThePluginHoldsALock() {
    createPluginTables();
    lock("dev:held", PLUGIN_LOCK, 10);

    JsonNode finding = only("lock-table-key");

    assertThat(finding.get("level").textValue()).isEqualTo("warning");
    assertThat(finding.get("subject").textValue()).isEqualTo(schema + ".state_lock");
    assertThat(finding.get("what").textValue())
        .isEqualTo("the key is state_id alone, as the Meltano plugin makes it");
    assertThat(finding.get("fixable").booleanValue()).isTrue();
    assertThat(worst()).containsExactly("warning lock-table-key");

    Outcome dry = run("doctor", "--fix", "--dry-run");
    assertThat(dry.code()).isEqualTo(1);
    assertThat(dry.err())
        .isEqualTo(
            """
            statectl:   WARNING lock-table-key (SCHEMA.state_lock): the key is state_id alone, as the\
             Meltano plugin makes it
            statectl:     ALTER TABLE SCHEMA.state_lock ADD COLUMN IF NOT EXISTS candidate String, ADD\
             COLUMN IF NOT EXISTS holder String, ADD COLUMN IF NOT EXISTS released UInt8, MODIFY ORDER\
             BY (state_id, candidate)
            statectl:     ALTER TABLE SCHEMA.state_lock MODIFY COLUMN candidate String DEFAULT lock_id
            statectl: would mend 1 finding in TARGET
            statectl: dry run: nothing was changed
            """
                .replace("TARGET", target())
                .replace("SCHEMA", schema));
    assertThat(run("doctor", "--fix").code()).isEqualTo(2);
    RunStatectl declining = statectl().answering("n");
    assertThat(declining.run("doctor", "--fix").code()).isEqualTo(1);
    assertThat(declining.questions()).containsExactly("Mend 1 finding in " + target() + "? [y/N] ");
    assertThat(worst()).containsExactly("warning lock-table-key");

    Outcome fixed = statectl().answering("y").run("doctor", "--fix");

    assertThat(fixed.code()).isZero();
    assertThat(fixed.err())
        .endsWith("statectl: mended lock-table-key (" + schema + ".state_lock)\n");
    assertThat(worst()).isEmpty();
    lock("dev:held", PLUGIN_LOCK.replace("1", "2"), 0);
    lock("dev:held", PLUGIN_LOCK.replace("1", "3"), 0);
    CLICK_HOUSE.execute("OPTIMIZE TABLE " + schema + ".state_lock FINAL");
    assertThat(CLICK_HOUSE.query("SELECT count() FROM " + schema + ".state_lock")).isEqualTo("3");
  }

  @Test
  void aTableWithTheWrongKeyIsAnErrorAndMendedByTheStatementsThatAreShown() {
    createPluginTables();
    CLICK_HOUSE.execute("DROP TABLE " + schema + ".state");
    CLICK_HOUSE.execute(
        createStateTable().replace("ORDER BY state_id", "ORDER BY (state_id, updated_at)"));
    plant("dev:a", "{\"n\": 1}", "now64(3) - 10");
    plant("dev:a", "{\"n\": 2}", "now64(3)");

    JsonNode finding = only("table-key");

    assertThat(finding.get("level").textValue()).isEqualTo("error");
    assertThat(finding.get("what").textValue())
        .isEqualTo("the key is (state_id, updated_at), not (state_id)");
    assertThat(finding.get("fixable").booleanValue()).isFalse();
    assertThat(run("doctor", "--fix", "-y").code()).isEqualTo(1);
    assertThat(only("table-key")).isEqualTo(finding);

    steps(finding).subList(0, 2).forEach(CLICK_HOUSE::execute);
    plant("dev:a", "{\"n\": 3}", "now64(3) + 0.5");
    steps(finding).subList(2, 4).forEach(CLICK_HOUSE::execute);

    assertThat(worst()).isEmpty();
    assertThat(run("get", "dev:a").out()).isEqualTo("{\"n\": 3}\n");
    assertThat(CLICK_HOUSE.query("SELECT count() FROM " + schema + ".state_rebuilt"))
        .isEqualTo("3");
  }

  @Test
  void aLockTableWithTheWrongKeyIsMendedByTheStatementsThatAreShown() {
    createPluginTables();
    CLICK_HOUSE.execute("DROP TABLE " + schema + ".state_lock");
    CLICK_HOUSE.execute(createLockTable().replace("ORDER BY state_id", "ORDER BY lock_id"));
    lock("dev:a", PLUGIN_LOCK, 5);

    steps(only("table-key")).forEach(CLICK_HOUSE::execute);

    assertThat(worst()).isEmpty();
    assertThat(CLICK_HOUSE.query("SELECT lock_id, candidate FROM " + schema + ".state_lock"))
        .isEqualTo(PLUGIN_LOCK + "\t" + PLUGIN_LOCK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE %s.state MODIFY TTL toDateTime(updated_at) + INTERVAL 30 DAY|state-table-ttl",
        "ALTER TABLE %s.state MODIFY SETTING non_replicated_deduplication_window ="
            + " 1000|deduplication",
        "ALTER TABLE %s.state DROP COLUMN partial_state|table-columns",
        "ALTER TABLE %s.state MODIFY COLUMN completed_state String DEFAULT ''|table-columns",
        "ALTER TABLE %s.state MODIFY COLUMN updated_at REMOVE DEFAULT|table-default",
        "ALTER TABLE %s.state_lock MODIFY TTL locked_at + INTERVAL 1 DAY|lock-table-ttl"
      })
  void whatWasChangedIsFoundAndMendedByTheStatementsThatAreShown(String changeAndCheck) {
    run("set", "dev:a", STATE);
    CLICK_HOUSE.execute(changeAndCheck.split("\\|")[0].formatted(schema));

    JsonNode finding = only(changeAndCheck.split("\\|")[1]);

    assertThat(finding.get("fixable").booleanValue()).isFalse();
    assertThat(finding.get("mend_by").textValue()).isEqualTo("sql");
    steps(finding).forEach(CLICK_HOUSE::execute);
    assertThat(worst()).isEmpty();
    assertThat(run("get", "dev:a").out()).isEqualTo(STATE + "\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MODIFY TTL locked_at + INTERVAL 60 SECOND|error lock-table-ttl",
        "REMOVE TTL|warning lock-table-ttl",
        "MODIFY COLUMN candidate REMOVE DEFAULT|warning lock-table-default"
      })
  void whatWasChangedOfTheLockTableIsMendedByFix(String changeAndFinding) {
    run("set", "dev:a", STATE);
    CLICK_HOUSE.execute(
        "ALTER TABLE " + schema + ".state_lock " + changeAndFinding.split("\\|")[0]);
    assertThat(worst()).containsExactly(changeAndFinding.split("\\|")[1]);

    assertThat(run("doctor", "--fix", "-y").code()).isZero();

    assertThat(worst()).isEmpty();
  }

  @Test
  void anotherEngineIsAnErrorAndStatesOfItAreStillExamined() {
    CLICK_HOUSE.execute("CREATE DATABASE " + schema);
    CLICK_HOUSE.execute(
        createStateTable().replace("ReplacingMergeTree(updated_at)", "MergeTree"),
        createLockTable());

    assertThat(worst()).containsExactly("error table-engine", "warning lock-table-key");
    assertThat(only("states").get("what").textValue())
        .startsWith("could not be examined: cannot read " + schema + ".state at " + place());

    steps(only("table-engine")).forEach(CLICK_HOUSE::execute);
    assertThat(worst()).containsExactly("warning lock-table-key");
  }

  @Test
  void aReadOnlyUserIsToldWhatItMayDoAndWhatCouldNotBeSeen() {
    createPluginTables();
    ClickHouseEndpoint user = CLICK_HOUSE.createReadOnlyUser("SELECT, INSERT ON " + schema + ".*");

    List<JsonNode> findings = findings(user);

    assertThat(worseThanOk(findings))
        .containsExactly(
            "info rights", "warning lock-table-key", "info replication", "info mutations");
    assertThat(of("rights", findings).get("what").textValue())
        .isEqualTo("may only read: the profile says readonly = 1");
    assertThat(of("mutations", findings).get("what").textValue())
        .isEqualTo(
            "could not be examined: cannot read system.mutations at "
                + place()
                + ": the user "
                + user.user()
                + " lacks a right; an administrator can grant it: GRANT SELECT ON system.mutations"
                + " TO "
                + user.user());
    assertThat(of("lock-table-key", findings).get("fixable").booleanValue()).isFalse();
    Outcome fixed = as(user).run("doctor", "--fix", "-y");
    assertThat(fixed.code()).isEqualTo(1);
    assertThat(fixed.err())
        .isEqualTo("statectl: there is nothing in " + target() + " that --fix could mend\n");
  }

  @Test
  void aUserWhoReadsWhatItNeedsIsNoFault() {
    run("set", "dev:a", STATE);
    ClickHouseEndpoint user =
        CLICK_HOUSE.createUser(
            "SELECT ON " + schema + ".*",
            "SELECT ON system.mutations",
            "SELECT ON system.clusters");

    Outcome outcome = as(user).run("doctor");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out())
        .contains("INFO     rights (the user " + user.user() + "): may only read: nothing else is")
        .endsWith("0 errors, 0 warnings, 1 info, 14 ok\n");
  }

  @Test
  void aUserWhoMayInsertButNotDeleteIsMendedByTheGrantsThatAreShown() {
    run("set", "dev:a", STATE);
    ClickHouseEndpoint user = CLICK_HOUSE.createUser("SELECT, INSERT ON " + schema + ".*");

    List<JsonNode> findings =
        findings(user).stream().filter(f -> f.get("check").textValue().equals("rights")).toList();

    assertThat(findings)
        .extracting(f -> f.get("level").textValue() + " " + f.get("what").textValue())
        .containsExactly(
            "error may take locks, but not delete from " + schema + ".state_lock",
            "warning may store states, but not delete from " + schema + ".state",
            "info may not truncate " + schema + ".state");
    assertThat(findings).noneMatch(f -> f.get("fixable").booleanValue());
    assertThat(as(user).run("doctor").code()).isEqualTo(1);

    findings.forEach(finding -> steps(finding).forEach(CLICK_HOUSE::execute));

    assertThat(of("rights", findings(user)).get("level").textValue()).isEqualTo("ok");
    assertThat(as(user).run("set", "-y", "dev:a", STATE).code()).isZero();
    assertThat(as(user).run("doctor").code()).isZero();
  }

  @Test
  void aUserWhoMayDoNothingIsExaminedAsFarAsItSees() {
    run("set", "dev:a", STATE);
    ClickHouseEndpoint nobody = CLICK_HOUSE.createUser();

    List<JsonNode> findings = findings(nobody);

    assertThat(worseThanOk(findings))
        .contains("error rights", "info states", "info locks")
        .doesNotContain("error states");
    assertThat(of("states", findings).get("what").textValue())
        .contains("GRANT SELECT ON " + schema + ".state TO " + nobody.user());
  }

  @Test
  void aUserWhoMayNotCreateTheTablesIsToldWhatAnAdministratorRuns() {
    ClickHouseEndpoint user = CLICK_HOUSE.createUser("SELECT, INSERT ON " + schema + ".*");

    JsonNode finding = of("tables-missing", findings(user));

    assertThat(finding.get("level").textValue()).isEqualTo("warning");
    assertThat(finding.get("fixable").booleanValue()).isFalse();
    steps(finding).forEach(CLICK_HOUSE::execute);
    assertThat(worst()).isEmpty();
  }

  @Test
  void aVersionOfTheFutureIsMendedByTheCommandsThatAreShown() {
    createPluginTables();
    run("doctor", "--fix", "-y");
    plant("dev:a b", STATE, "now64(3) + INTERVAL 1 HOUR");

    JsonNode finding = only("future-version");

    assertThat(finding.get("level").textValue()).isEqualTo("warning");
    assertThat(finding.get("subject").textValue()).isEqualTo("dev:a b");
    assertThat(finding.get("fixable").booleanValue()).isFalse();
    assertThat(finding.get("mend_by").textValue()).isEqualTo("command");
    assertThat(steps(finding))
        .containsExactly(
            "statectl copy 'dev:a b' 'dev:a b.doctor'",
            "statectl clear 'dev:a b'",
            "statectl move 'dev:a b.doctor' 'dev:a b'");

    run("copy", "dev:a b", "dev:a b.doctor");
    run("clear", "dev:a b", "-y");
    run("move", "dev:a b.doctor", "dev:a b");

    assertThat(worst()).isEmpty();
    assertThat(run("list").out()).isEqualTo("dev:a b\n");
    assertThat(run("get", "dev:a b").out()).isEqualTo(STATE + "\n");
    plant("dev:a b", "{\"n\": 2}", "now64(3) + INTERVAL 1 SECOND");
    assertThat(run("get", "dev:a b").out()).isEqualTo("{\"n\": 2}\n");
  }

  @Test
  void aStateThatCannotBeReadIsAnErrorAndNothingOfItIsShown() {
    createPluginTables();
    plant("dev:bad", "[\"marker-payload\"]", "now64(3)");

    Outcome outcome = run("doctor");

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.out())
        .contains(
            "ERROR    unreadable-state (dev:bad): the column completed_state cannot be read: line 1,"
                + " column 1: expected an object, found an array\n")
        .doesNotContain("marker-payload", CLICK_HOUSE.endpoint().password());
  }

  @Test
  void aStaleLockIsFoundAndTakenAwayAndAHeldOneStays() {
    run("set", "dev:a", STATE);
    lock("dev:stale", PLUGIN_LOCK, 100);
    lock("dev:held", PLUGIN_LOCK, 10);

    Outcome outcome = run("doctor", "--lock-stale", "60");
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.out())
        .containsPattern(
            "WARNING  stale-lock \\(dev:stale\\): a lock of the Meltano plugin was left behind: its"
                + " row is 1\\d\\d seconds old, and counts no more after 60\n")
        .contains(
            "         mend: statectl --lock-stale=60 lock break --lock-id "
                + PLUGIN_LOCK
                + " dev:stale\n",
            "               (statectl doctor --fix does it)\n")
        .endsWith("0 errors, 1 warning, 0 infos, 14 ok; --fix mends 1\n");

    Outcome fixed = run("doctor", "--fix", "-y", "--lock-stale", "60");

    assertThat(fixed.code()).isZero();
    assertThat(fixed.err()).isEqualTo("statectl: mended stale-lock (dev:stale)\n");
    assertThat(fixed.out()).contains("1 lock is held, the oldest row ");
    assertThat(CLICK_HOUSE.query("SELECT state_id FROM " + schema + ".state_lock"))
        .isEqualTo("dev:held");
  }

  @Test
  void aThousandPartsAreAnErrorAndMerged() {
    run("set", "dev:a", STATE);
    // No merge in the background is allowed to be as large; the doctor's is not bound by it.
    CLICK_HOUSE.execute(
        "ALTER TABLE "
            + schema
            + ".state MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1,"
            + " max_bytes_to_merge_at_min_space_in_pool = 1");
    insertParts();

    JsonNode finding = only("parts");
    assertThat(finding.get("level").textValue()).isEqualTo("error");
    assertThat(finding.get("what").textValue()).matches("100\\d parts wait to be merged");
    assertThat(steps(finding)).containsExactly("OPTIMIZE TABLE " + schema + ".state FINAL");

    Outcome fixed = run("doctor", "--fix", "-y");

    assertThat(fixed.err()).isEqualTo("statectl: mended parts (" + schema + ".state)\n");
    assertThat(fixed.code()).isZero();
    assertThat(activeParts()).isEqualTo("1");
    assertThat(CLICK_HOUSE.query("SELECT count() FROM " + schema + ".state FINAL"))
        .isEqualTo("1001");
  }

  @Test
  void partsThatTheServerDoesNotMergeAreSaidToBeLeft() {
    run("set", "dev:a", STATE);
    CLICK_HOUSE.execute("SYSTEM STOP MERGES " + schema + ".state");
    insertParts();

    Outcome fixed = run("doctor", "--fix", "-y");

    assertThat(fixed.code()).isEqualTo(1);
    assertThat(fixed.err())
        .isEqualTo(
            "statectl: not mended: parts ("
                + schema
                + ".state): cannot merge the parts of "
                + schema
                + ".state at "
                + place()
                + ": it was cancelled on the server, by a shutdown or by another change of the table"
                + " (ClickHouse error 236); try again\n");
    assertThat(fixed.out()).contains("ERROR    parts (" + schema + ".state): ");
    CLICK_HOUSE.execute("SYSTEM START MERGES " + schema + ".state");
  }

  @Test
  void pendingMutationsAreFound() {
    run("set", "dev:a", STATE);
    CLICK_HOUSE.execute(
        "ALTER TABLE "
            + schema
            + ".state UPDATE partial_state = toString(throwIf(1)) WHERE 1 SETTINGS mutations_sync = 0");
    await(
        "SELECT countIf(latest_fail_reason != '') FROM system.mutations WHERE database = '"
            + schema
            + "'");

    JsonNode finding = only("mutations");

    assertThat(finding.get("level").textValue()).isEqualTo("error");
    assertThat(finding.get("what").textValue())
        .matches("1 is pending, the oldest for \\d+ seconds; 1 of them failed");
    steps(finding).forEach(CLICK_HOUSE::execute);
    assertThat(worst()).isEmpty();
  }

  @Test
  void aStateTableThatIsGoneIsAnErrorWhereItsHistoryIsThere() {
    run("set", "dev:a", STATE);
    run("history", "enable");
    CLICK_HOUSE.execute("RENAME TABLE " + schema + ".state TO " + schema + ".old");

    JsonNode finding = only("tables-missing");

    assertThat(finding.get("level").textValue()).isEqualTo("error");
    assertThat(finding.get("what").textValue())
        .isEqualTo(schema + ".state is missing, but its history is there");
    assertThat(only("history").get("mend").isNull()).isTrue();
    assertThat(run("doctor", "--fix", "-y").code()).isEqualTo(1);
    assertThat(CLICK_HOUSE.query("EXISTS TABLE " + schema + ".state")).isEqualTo("0");
  }

  @Test
  void whyATableIsMissingIsSaidAsFarAsItIsKnown() {
    run("set", "dev:a", STATE);
    CLICK_HOUSE.execute("DROP TABLE " + schema + ".state_lock");
    assertThat(only("tables-missing").get("why").textValue())
        .isEqualTo(
            "states are read without it, but no lock is seen; the first write makes what is"
                + " missing");

    assertThat(run("doctor", "--fix", "-y").code()).isZero();
    CLICK_HOUSE.execute("DROP TABLE " + schema + ".state");

    assertThat(only("tables-missing").get("why").textValue())
        .isEqualTo(
            "no state is stored here yet, only locks were; or the table was dropped or renamed, and"
                + " its states with it; the first write makes what is missing");
  }

  @Test
  void aHistoryIsExaminedWithTheTables() {
    run("set", "dev:a", STATE);
    run("history", "enable");
    assertThat(run("doctor").out())
        .contains(
            "OK       history (" + schema + ".state_history): every state that is stored is",
            "has every right to read and write states, locks and history",
            "OK       table ("
                + schema
                + ".state_history): MergeTree ORDER BY (state_id, updated_at,")
        .endsWith("0 errors, 0 warnings, 0 infos, 16 ok\n");

    run("history", "disable", "-y");
    assertThat(worseThanOk(findings(CLICK_HOUSE.endpoint()))).containsExactly("info history");

    run("history", "enable");
    CLICK_HOUSE.execute("DROP TABLE " + schema + ".state_history");
    assertThat(worst()).containsExactly("error history");
    assertThat(steps(only("history"))).containsExactly("statectl history enable");
    run("history", "enable");
    assertThat(worst()).isEmpty();
  }

  @Test
  void aStateTableInTheDatabaseOfTheConnectionIsADanger() {
    run("set", "dev:a", STATE);
    String other = CLICK_HOUSE.freshSchema();
    CLICK_HOUSE.execute("CREATE DATABASE " + other, createStateTable().replace(schema, other));

    List<JsonNode> findings = findings(CLICK_HOUSE.endpoint().in(other));

    assertThat(worseThanOk(findings)).containsExactly("warning place");
    assertThat(of("place", findings).get("what").textValue())
        .isEqualTo(
            "states live in "
                + schema
                + ".state, by the setting schema, but the database of the connection has a state"
                + " table as well, "
                + other
                + ".state");
  }

  @Test
  void whoeverIsNotLetInLearnsItAsWithEveryCommand() throws IOException {
    ClickHouseEndpoint wrong =
        CLICK_HOUSE.endpoint().as(CLICK_HOUSE.endpoint().user(), "marker-password");
    Outcome denied = as(wrong).run("doctor");
    assertThat(denied.code()).isEqualTo(6);
    assertThat(denied.out()).isEmpty();
    assertThat(denied.err()).contains("(ClickHouse error 516)").doesNotContain("marker-password");

    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Outcome dead =
        RunStatectl.in(directory)
            .run("doctor", "--uri", "clickhouse://u:p@127.0.0.1:" + port + "/d");
    assertThat(dead.code()).isEqualTo(7);
    assertThat(dead.out()).isEmpty();
    assertThat(dead.err()).contains("nobody listens there");

    Outcome nowhere = as(CLICK_HOUSE.endpoint().in("not_there")).run("doctor");
    assertThat(nowhere.code()).isEqualTo(1);
    assertThat(nowhere.err()).contains("the database not_there to which the user");
  }

  @Test
  void jsonHasFixedMembersAndMeansToMend() {
    createPluginTables();
    lock("dev:stale", PLUGIN_LOCK, 100);

    Outcome outcome = run("doctor", "-o", "ndjson", "--lock-stale", "60");

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.out().lines().filter(line -> line.contains("\"replication\"")))
        .containsExactly(
            "{\"level\":\"ok\",\"check\":\"replication\",\"subject\":\""
                + schema
                + "\",\"what\":\"one server has all rows\",\"why\":null,\"mend_by\":null,"
                + "\"mend\":null,\"fixable\":false}");
    assertThat(outcome.out().lines().filter(line -> line.contains("\"stale-lock\"")))
        .singleElement()
        .asString()
        .contains(
            "\"why\":\"a run died without letting go; look at how it ended. The row keeps nobody"
                + " out\",\"mend_by\":\"command\",\"mend\":[\"statectl --lock-stale=60 lock break"
                + " --lock-id f0000000-0000-4000-8000-000000000001 dev:stale\"],\"fixable\":true}");
    assertThat(run("doctor", "-o", "json", "--lock-stale", "60").out()).startsWith("[\n{");
  }

  @Test
  void commandsThatMendGoToTheStoreThatWasExamined() {
    createPluginTables();
    plant("-a", "[]", "now64(3)");
    CLICK_HOUSE.execute(
        "CREATE TABLE " + schema + ".other AS " + schema + ".state",
        "INSERT INTO " + schema + ".other SELECT * FROM " + schema + ".state");

    assertThat(run("doctor", "--table", "other").out())
        .contains("         mend: statectl --table=other set --input-file STATE.json -- -a\n");
  }

  @Test
  void aTableHasALineAFinding() {
    run("set", "dev:a", STATE);

    assertThat(run("doctor", "-o", "table").out().lines())
        .hasSize(16)
        .first()
        .asString()
        .matches("LEVEL +CHECK +SUBJECT +FINDING");
  }

  @Test
  void anEmbeddedStoreIsExaminedToo() {
    String file = directory + "/states.json";
    RunStatectl statectl = RunStatectl.in(directory).clock(Clock.systemUTC());
    statectl.run("set", "dev:a", "--uri=memory:" + file, STATE);

    assertThat(statectl.run("doctor", "--uri=memory:" + file))
        .isEqualTo(
            new Outcome(
                0,
                """
                OK       snapshot-file (FILE): the file has 93 bytes
                OK       snapshot-directory (DIRECTORY): states can be stored; this program holds the\
                 lock FILE.lock
                OK       clock (memory:FILE): the store's clock agrees with this machine's within 5\
                 seconds
                OK       states (memory:FILE): 1 state, which can be read and is of a time that has come
                OK       locks (memory:FILE): no lock is held
                0 errors, 0 warnings, 0 infos, 5 ok
                """
                    .replace("FILE", file)
                    .replace("DIRECTORY", directory.toString()),
                ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--dry-run", "--yes"})
  void consentToNothingIsAWrongCommandLine(String option) {
    Outcome outcome = RunStatectl.in(directory).run("doctor", option, "--uri=memory:x.json");

    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("--dry-run and --yes go with --fix; without it nothing is changed anyway");
  }

  private List<String> worst() {
    return findings(CLICK_HOUSE.endpoint()).stream()
        .map(DoctorCommandTest::levelAndCheck)
        .filter(text -> !text.startsWith("ok ") && !text.startsWith("info "))
        .toList();
  }

  private static List<String> worseThanOk(List<JsonNode> findings) {
    return findings.stream()
        .map(DoctorCommandTest::levelAndCheck)
        .filter(text -> !text.startsWith("ok "))
        .toList();
  }

  private static String levelAndCheck(JsonNode finding) {
    return finding.get("level").textValue() + " " + finding.get("check").textValue();
  }

  private JsonNode only(String check) {
    return of(check, findings(CLICK_HOUSE.endpoint()));
  }

  private static JsonNode of(String check, List<JsonNode> findings) {
    List<JsonNode> found =
        findings.stream().filter(f -> f.get("check").textValue().equals(check)).toList();
    assertThat(found).as("%s among %s", check, findings).hasSize(1);
    return found.get(0);
  }

  private static List<String> steps(JsonNode finding) {
    List<String> steps = new ArrayList<>();
    finding.get("mend").forEach(step -> steps.add(step.textValue()));
    return steps;
  }

  private List<JsonNode> findings(ClickHouseEndpoint user) {
    List<JsonNode> findings = new ArrayList<>();
    try {
      new ObjectMapper()
          .readTree(as(user).run("doctor", "-o", "json").out())
          .forEach(findings::add);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return findings;
  }

  private void createPluginTables() {
    CLICK_HOUSE.execute("CREATE DATABASE " + schema, createStateTable(), createLockTable());
  }

  /** As the original description has them. */
  private String createStateTable() {
    return "CREATE TABLE "
        + schema
        + ".state (state_id String, partial_state Nullable(String), completed_state"
        + " Nullable(String), updated_at DateTime64(3) DEFAULT now64(3)) ENGINE ="
        + " ReplacingMergeTree(updated_at) ORDER BY state_id";
  }

  private String createLockTable() {
    return "CREATE TABLE "
        + schema
        + ".state_lock (state_id String, lock_id String, locked_at DateTime DEFAULT now()) ENGINE ="
        + " ReplacingMergeTree(locked_at) ORDER BY state_id TTL locked_at + INTERVAL 300 SECOND";
  }

  private void plant(String id, String completed, String updatedAt) {
    CLICK_HOUSE.execute(
        "INSERT INTO "
            + schema
            + ".state (state_id, completed_state, updated_at) SELECT '"
            + id
            + "', '"
            + completed
            + "', "
            + updatedAt);
  }

  private void lock(String id, String lockId, int age) {
    CLICK_HOUSE.execute(
        "INSERT INTO "
            + schema
            + ".state_lock (state_id, lock_id, locked_at) SELECT '"
            + id
            + "', '"
            + lockId
            + "', now() - "
            + age);
  }

  /** A part each row. */
  private void insertParts() {
    CLICK_HOUSE.execute(
        "INSERT INTO "
            + schema
            + ".state (state_id, completed_state) SELECT 'p' || number, '{}' FROM numbers(1000)"
            + " SETTINGS max_block_size = 1, min_insert_block_size_rows = 1,"
            + " min_insert_block_size_bytes = 1, max_insert_threads = 1, async_insert = 0,"
            + " parts_to_delay_insert = 0");
  }

  private String activeParts() {
    return CLICK_HOUSE.query(
        "SELECT count() FROM system.parts WHERE database = '"
            + schema
            + "' AND table = 'state' AND active");
  }

  /** Waits for what the server does in the background. */
  private static void await(String query) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (CLICK_HOUSE.query(query).equals("0")) {
      assertThat(System.nanoTime()).as("30 s of waiting for %s", query).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private String place() {
    return CLICK_HOUSE.endpoint().host() + ":" + CLICK_HOUSE.endpoint().port();
  }

  private String target() {
    return place() + " " + schema + ".state";
  }

  private RunStatectl as(ClickHouseEndpoint user) {
    return RunStatectl.in(directory)
        .clock(Clock.systemUTC())
        .variable("MELTANO_STATE_BACKEND_URI", user.uri())
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema);
  }

  private RunStatectl statectl() {
    return as(CLICK_HOUSE.endpoint());
  }

  private Outcome run(String... args) {
    return statectl().run(args);
  }
}
