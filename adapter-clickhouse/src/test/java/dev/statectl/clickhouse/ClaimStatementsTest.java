package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.lock.Fence;
import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.state.StateId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What reaches the server for claims, word for word. */
class ClaimStatementsTest {
  private static final LockId LOCK_ID = LockId.of(Instant.parse("2026-01-02T03:04:05Z"), 6);
  private static final StateId ID = StateId.of("it's");
  private static final Duration STALE = Duration.ofSeconds(300);
  private static final String STRICT =
      "keeper_map_strict_mode = 1, insert_keeper_max_retries = 0, keeper_max_retries = 0";

  private final KeeperEngines engines = KeeperEngines.shared();
  private final String schema = KeeperEngines.freshSchema();
  private final String table = "\"" + schema + "\".\"state_claim\"";
  private final String lockTable = "\"" + schema + "\".\"state_lock\"";
  private final Relay relay = Relay.to(engines.first());
  private final ClickHouseBackend backend = KeeperEngines.open(relay.endpoint(), schema);

  @BeforeEach
  void prepareTheTables() {
    StateId other = StateId.of("x");
    backend.locks().claim(other, LOCK_ID, "", STALE);
    backend.locks().announce(other, LOCK_ID, "");
    backend.states().save(TestStores.state("x", "{}"));
    relay.clear();
  }

  @AfterEach
  void close() {
    backend.close();
    relay.close();
  }

  @Test
  void theFirstClaimToALockLooksAndInserts() {
    assertThat(claim(LOCK_ID)).isTrue();

    assertThat(relay.statements()).containsExactly(look(), insert("'it\\'s'"));
  }

  @Test
  void aLaterClaimLooksTakesAndLooksAgain() {
    claim(LOCK_ID);
    backend.locks().withdraw(ID, LOCK_ID);
    relay.clear();

    assertThat(claim(LOCK_ID)).isTrue();

    assertThat(relay.statements()).containsExactly(look(), take(), look());
  }

  @Test
  void aClaimThatAnotherHasOnlyLooks() {
    claim(LOCK_ID);
    relay.clear();

    assertThat(claim(LockId.of(Instant.parse("2026-01-02T03:04:05Z"), 7))).isFalse();

    assertThat(relay.statements()).containsExactly(look());
  }

  @Test
  void claimingManyIsAsManyStatements() {
    Set<StateId> many = new TreeSet<>(Set.of(ID, StateId.of("b")));
    backend.locks().claimAll(many, LOCK_ID, "me", STALE);

    assertThat(relay.statements())
        .containsExactly(look().replace("('it\\'s')", "('b','it\\'s')"), insert("'b','it\\'s'"));
  }

  @Test
  void askingForTheClaimantDoesNotWaitForKeeper() {
    backend.locks().claimant(ID);

    assertThat(relay.statements()).containsExactly(look());
  }

  @Test
  void whoeverMayChangeNoSettingsSeesTheClaimantAllTheSame() {
    claim(LOCK_ID);
    engines
        .first()
        .execute(
            "CREATE USER %s IDENTIFIED BY 'secret' SETTINGS readonly = 1".formatted(schema),
            "GRANT SELECT ON %1$s.* TO %1$s".formatted(schema));
    relay.clear();
    try (ClickHouseBackend reader =
        KeeperEngines.open(relay.endpoint().as(schema, "secret"), schema)) {
      assertThat(reader.locks().claimant(ID)).map(LockCandidate::lockId).hasValue(LOCK_ID);
    }
    assertThat(relay.statements())
        .endsWith(look(), look().replace("SETTINGS keeper_max_retries = 0\n", ""));
  }

  @Test
  void renewingRenewsTheClaimAndThenTheRow() {
    claim(LOCK_ID);
    backend.locks().announce(ID, LOCK_ID, "me");
    relay.clear();

    assertThat(backend.locks().renew(ID, LOCK_ID, STALE)).isTrue();

    assertThat(relay.statements())
        .hasSize(4)
        .startsWith(
            """
            ALTER TABLE %s
            UPDATE locked_at = now()
            WHERE state_id IN ('it\\'s') AND lock_id = '%s'
                AND locked_at >= now() - toIntervalSecond(300)
            SETTINGS %s
            """
                .formatted(table, LOCK_ID, STRICT),
            look())
        .endsWith(held());
    assertThat(relay.statements().get(2)).startsWith("INSERT INTO " + lockTable);
  }

  @Test
  void withdrawingRemovesTheRowAndThenTheClaim() {
    claim(LOCK_ID);
    backend.locks().announce(ID, LOCK_ID, "me");
    relay.clear();

    assertThat(backend.locks().withdraw(ID, LOCK_ID)).isTrue();

    assertThat(relay.statements()).hasSize(4).endsWith(release());
    assertThat(relay.statements().get(1)).startsWith("DELETE FROM " + lockTable);
  }

  @Test
  void withdrawingAnotherCandidateAsksWhetherItHasTheClaim() {
    assertThat(backend.locks().withdraw(ID, LOCK_ID)).isFalse();

    assertThat(relay.statements()).hasSize(2).endsWith(look());
  }

