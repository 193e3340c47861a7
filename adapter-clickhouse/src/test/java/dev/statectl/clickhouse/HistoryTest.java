package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.lock.Fence;
import dev.statectl.lock.LockId;
import dev.statectl.port.HistoryEntry;
import dev.statectl.port.HistoryStatus;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateHistory;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the history table holds of whose writes, who may do what, and what is mended how. */
class HistoryTest {
  private static final StateId ID = StateId.of("a");
  private static final LockId MINE = LockId.of(Instant.parse("2026-01-02T03:04:05Z"), 6);
  private static final Fence FENCE = new Fence(ID, MINE, Duration.ofSeconds(60));
  private static final String AUTHOR = "o'neil@h\u00f6st:1 \"statectl set\" \\ \ud83d\ude00 %41+&=";

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final Relay relay = Relay.to(clickHouse.endpoint());
  private final ClickHouseBackend backend =
      ClickHouseBackend.open(
          TestStores.settings(relay.endpoint(), schema), LockPeers.PLUGIN, AUTHOR);
  private final StateStore store = backend.states();
  private final StateHistory history = backend.history();

  @AfterEach
  void close() {
    backend.close();
    relay.close();
  }

  @Test
  void everyWriteOfOursSaysWhoMadeIt() {
    history.enable(StateHistory.DEFAULT_KEEP);
    backend.locks().announce(ID, MINE, "me");
    store.save(TestStores.state("a", "{\"n\":1}"));
    store.save(TestStores.state("a", "{\"n\":2}"), FENCE);
    store.save(TestStores.state("a", "{\"n\":\"" + "x".repeat(300_000) + "\"}"), FENCE);
    store.saveAll(List.of(TestStores.state("a", "{\"n\":4}"), TestStores.state("b", "{}")));
    store.delete(ID, FENCE);
    store.save(TestStores.state("a", "{\"n\":5}"));
    store.deleteAll();

    assertThat(entries("a"))
        .hasSize(7)
        .allSatisfy(entry -> assertThat(entry.author()).isEqualTo(AUTHOR))
        .allSatisfy(entry -> assertThat(entry.account()).isNotEmpty());
    assertThat(entries("b")).extracting(HistoryEntry::author).containsExactly(AUTHOR, AUTHOR);
  }

  @Test
  void whatThePluginWritesIsRecordedWithItsAccountOnly() {
    history.enable(StateHistory.DEFAULT_KEEP);
    insertAsThePlugin("a", "{\"n\":1}", "");
    insertAsThePlugin("a", "{\"n\":2}", " SETTINGS log_comment = 'a dashboard'");
    insertAsThePlugin("a", "{\"n\":3}", " SETTINGS log_comment = '{\"author\":\"x\"}'");

    assertThat(entries("a"))
        .hasSize(3)
        .allSatisfy(entry -> assertThat(entry.author()).isEmpty())
        .allSatisfy(entry -> assertThat(entry.account()).isNotEmpty())
        .allSatisfy(entry -> assertThat(entry.revertedTo()).isEmpty());
  }

  @Test
  void aBackendWithoutAnAuthorSaysNone() {
    try (ClickHouseBackend other = TestStores.open(schema)) {
      other.history().enable(StateHistory.DEFAULT_KEEP);
      other.states().save(TestStores.state("a", "{}"));
    }
    assertThat(entries("a")).extracting(HistoryEntry::author).containsExactly("");
  }

  @Test
  void theTwoTablesStayAsTheyAre() {
    store.save(TestStores.state("a", "{}"));
    String before = clickHouse.query("SHOW CREATE TABLE " + schema + ".state");
    history.enable(StateHistory.DEFAULT_KEEP);
    history.disable();
    assertThat(clickHouse.query("SHOW CREATE TABLE " + schema + ".state")).isEqualTo(before);
  }

