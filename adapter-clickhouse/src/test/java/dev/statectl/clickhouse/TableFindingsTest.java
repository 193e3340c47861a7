package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.port.Finding;
import dev.statectl.port.Mend;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Judgments of facts as the server spells them. */
class TableFindingsTest {
  private static final TableNames NAMES = TableNames.of("meltano", "state");
  private static final String STATES = "ReplacingMergeTree(updated_at) ORDER BY state_id";
  private static final String LOCKS =
      "ReplacingMergeTree(locked_at) ORDER BY (state_id, candidate) TTL locked_at +"
          + " toIntervalSecond(300)";
  private static final String GRANULARITY = " SETTINGS index_granularity = 8192";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ReplacingMergeTree(updated_at) ORDER BY state_id SETTINGS index_granularity = 8192",
        "SharedReplacingMergeTree('/clickhouse/tables/{uuid}/{shard}', '{replica}', updated_at)"
            + " ORDER BY state_id SETTINGS replicated_deduplication_window = 0",
        "ReplicatedReplacingMergeTree('/a/b', '{replica}', updated_at) ORDER BY state_id SETTINGS"
            + " replicated_deduplication_window = 0, index_granularity = 8192"
      })
  void aStateTableAsDesignedIsOk(String engine) {
    Finding finding = only(states(engine));

    assertThat(finding.level()).isEqualTo(Finding.Level.OK);
    assertThat(finding.check()).isEqualTo("table");
    assertThat(finding.what())
        .isEqualTo(
            engine.substring(0, engine.indexOf('(')) + "(updated_at) ORDER BY state_id, 3 parts");
  }

  @Test
  void aLockTableAsDesignedIsOk() {
    assertThat(only(locks(LOCKS + GRANULARITY)).what())
        .isEqualTo(
            "ReplacingMergeTree(locked_at) ORDER BY (state_id, candidate) TTL locked_at +"
                + " toIntervalSecond(300), 3 parts");
    assertThat(only(locks(LOCKS.replace("Second(300)", "Minute(5)"))).level())
        .isEqualTo(Finding.Level.OK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MergeTree ORDER BY state_id",
        "ReplacingMergeTree ORDER BY state_id",
        "ReplacingMergeTree(state_id) ORDER BY state_id",
        "ReplacingMergeTree(updated_at, deleted) ORDER BY state_id",
        "CollapsingMergeTree(updated_at) ORDER BY state_id"
      })
  void anotherEngineIsAnError(String engine) {
    Finding finding = only(states(engine));

    assertThat(finding.level()).isEqualTo(Finding.Level.ERROR);
    assertThat(finding.what())
        .isEqualTo(
            "the engine is "
                + engine.substring(0, engine.indexOf(" ORDER"))
                + ", not ReplacingMergeTree(updated_at)");
    assertThat(finding.isSafelyMendable()).isFalse();
  }

  @Test
  void anotherKeyIsAnErrorAndTheTableIsMadeAnewByAPerson() {
    Finding finding =
        only(states("ReplacingMergeTree(updated_at) ORDER BY (state_id, updated_at)"));

    assertThat(finding.level()).isEqualTo(Finding.Level.ERROR);
    assertThat(finding.check()).isEqualTo("table-key");
    assertThat(finding.what()).isEqualTo("the key is (state_id, updated_at), not (state_id)");
    assertThat(finding.mend().orElseThrow().steps())
        .containsExactly(
            "CREATE TABLE meltano.state_rebuilt (state_id String, partial_state Nullable(String),"
                + " completed_state Nullable(String), updated_at DateTime64(3) DEFAULT now64(3))"
                + " ENGINE = ReplacingMergeTree(updated_at) ORDER BY state_id",
            "INSERT INTO meltano.state_rebuilt (state_id, partial_state, completed_state,"
                + " updated_at) SELECT state_id, partial_state, completed_state, updated_at FROM"
                + " meltano.state",
            "EXCHANGE TABLES meltano.state AND meltano.state_rebuilt",
            "INSERT INTO meltano.state (state_id, partial_state, completed_state, updated_at) SELECT"
                + " state_id, partial_state, completed_state, updated_at FROM meltano.state_rebuilt"
                + " WHERE (state_id, updated_at) NOT IN (SELECT state_id, updated_at FROM"
                + " meltano.state)");
    assertThat(finding.isSafelyMendable()).isFalse();
  }

  @Test
  void theKeyOfThePluginsLockTableIsADangerThatIsSafelyMended() {
    Finding finding =
        only(
            TableFindings.of(
                TableDesign.LOCKS,
                NAMES,
                Placement.PLAIN,
                facts(
                    "ReplacingMergeTree(locked_at) ORDER BY state_id TTL locked_at +"
                        + " toIntervalSecond(300)",
                    pluginLockColumns(),
                    3,
                    1000)));

    assertThat(finding.level()).isEqualTo(Finding.Level.WARNING);
    assertThat(finding.check()).isEqualTo("lock-table-key");
    assertThat(finding.mend().orElseThrow().steps())
        .containsExactly(
            "ALTER TABLE meltano.state_lock ADD COLUMN IF NOT EXISTS candidate String, ADD COLUMN"
                + " IF NOT EXISTS holder String, ADD COLUMN IF NOT EXISTS released UInt8, MODIFY"
                + " ORDER BY (state_id, candidate)",
            "ALTER TABLE meltano.state_lock MODIFY COLUMN candidate String DEFAULT lock_id");
    assertThat(finding.isSafelyMendable()).isTrue();
  }

  @Test
  void aLockTableThatLacksOneOfOurColumnsIsUpgraded() {
    Map<String, String> columns = new LinkedHashMap<>(TableDesign.LOCKS.columns());
    columns.remove("released");

    assertThat(
            only(TableFindings.of(
                    TableDesign.LOCKS, NAMES, Placement.PLAIN, facts(LOCKS, columns, 3, 1000)))
                .check())
        .isEqualTo("lock-table-key");
  }

  @Test
  void aCandidateWithoutDefaultIsADanger() {
    Finding finding =
        only(
            TableFindings.of(
                TableDesign.LOCKS,
                NAMES,
                Placement.PLAIN,
                withoutDefaults(facts(LOCKS, TableDesign.LOCKS.columns(), 3, 1000))));

    assertThat(finding.check()).isEqualTo("lock-table-default");
    assertThat(finding.isSafelyMendable()).isTrue();
  }

  @Test
  void anotherKeyOfTheLockTableIsAnError() {
    Finding finding =
        only(
            locks(
                "ReplacingMergeTree(locked_at) ORDER BY lock_id TTL locked_at +"
                    + " toIntervalSecond(300)"));

    assertThat(finding.level()).isEqualTo(Finding.Level.ERROR);
    assertThat(finding.check()).isEqualTo("table-key");
    assertThat(finding.mend().orElseThrow().steps().get(1))
        .isEqualTo(
            "INSERT INTO meltano.state_lock_rebuilt (state_id, lock_id, locked_at, holder,"
                + " released) SELECT state_id, lock_id, locked_at, holder, released FROM"
                + " meltano.state_lock");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "                                                | WARNING | true",
        " TTL locked_at + toIntervalSecond(60)           | ERROR   | true",
        " TTL locked_at + toIntervalSecond(299)          | ERROR   | true",
        " TTL toDateTime(0) + toIntervalSecond(300)      | ERROR   | true",
        " TTL locked_at + toIntervalSecond(300) WHERE 1  | ERROR   | true",
        " TTL locked_at + toIntervalDay(1)               | INFO    | false"
      })
  void theTtlOfLocksIsThreeHundredSeconds(String ttl, Finding.Level level, boolean safe) {
    Finding finding =
        only(
            locks(
                "ReplacingMergeTree(locked_at) ORDER BY (state_id, candidate)"
                    + (ttl == null ? "" : " " + ttl)
                    + GRANULARITY));

    assertThat(finding.check()).isEqualTo("lock-table-ttl");
    assertThat(finding.level()).isEqualTo(level);
    assertThat(finding.isSafelyMendable()).isEqualTo(safe);
    assertThat(finding.mend().orElseThrow().steps())
        .containsExactly(
            "ALTER TABLE meltano.state_lock MODIFY TTL locked_at + INTERVAL 300 SECOND");
  }

  @Test
  void aTtlOfStatesIsAnErrorThatAPersonMends() {
    Finding finding = only(states(STATES + " TTL updated_at + toIntervalDay(30)" + GRANULARITY));

    assertThat(finding.level()).isEqualTo(Finding.Level.ERROR);
    assertThat(finding.what()).isEqualTo("rows go away by TTL updated_at + toIntervalDay(30)");
    assertThat(finding.mend().orElseThrow().steps())
        .containsExactly("ALTER TABLE meltano.state REMOVE TTL");
    assertThat(finding.isSafelyMendable()).isFalse();
  }

  @Test
  void aMissingColumnIsAnErrorAndAnotherTypeADanger() {
    Map<String, String> columns = new LinkedHashMap<>(TableDesign.STATES.columns());
    columns.remove("partial_state");
    columns.put("completed_state", "String");

    List<Finding> findings =
        TableFindings.of(
            TableDesign.STATES, NAMES, Placement.PLAIN, facts(STATES, columns, 3, 1000));

    assertThat(findings)
        .extracting(f -> f.level() + " " + f.what())
        .containsExactly(
            "ERROR the column partial_state Nullable(String) is missing",
            "WARNING the column completed_state is String, not Nullable(String)");
    assertThat(findings)
        .extracting(f -> f.mend().orElseThrow().steps().get(0))
        .containsExactly(
            "ALTER TABLE meltano.state ADD COLUMN IF NOT EXISTS partial_state Nullable(String)",
            "ALTER TABLE meltano.state MODIFY COLUMN completed_state Nullable(String)");
  }

  @Test
  void aVersionOfAnotherTypeNeedsATableAnew() {
    Map<String, String> columns = new LinkedHashMap<>(TableDesign.STATES.columns());
    columns.put("state_id", "LowCardinality(String)");

    assertThat(
            only(TableFindings.of(
                    TableDesign.STATES, NAMES, Placement.PLAIN, facts(STATES, columns, 3, 1000)))
                .mend()
                .orElseThrow()
                .steps()
                .get(2))
        .isEqualTo("EXCHANGE TABLES meltano.state AND meltano.state_rebuilt");
  }

  @Test
  void aVersionWithoutDefaultIsADanger() {
    assertThat(
            only(TableFindings.of(
                    TableDesign.STATES,
                    NAMES,
                    Placement.PLAIN,
                    withoutDefaults(facts(STATES, TableDesign.STATES.columns(), 3, 1000))))
                .check())
        .isEqualTo("table-default");
  }

  @Test
  void partitionsAreADanger() {
    TableFacts plain = facts(STATES, TableDesign.STATES.columns(), 3, 1000);
    TableFacts partitioned =
        new TableFacts(
            plain.name(),
            plain.engine(),
            plain.engineFull(),
            plain.sortingKey(),
            "toYYYYMM(updated_at)",
            3,
            1000,
            plain.columns());

    assertThat(
            only(TableFindings.of(TableDesign.STATES, NAMES, Placement.PLAIN, partitioned)).what())
        .isEqualTo("it is partitioned by toYYYYMM(updated_at)");
  }

  @Test
  void aWindowOfDeduplicationIsADangerForThePlugin() {
    assertThat(only(states(STATES + " SETTINGS non_replicated_deduplication_window = 1000")).what())
        .isEqualTo("non_replicated_deduplication_window is 1000");
    Finding replicated =
        only(states("ReplicatedReplacingMergeTree('/a', '{r}', updated_at) ORDER BY state_id"));
    assertThat(replicated.level()).isEqualTo(Finding.Level.WARNING);
    assertThat(replicated.what()).isEqualTo("replicated_deduplication_window is 10000");
    assertThat(replicated.mend().orElseThrow().steps())
        .containsExactly(
            "ALTER TABLE meltano.state MODIFY SETTING replicated_deduplication_window = 0");
  }

  @ParameterizedTest
  @CsvSource({"299, OK", "300, WARNING", "999, WARNING", "1000, ERROR"})
  void manyPartsAreADangerAndFromAThousandOnAnError(long parts, Finding.Level level) {
    Finding finding =
        only(
            TableFindings.of(
                TableDesign.STATES,
                NAMES,
                Placement.PLAIN,
                facts(STATES, TableDesign.STATES.columns(), parts, 256L << 20)));

    assertThat(finding.level()).isEqualTo(level);
    assertThat(finding.isSafelyMendable()).isEqualTo(level != Finding.Level.OK);
  }

  @Test
  void manyPartsOfALargeTableAreMergedByAPerson() {
    Finding finding =
        only(
            TableFindings.of(
                TableDesign.STATES,
                NAMES,
                Placement.PLAIN,
                facts(STATES, TableDesign.STATES.columns(), 300, (256L << 20) + 1)));

    assertThat(finding.mend().orElseThrow().steps())
        .containsExactly("SYSTEM START MERGES meltano.state", "OPTIMIZE TABLE meltano.state FINAL");
    assertThat(finding.isSafelyMendable()).isFalse();
  }

  /** A merge would make final what such an engine, key or TTL does to rows that are still there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ReplacingMergeTree ORDER BY state_id",
        "ReplacingMergeTree(updated_at) ORDER BY updated_at",
        "ReplacingMergeTree(updated_at) ORDER BY state_id TTL toDateTime(updated_at) +"
            + " toIntervalDay(7)"
      })
  void manyPartsOfATableWithAnErrorAreNotMergedBeforeItIsMended(String engine) {
    List<Finding> findings =
        TableFindings.of(
            TableDesign.STATES,
            NAMES,
            Placement.PLAIN,
            facts(engine, TableDesign.STATES.columns(), 1000, 1000));

    assertThat(findings).hasSize(2);
    assertThat(findings.get(0).level()).isEqualTo(Finding.Level.ERROR);
    assertThat(findings.get(1).check()).isEqualTo("parts");
    assertThat(findings.get(1).mend())
        .contains(
            Mend.advice(
                "mend the errors of this table first, since a merge may remove rows for good that"
                    + " are still there; then run: OPTIMIZE TABLE meltano.state FINAL"));
  }

  /** A merge would remove rows of locks that are held. */
  @Test
  void manyPartsOfALockTableWithThePluginsKeyAreNotMergedBeforeItIsUpgraded() {
    List<Finding> findings =
        TableFindings.of(
            TableDesign.LOCKS,
            NAMES,
            Placement.PLAIN,
            facts(
                "ReplacingMergeTree(locked_at) ORDER BY state_id TTL locked_at +"
                    + " toIntervalSecond(300)",
                pluginLockColumns(),
                1000,
                1000));

    Finding parts = findings.get(1);
    assertThat(parts.check()).isEqualTo("parts");
    assertThat(parts.isSafelyMendable()).isFalse();
    assertThat(parts.mend().orElseThrow().steps().get(0))
        .startsWith("ALTER TABLE meltano.state_lock");
  }

  @Test
  void aHistoryIsJudgedByItsOwnDesign() {
    String engine =
        "MergeTree ORDER BY (state_id, updated_at, recorded_at) TTL toDateTime(recorded_at) +"
            + " toIntervalSecond(7776000) SETTINGS index_granularity = 256,"
            + " non_replicated_deduplication_window = 0";
    assertThat(only(history(engine)).level()).isEqualTo(Finding.Level.OK);
    assertThat(only(history(engine.replaceAll(" TTL .*", ""))).check()).isEqualTo("history-ttl");
    assertThat(only(history(engine.replace("recorded_at)", "author)"))).check())
        .isEqualTo("table-key");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '^',
      textBlock =
          """
          ^ TTL toDateTime(recorded_at) + toIntervalDay(400)^
          ^^
          """)
  void aHistoryThatIsMadeAnewIsKeptForAsLongAsBefore(String rule) {
    Finding finding =
        history("MergeTree ORDER BY author" + rule).stream()
            .filter(each -> each.check().equals("table-key"))
            .findFirst()
            .orElseThrow();

    assertThat(finding.mend().orElseThrow().steps().get(0))
        .contains(" ORDER BY (state_id, updated_at, recorded_at)" + rule + " SETTINGS ")
        .doesNotContain("<keep>");
  }

  @Test
  void namesThatNeedQuotesHaveThem() {
    TableNames odd = TableNames.of("my db", "st-ate");
    Finding finding =
        only(
            TableFindings.of(
                TableDesign.STATES,
                odd,
                Placement.PLAIN,
                facts("MergeTree ORDER BY state_id", TableDesign.STATES.columns(), 1, 1000)));

    assertThat(finding.subject()).isEqualTo("\"my db\".\"st-ate\"");
    assertThat(finding.mend().orElseThrow().steps().get(2))
        .isEqualTo("EXCHANGE TABLES \"my db\".\"st-ate\" AND \"my db\".\"st-ate_rebuilt\"");
  }

  private static Finding only(List<Finding> findings) {
    assertThat(findings).hasSize(1);
    return findings.get(0);
  }

  private static List<Finding> states(String engine) {
    return TableFindings.of(
        TableDesign.STATES,
        NAMES,
        Placement.PLAIN,
        facts(engine, TableDesign.STATES.columns(), 3, 1000));
  }

  private static List<Finding> locks(String engine) {
    return TableFindings.of(
        TableDesign.LOCKS,
        NAMES,
        Placement.PLAIN,
        facts(engine, TableDesign.LOCKS.columns(), 3, 1000));
  }

  private static List<Finding> history(String engine) {
    return TableFindings.of(
        TableDesign.HISTORY,
        NAMES,
        Placement.PLAIN,
        facts(engine, TableDesign.HISTORY.columns(), 3, 1000));
  }

  private static Map<String, String> pluginLockColumns() {
    Map<String, String> columns = new LinkedHashMap<>(TableDesign.LOCKS.columns());
    columns.keySet().removeAll(List.of("candidate", "holder", "released"));
    return columns;
  }

  /** A table as {@code system.tables} and {@code system.columns} tell it. */
  static TableFacts facts(String engineFull, Map<String, String> columns, long parts, long bytes) {
    List<TableFacts.Column> all = new ArrayList<>();
    columns.forEach((name, type) -> all.add(new TableFacts.Column(name, type, defaultOf(name))));
    String key = engineFull.replaceFirst(".* ORDER BY ", "").replaceFirst(" (TTL|SETTINGS) .*", "");
    return new TableFacts(
        "state",
        engineFull.replaceFirst("[( ].*", ""),
        engineFull,
        key.replaceAll("[()]", ""),
        "",
        parts,
        bytes,
        all);
  }

  private static TableFacts withoutDefaults(TableFacts table) {
    return new TableFacts(
        table.name(),
        table.engine(),
        table.engineFull(),
        table.sortingKey(),
        table.partitionKey(),
        table.activeParts(),
        table.bytes(),
        table.columns().stream()
            .map(column -> new TableFacts.Column(column.name(), column.type(), ""))
            .toList());
  }

  private static String defaultOf(String column) {
    return switch (column) {
      case "updated_at" -> "now64(3)";
      case "locked_at" -> "now()";
      case "candidate" -> "lock_id";
      default -> "";
    };
  }
}