  @Test
  void aWriteIsFencedByRowAndClaim() {
    claim(LOCK_ID);
    backend.locks().announce(ID, LOCK_ID, "me");
    Fence fence = new Fence(ID, LOCK_ID, STALE);
    backend.states().save(TestStores.state("it's", "{}"), fence);
    backend.states().save(TestStores.state("it's", "{}"), fence);
    backend.states().delete(ID, fence);

    List<String> fenced =
        relay.statements().stream().filter(sql -> sql.contains("max(locked_at) >= now()")).toList();
    assertThat(fenced).hasSize(4).allMatch(sql -> sql.contains(claimed()), "asks for the claim");
    assertThat(fenced).allMatch(sql -> sql.contains("keeper_max_retries = 0"), "waits for nothing");
    assertThat(fenced.get(0)).startsWith("INSERT INTO").contains("async_insert = 0, keeper");
    assertThat(fenced.get(2)).startsWith("DELETE FROM").contains("lightweight_deletes_sync = 2,");
  }

  @Test
  void aWriteOfOneWhoDidNotClaimIsFencedByItsRow() {
    backend.locks().announce(ID, LOCK_ID, "me");
    backend.states().save(TestStores.state("it's", "{}"), new Fence(ID, LOCK_ID, STALE));

    assertThat(relay.statements()).isNotEmpty().noneMatch(sql -> sql.contains("_claim"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ours", "plugin"})
  void everyStatementThatAsksForARowCanAskForTheClaim(String form) {
    List<String> statements =
        form.equals("ours")
            ? List.of(
                LockTableSql.HELD,
                StateTableSql.INSERT_IF_HELD,
                StateTableSql.INSERT_IF_HELD_AND_NEWER,
                StateTableSql.DELETE_IF_HELD)
            : List.of(
                LockTableSql.HELD_PLUGIN,
                StateTableSql.INSERT_IF_HELD_PLUGIN,
                StateTableSql.INSERT_IF_HELD_AND_NEWER_PLUGIN,
                StateTableSql.DELETE_IF_HELD_PLUGIN);

    assertThat(statements)
        .allSatisfy(
            sql ->
                assertThat(ClaimTableSql.andClaimed(sql))
                    .containsOnlyOnce("<claim_table>")
                    .containsOnlyOnce("keeper_max_retries = 0")
                    .containsOnlyOnce("toIntervalSecond(:stale)\n        AND lock_id IN\n"));
    assertThatThrownBy(() -> ClaimTableSql.andClaimed(LockTableSql.LOOK))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theTablesPlaceInKeeperIsOfItsNamesAlone() {
    assertThat(TableNames.of("meltano", "state").claimPathSql())
        .isEqualTo("'/statectl/meltano/state_claim'");
    assertThat(TableNames.of("a/b", "c").claimPathSql()).isEqualTo("'/statectl/a%2Fb/c_claim'");
    assertThat(TableNames.of("..", "it's {shard}").claimPathSql())
        .isEqualTo("'/statectl/%2E%2E/it%27s+%7Bshard%7D_claim'");
  }

  private boolean claim(LockId lockId) {
    return backend.locks().claim(ID, lockId, "me", STALE);
  }

  private String look() {
    return """
        SELECT
            state_id,
            lock_id,
            toUnixTimestamp(locked_at) AS newest,
            holder AS who,
            toUnixTimestamp(now()) AS clock
        FROM %s
        WHERE state_id IN ('it\\'s')
        SETTINGS keeper_max_retries = 0
        """
        .formatted(table);
  }

  private String insert(String ids) {
    return """
        INSERT INTO %s (state_id, lock_id, holder, locked_at)
        SETTINGS
            async_insert = 0,
            keeper_map_strict_mode = 1,
            insert_keeper_max_retries = 0,
            keeper_max_retries = 0
        SELECT arrayJoin([%s]), '%s', 'me', now()
        """
        .formatted(table, ids, LOCK_ID);
  }

  private String take() {
    return """
        ALTER TABLE %s
        UPDATE lock_id = '%s', holder = 'me', locked_at = now()
        WHERE state_id IN ('it\\'s')
            AND (lock_id = '' OR locked_at < now() - toIntervalSecond(300))
        SETTINGS %s
        """
        .formatted(table, LOCK_ID, STRICT);
  }

  private String release() {
    return """
        ALTER TABLE %s
        UPDATE lock_id = '', holder = ''
        WHERE state_id IN ('it\\'s') AND lock_id = '%s'
        SETTINGS %s
        """
        .formatted(table, LOCK_ID, STRICT);
  }

  private String claimed() {
    return "FROM %s\n".formatted(table);
  }

  private String held() {
    return """
        SELECT lock_id
        FROM %1$s
        WHERE state_id = 'it\\'s' AND lock_id = '%2$s'
        GROUP BY lock_id
        HAVING max(released) = 0 AND max(locked_at) >= now() - toIntervalSecond(300)
                AND lock_id IN
                (
                    SELECT lock_id
                    FROM %3$s
                    WHERE state_id = 'it\\'s' AND lock_id = '%2$s'
                        AND locked_at >= now() - toIntervalSecond(300)
                )
        SETTINGS keeper_max_retries = 0
        """
        .formatted(lockTable, LOCK_ID, table);
  }
}