  @Test
  void writesFailWhereTheHistoryTableWasDroppedAndChangeNothing() {
    history.enable(StateHistory.DEFAULT_KEEP);
    store.save(TestStores.state("a", "{\"n\":1}"));
    backend.locks().announce(ID, MINE, "me");
    clickHouse.execute("DROP TABLE " + schema + ".state_history");
    String message =
        "cannot write to %1$s.state at %2$s: the table, or one that a materialized view fills from"
            + " it, does not exist (ClickHouse error 60); create what is missing, or try again if"
            + " somebody just removed it; if it is the history table %1$s.state_history, make it"
            + " anew with statectl history enable, or go on without it after statectl history"
            + " disable";

    assertWrongSchema(() -> store.save(TestStores.state("a", "{\"n\":2}")), message);
    assertWrongSchema(() -> store.save(TestStores.state("a", "{\"n\":3}"), FENCE), message);
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":1}");
    assertThat(history.status())
        .isEqualTo(new HistoryStatus(HistoryStatus.Recording.BROKEN, Optional.empty()));
    assertWrongSchema(
        () -> entries("a"),
        message.replace("write to %1$s.state at", "read %1$s.state_history at"));
    assertWrongSchema(
        () -> store.delete(ID),
        message.replace("write to %1$s.state at", "write to %1$s.state_history at"));
  }

  @Test
  void disablingMendsADroppedHistoryTable() {
    history.enable(StateHistory.DEFAULT_KEEP);
    clickHouse.execute("DROP TABLE " + schema + ".state_history");
    history.disable();
    store.save(TestStores.state("a", "{\"n\":2}"));
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":2}");
    assertThat(history.status().recording()).isEqualTo(HistoryStatus.Recording.NEVER);
  }

  @Test
  void enablingMendsADroppedHistoryTable() {
    history.enable(StateHistory.DEFAULT_KEEP);
    store.save(TestStores.state("a", "{\"n\":1}"));
    clickHouse.execute("DROP TABLE " + schema + ".state_history");
    history.enable(Duration.ofDays(1));
    store.save(TestStores.state("a", "{\"n\":2}"));
    assertThat(entries("a")).hasSize(2);
    assertThat(history.status())
        .isEqualTo(new HistoryStatus(HistoryStatus.Recording.ON, Optional.of(Duration.ofDays(1))));
  }

  @Test
  void anotherTableOfThatNameIsRefused() {
    clickHouse.execute(
        "CREATE DATABASE " + schema,
        "CREATE TABLE "
            + schema
            + ".state_history (state_id String, at DateTime) ENGINE = MergeTree ORDER BY at");
    String message =
        "cannot keep history in %1$s.state_history at %2$s: something else has this name; compare"
            + " it with the columns state_id String, updated_at DateTime64(3), recorded_at"
            + " DateTime64(6), deleted UInt8, author String, account String, reverted_to"
            + " DateTime64(3), completed_bytes UInt64, partial_bytes UInt64, fingerprint UInt64,"
            + " completed_state Nullable(String), partial_state Nullable(String); if it is not a"
            + " history of states, rename it, or keep states in a table of another name";

    assertWrongSchema(() -> history.enable(StateHistory.DEFAULT_KEEP), message);
    assertWrongSchema(history::status, message);
    assertThatThrownBy(() -> entries("a"))
        .isInstanceOf(StateFailure.WrongSchema.class)
        .hasMessageStartingWith(
            "cannot read %s.state_history at %s: the table is not of the expected form (ClickHouse"
                + " error 47); compare it with the columns state_id String, updated_at",
            schema, place());
    store.save(TestStores.state("a", "{}"));
    assertThat(clickHouse.query("SELECT count() FROM " + schema + ".state_history")).isEqualTo("0");
  }

  @Test
  void anotherViewOfThatNameIsRefused() {
    clickHouse.execute(
        "CREATE DATABASE " + schema,
        "CREATE VIEW " + schema + ".state_history_view AS SELECT 1 AS one");
    assertWrongSchema(
        () -> history.enable(StateHistory.DEFAULT_KEEP),
        "cannot keep history in %1$s.state_history_view at %2$s: something else has this name;"
            + " rename it, and try again");
  }

  @Test
  void whoMayOnlyReadTheHistoryReadsIt() {
    history.enable(StateHistory.DEFAULT_KEEP);
    StateVersion version = store.save(TestStores.state("a", "{}"));
    ClickHouseEndpoint reader =
        clickHouse.createReadOnlyUser("SELECT ON " + schema + ".state_history");
    try (ClickHouseBackend other = openAs(reader)) {
      List<HistoryEntry> met = new ArrayList<>();
      other.history().forEach(ID, 10, met::add);
      assertThat(met).extracting(HistoryEntry::version).containsExactly(version);
      assertThat(other.history().find(ID, version)).isPresent();
    }
  }

  @Test
  void whoeverLacksARightIsToldWhichOne() {
    history.enable(StateHistory.DEFAULT_KEEP);
    store.save(TestStores.state("a", "{\"n\":1}"));
    ClickHouseEndpoint user =
        clickHouse.createUser("SELECT, INSERT, ALTER DELETE, TRUNCATE ON " + schema + ".state");
    try (ClickHouseBackend other = openAs(user)) {
      other.states().save(TestStores.state("a", "{\"n\":2}"));
      assertThat(entries("a")).hasSize(2);
      assertDenied(
          () -> other.history().forEach(ID, 1, entry -> {}), "read", "SELECT", user.user());
      assertDenied(() -> other.history().status(), "read", "SELECT", user.user());
      assertDenied(() -> other.states().delete(ID), "write to", "SELECT, INSERT", user.user());
      assertDenied(() -> other.states().deleteAll(), "write to", "SELECT, INSERT", user.user());
    }
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":2}");
    assertThat(entries("a")).hasSize(2);
  }

  @Test
  void whoMayNotCreateIsToldWhichRightItTakes() {
    store.save(TestStores.state("a", "{}"));
    ClickHouseEndpoint user = clickHouse.createUser("SELECT, INSERT ON " + schema + ".*");
    try (ClickHouseBackend other = openAs(user)) {
      assertDenied(
          () -> other.history().enable(StateHistory.DEFAULT_KEEP),
          "create",
          "CREATE TABLE",
          user.user());
    }
    assertThat(history.status().recording()).isEqualTo(HistoryStatus.Recording.NEVER);
  }

  @Test
  void aWriteThatATableWithADeduplicationWindowTakesIsRecorded() {
    store.save(TestStores.state("other", "{}"));
    clickHouse.execute(
        "ALTER TABLE "
            + schema
            + ".state MODIFY SETTING non_replicated_deduplication_window = 1000");
    history.enable(StateHistory.DEFAULT_KEEP);
    for (String text : List.of("{\"n\":1}", "{\"n\":2}", "{\"n\":1}", "{\"n\":1}")) {
      store.save(TestStores.state("a", text));
    }
    store.delete(ID);
    store.save(TestStores.state("a", "{\"n\":1}"));
    store.deleteAll();
    store.save(TestStores.state("a", "{\"n\":1}"));

    assertThat(entries("a")).hasSize(8);
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":1}");
  }

  @Test
  void whatWasNotRecordedOfARemovalIsRecordedByTheNext() {
    history.enable(StateHistory.DEFAULT_KEEP);
    store.save(TestStores.state("a", "{\"n\":1}"));
    store.save(TestStores.state("b", "{\"n\":1}"));
    relay.cut(
        "INSERT INTO \""
            + schema
            + "\".\"state_history\" (state_id, updated_at, recorded_at, deleted, author, account)",
        Relay.Cut.BEFORE_THE_REQUEST);
    assertThatThrownBy(() -> store.delete(ID))
        .isInstanceOf(StateFailure.OutcomeUnknown.class)
        .hasMessageStartingWith(
            "the state of 'a' was removed, but perhaps the history does not say so: whether"
                + " writing to "
                + schema
                + ".state_history at ");
    assertThat(store.find(ID)).isEmpty();
    assertThat(entries("a")).hasSize(1);

    relay.cut("nothing", Relay.Cut.BEFORE_THE_ANSWER);
    store.deleteAll();
    assertThat(entries("a"))
        .extracting(HistoryEntry::kind)
        .containsExactly(HistoryEntry.Kind.DELETED, HistoryEntry.Kind.WRITTEN);
  }

  @Test
  void theRecordOfARemovalWhoseAnswerIsLostIsFoundAndNotMadeAgain() {
    history.enable(StateHistory.DEFAULT_KEEP);
    store.save(TestStores.state("a", "{\"n\":1}"));
    relay.cut(
        "INSERT INTO \""
            + schema
            + "\".\"state_history\" (state_id, updated_at, recorded_at, deleted, author, account)",
        Relay.Cut.BEFORE_THE_ANSWER);
    assertThat(store.delete(ID)).isTrue();
    assertThat(entries("a"))
        .extracting(HistoryEntry::kind)
        .containsExactly(HistoryEntry.Kind.DELETED, HistoryEntry.Kind.WRITTEN);
  }

  @Test
  void nothingIsRemovedThatCouldNotBeRecordedBefore() {
    history.enable(StateHistory.DEFAULT_KEEP);
    store.save(TestStores.state("a", "{\"n\":1}"));
    relay.cut("INSERT INTO \"" + schema + "\".\"state_history\"", Relay.Cut.BEFORE_THE_ANSWER);
    assertThatThrownBy(() -> store.delete(ID))
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessageStartingWith(
            "nothing was changed, since what is stored could not be recorded before: whether");
    assertThat(store.find(ID)).isPresent();
  }

  @Test
  void aStateThatOutlivedItsRecordIsRecordedBeforeItIsReplacedOrRemoved() {
    history.enable(StateHistory.DEFAULT_KEEP);
    long old = Instant.parse("2026-01-02T03:04:05Z").toEpochMilli();
    TestStores.plant(schema, "'a'", "'{\"n\":1}'", "NULL", old);
    TestStores.plant(schema, "'b'", "'{\"n\":1}'", "NULL", old);
    clickHouse.execute("TRUNCATE TABLE " + schema + ".state_history");
    store.save(TestStores.state("a", "{\"n\":2}"));
    store.delete(StateId.of("b"));

    assertThat(entries("a")).hasSize(2);
    assertThat(entries("a").get(1).version().updatedAt().toEpochMilli()).isEqualTo(old);
    assertThat(entries("b"))
        .extracting(HistoryEntry::kind)
        .containsExactly(HistoryEntry.Kind.DELETED, HistoryEntry.Kind.WRITTEN);
  }

  @Test
  void theTimeToKeepIsReadInOtherUnitsToo() {
    history.enable(StateHistory.DEFAULT_KEEP);
    clickHouse.execute(
        "ALTER TABLE "
            + schema
            + ".state_history MODIFY TTL toDateTime(recorded_at) + INTERVAL 2 WEEK");
    assertThat(history.status().keep()).contains(Duration.ofDays(14));
    clickHouse.execute("ALTER TABLE " + schema + ".state_history REMOVE TTL");
    assertThat(history.status().keep()).isEmpty();
    history.enable(Duration.ofHours(5));
    assertThat(history.status().keep()).contains(Duration.ofHours(5));
  }

  @Test
  void aListOfTheNewestReadsNoStatesAndNoOtherIds() {
    history.enable(StateHistory.DEFAULT_KEEP);
    clickHouse.execute(
        "INSERT INTO "
            + schema
            + ".state_history (state_id, updated_at, recorded_at) SETTINGS async_insert = 0 SELECT"
            + " 'id-' || toString(number % 100), fromUnixTimestamp64Milli(number), now64(6) FROM"
            + " numbers(100000)",
        "OPTIMIZE TABLE " + schema + ".state_history FINAL");
    relay.clear();
    history.forEach(StateId.of("id-50"), 20, entry -> {});
    String statement = relay.statements().get(0);

    assertThat(clickHouse.query("EXPLAIN indexes = 1 " + statement))
        .contains("PrimaryKey")
        .containsPattern("Granules: [456]/39\\d\n");
    assertThat(clickHouse.query("EXPLAIN PIPELINE " + statement))
        .contains("InReverseOrder")
        .doesNotContain("PartialSortingTransform");
    assertThat(statement).doesNotContain("completed_state").doesNotContain("partial_state");
  }

  private List<HistoryEntry> entries(String id) {
    List<HistoryEntry> met = new ArrayList<>();
    history.forEach(StateId.of(id), StateHistory.NO_LIMIT, met::add);
    return met;
  }

  private void insertAsThePlugin(String id, String completed, String settings) {
    clickHouse.execute(
        "INSERT INTO `%s`.`state` (state_id, completed_state)%s VALUES ('%s', '%s')"
            .formatted(schema, settings, id, completed));
  }

  private ClickHouseBackend openAs(ClickHouseEndpoint user) {
    return ClickHouseBackend.open(TestStores.settings(user, schema));
  }

  private String place() {
    return "127.0.0.1:" + relay.endpoint().port();
  }

  private void assertWrongSchema(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOf(StateFailure.WrongSchema.class)
        .hasMessage(message, schema, place());
  }

  private void assertDenied(ThrowingCallable call, String verb, String right, String user) {
    assertThatThrownBy(call)
        .isInstanceOf(StateFailure.Denied.class)
        .hasMessage(
            "cannot %1$s %2$s.state_history at %3$s: the user %4$s lacks a right; an administrator"
                + " can grant it: GRANT %5$s ON %2$s.state_history TO %4$s",
            verb,
            schema,
            clickHouse.endpoint().host() + ":" + clickHouse.endpoint().port(),
            user,
            right);
  }
}
