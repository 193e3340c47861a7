package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.contract.RawLock;
import dev.statectl.lock.Fence;
import dev.statectl.lock.LockId;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VersionsTest {
  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final ClickHouseBackend backend = TestStores.open(schema);
  private final StateStore store = backend.states();

  @BeforeEach
  void createTables() {
    TestStores.createPluginTables(schema);
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  void theVersionIsTheServersTime() {
    Instant before = clock();
    StateVersion version = store.save(TestStores.state("a", "{}"));
    assertThat(version.updatedAt()).isBetween(before, clock());
    assertThat(clickHouse.query("SELECT toUnixTimestamp64Milli(updated_at) FROM " + table()))
        .isEqualTo(Long.toString(version.updatedAt().toEpochMilli()));
    assertThat(store.find(StateId.of("a")).orElseThrow().version()).isEqualTo(version);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1900-01-01T00:00:00.000Z",
        "1969-12-31T23:59:59.999Z",
        "1970-01-01T00:00:00.000Z",
        "2299-12-31T23:59:59.999Z",
        "2300-01-01T00:00:01.000Z"
      })
  void everyVersionThatTheColumnHoldsIsReadAndReplaced(String stored) {
    Instant instant = Instant.parse(stored);
    TestStores.plant(schema, "'a'", "'{\"n\":1}'", "NULL", instant.toEpochMilli());
    assertThat(store.find(StateId.of("a")).orElseThrow().version())
        .isEqualTo(new StateVersion(instant));
    StateVersion next = store.save(TestStores.state("a", "{\"n\":2}"));
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":2}");
    assertThat(store.find(StateId.of("a")).orElseThrow().version()).isEqualTo(next);
  }

  @Test
  void aVersionInTheFutureIsOvertakenByAMillisecond() {
    Instant future = clock().plus(Duration.ofDays(3650));
    TestStores.plant(schema, "'a'", "'{\"n\":1}'", "NULL", future.toEpochMilli());
    assertThat(store.save(TestStores.state("a", "{\"n\":2}")).updatedAt())
        .isEqualTo(future.plusMillis(1));
    store.saveAll(List.of(TestStores.state("a", "{\"n\":3}")));
    assertThat(store.find(StateId.of("a")).orElseThrow().version().updatedAt())
        .isEqualTo(future.plusMillis(2));
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":3}");
  }

  @Test
  void everyWriteWinsAfterTheServersClockWasSetBackByAnHour() {
    Instant before = clock().plus(Duration.ofHours(1));
    TestStores.plant(schema, "'a'", "'{\"n\":0}'", "NULL", before.toEpochMilli());
    LockId mine = LockId.of(Instant.EPOCH, 1);
    backend.locks().announce(StateId.of("a"), mine, "me");
    Fence fence = new Fence(StateId.of("a"), mine, Duration.ofSeconds(300));
    List<Runnable> writes =
        List.of(
            () -> store.save(TestStores.state("a", "{\"n\":1}")),
            () -> store.saveAll(List.of(TestStores.state("a", "{\"n\":2}"))),
            () -> store.save(TestStores.state("a", "{\"n\":3}"), fence),
            () -> backend.history().revert(TestStores.state("a", "{\"n\":4}"), fence));
    for (int n = 1; n <= writes.size(); n++) {
      writes.get(n - 1).run();
      assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":" + n + "}");
      assertThat(store.find(StateId.of("a")).orElseThrow().version().updatedAt())
          .isEqualTo(before.plusMillis(n));
    }
    clickHouse.execute("OPTIMIZE TABLE " + schema + ".state FINAL");
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":4}");
    assertThat(store.delete(StateId.of("a"))).isTrue();
    store.save(TestStores.state("a", "{\"n\":5}"));
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":5}");
  }

  @Test
  void aLockIsReleasedAfterTheServersClockWasSetBackByAnHour() {
    for (LockPeers peers : LockPeers.values()) {
      String own = clickHouse.freshSchema();
      String id = "locked-" + peers;
      LockId mine = LockId.of(Instant.EPOCH, 2);
      TestStores.plantLock(own, new RawLock(id, mine.text(), "me", -3_600));
      try (ClickHouseBackend other = TestStores.open(own, peers)) {
        assertThat(other.locks().renew(StateId.of(id), mine, Duration.ofSeconds(300))).isTrue();
        assertThat(other.locks().withdraw(StateId.of(id), mine)).isTrue();
        clickHouse.execute("OPTIMIZE TABLE " + own + ".state_lock FINAL");
        assertThat(other.locks().look(StateId.of(id))).isEmpty();
      }
    }
  }

  @Test
  void theTimeZoneOfTheColumnHasNoSay() {
    String zoned = clickHouse.freshSchema();
    clickHouse.execute(
        "CREATE DATABASE " + zoned,
        "CREATE TABLE "
            + zoned
            + ".state (state_id String, partial_state Nullable(String), completed_state"
            + " Nullable(String), updated_at DateTime64(3, 'Asia/Tokyo') DEFAULT now64(3)) ENGINE ="
            + " ReplacingMergeTree(updated_at) ORDER BY state_id");
    try (ClickHouseBackend other = TestStores.open(zoned)) {
      StateVersion version = other.states().save(TestStores.state("a", "{}"));
      assertThat(other.states().find(StateId.of("a")).orElseThrow().version()).isEqualTo(version);
      assertThat(version.updatedAt()).isBetween(clock().minusSeconds(60), clock());
    }
  }

  @Test
  void aTableThatDropsRepeatedInsertsKeepsARepeatedState() {
    clickHouse.execute(
        "ALTER TABLE " + table() + " MODIFY SETTING non_replicated_deduplication_window = 1000");
    store.save(TestStores.state("a", "{\"n\":1}"));
    store.save(TestStores.state("a", "{\"n\":2}"));
    store.save(TestStores.state("a", "{\"n\":1}"));
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":1}");
    assertThat(store.delete(StateId.of("a"))).isTrue();
    store.save(TestStores.state("a", "{\"n\":1}"));
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":1}");
    assertThat(store.deleteAll()).isEqualTo(1);
    store.saveAll(List.of(TestStores.state("a", "{\"n\":1}")));
    store.saveAll(List.of(TestStores.state("a", "{\"n\":2}")));
    store.saveAll(List.of(TestStores.state("a", "{\"n\":1}")));
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":1}");
  }

  @Test
  void theSameInsertWithoutAVersionIsDroppedByThatTable() {
    clickHouse.execute(
        "ALTER TABLE " + table() + " MODIFY SETTING non_replicated_deduplication_window = 1000");
    for (String n : List.of("1", "2", "1")) {
      clickHouse.execute(
          "INSERT INTO "
              + table()
              + " (state_id, completed_state) SETTINGS async_insert = 0 VALUES ('a', '{\"n\":"
              + n
              + "}')");
    }
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":2}");
  }

  @Test
  void deletingRemovesAllVersionsAlsoAfterAMerge() {
    for (int n = 1; n <= 3; n++) {
      store.save(TestStores.state("a", "{\"n\":" + n + "}"));
    }
    assertThat(store.delete(StateId.of("a"))).isTrue();
    clickHouse.execute("OPTIMIZE TABLE " + table() + " FINAL");
    assertThat(store.find(StateId.of("a"))).isEmpty();
    assertThat(store.delete(StateId.of("a"))).isFalse();
    store.save(TestStores.state("a", "{\"n\":4}"));
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":4}");
  }

  private String table() {
    return schema + ".state";
  }

  private Instant clock() {
    return Instant.ofEpochMilli(
        Long.parseLong(clickHouse.query("SELECT toUnixTimestamp64Milli(now64(3))")));
  }
}
