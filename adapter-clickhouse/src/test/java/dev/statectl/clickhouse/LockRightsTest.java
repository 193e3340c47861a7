package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.contract.RawLock;
import dev.statectl.lock.LockId;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LockRightsTest {
  private static final StateId ID = StateId.of("a");
  private static final LockId LOCK_ID = new LockId("l");

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final String table = schema + ".state_lock";

  @BeforeEach
  void plantALock() {
    TestStores.plantLock(schema, new RawLock("a", "l", "me", 200));
  }

  @Test
  void aReadOnlyUserSeesLocksAndChangesNone() {
    ClickHouseEndpoint user =
        clickHouse.createReadOnlyUser("SELECT, INSERT, ALTER DELETE ON " + schema + ".*");
    try (ClickHouseBackend backend = ClickHouseBackend.open(TestStores.settings(user, schema))) {
      assertThat(backend.locks().look(ID)).extracting(c -> c.holder()).containsExactly("me");
      List<String> listed = new ArrayList<>();
      backend.locks().forEach(StateIdGlob.ALL, c -> listed.add(c.lockId().text()));
      assertThat(listed).containsExactly("l");
      String refusal =
          " %s at %s: the user %s may only read (its profile says readonly) (ClickHouse error 164); use another user, or ask the administrator to change its profile"
              .formatted(table, place(), user.user());
      assertDenied(
          () -> backend.locks().announce(ID, new LockId("m"), "me"), "cannot write to" + refusal);
      assertDenied(() -> backend.locks().withdraw(ID, LOCK_ID), "cannot delete from" + refusal);
    }
  }

  @Test
  void whoeverLacksARightIsToldWhichOne() {
    ClickHouseEndpoint nobody = clickHouse.createUser();
    try (ClickHouseBackend backend = ClickHouseBackend.open(TestStores.settings(nobody, schema))) {
      assertDenied(() -> backend.locks().look(ID), lacking("read", "SELECT", nobody));
    }
    ClickHouseEndpoint reader = clickHouse.createUser("SELECT ON " + table);
    try (ClickHouseBackend backend = ClickHouseBackend.open(TestStores.settings(reader, schema));
        ClickHouseBackend alone =
            ClickHouseBackend.open(TestStores.settings(reader, schema), LockPeers.NONE)) {
      assertDenied(
          () -> backend.locks().announce(ID, new LockId("m"), "me"),
          lacking("write to", "INSERT", reader));
      assertDenied(
          () -> backend.locks().renew(ID, LOCK_ID, Duration.ofSeconds(300)),
          lacking("write to", "INSERT", reader));
      assertDenied(
          () -> backend.locks().withdraw(ID, LOCK_ID),
          lacking("delete from", "ALTER DELETE", reader));
      assertDenied(
          () -> backend.locks().removeStale(ID, Duration.ofSeconds(100)),
          lacking("delete from", "ALTER DELETE", reader));
      assertDenied(
          () -> alone.locks().withdraw(ID, LOCK_ID), lacking("write to", "INSERT", reader));
    }
    assertThat(clickHouse.query("SELECT lock_id FROM " + table)).isEqualTo("l");
  }

  private String lacking(String verb, String right, ClickHouseEndpoint user) {
    return "cannot %s %s at %s: the user %s lacks a right; an administrator can grant it: GRANT %s ON %s TO %s"
        .formatted(verb, table, place(), user.user(), right, table, user.user());
  }

  private String place() {
    return clickHouse.endpoint().host() + ":" + clickHouse.endpoint().port();
  }

  private static void assertDenied(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(StateFailure.Denied.class).hasMessage(message);
  }
}
