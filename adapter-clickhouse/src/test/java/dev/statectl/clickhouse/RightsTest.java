package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RightsTest {
  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();

  @BeforeEach
  void storeAState() {
    TestStores.createPluginTables(schema);
    TestStores.plant(schema, "'a'", "'{\"n\":1}'", "NULL", 1);
  }

  @Test
  void aReadOnlyUserReadsAll() {
    try (ClickHouseBackend backend = openAs(readOnlyUser())) {
      StateStore store = backend.states();
      assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":1}");
      assertThat(TestStores.ids(store, "*")).containsExactly("a");
      assertThat(TestStores.ids(store, "a*")).containsExactly("a");
      List<String> walked = new ArrayList<>();
      store.forEachState(StateIdGlob.ALL, state -> walked.add(state.id().text()));
      assertThat(walked).containsExactly("a");
      assertThat(store.delete(StateId.of("b"))).isFalse();
    }
  }

  @Test
  void aReadOnlyUserReadsNothingWhereNoTableIs() {
    String missing = clickHouse.freshSchema();
    ClickHouseEndpoint user = clickHouse.createReadOnlyUser("SELECT ON " + missing + ".*");
    try (ClickHouseBackend backend = ClickHouseBackend.open(TestStores.settings(user, missing))) {
      assertThat(backend.states().find(StateId.of("a"))).isEmpty();
      assertThat(TestStores.ids(backend.states(), "*")).isEmpty();
    }
  }

  @Test
  void aReadOnlyUserIsRefusedEveryWrite() {
    ClickHouseEndpoint user = readOnlyUser();
    String refusal =
        schema
            + ".state at "
            + place()
            + ": the user "
            + user.user()
            + " may only read (its profile says readonly) (ClickHouse error 164); use another"
            + " user, or ask the administrator to change its profile";
    try (ClickHouseBackend backend = openAs(user)) {
      StateStore store = backend.states();
      assertDenied(() -> store.save(TestStores.state("a", "{}")), "cannot write to " + refusal);
      assertDenied(
          () -> store.saveAll(List.of(TestStores.state("a", "{}"))), "cannot write to " + refusal);
      assertDenied(() -> store.delete(StateId.of("a")), "cannot delete from " + refusal);
      assertDenied(store::deleteAll, "cannot clear " + refusal);
    }
    assertUnchanged();
  }

  @Test
  void aReadOnlyUserIsRefusedTheFirstWrite() {
    String missing = clickHouse.freshSchema();
    ClickHouseEndpoint user =
        clickHouse.createReadOnlyUser("SELECT, INSERT, CREATE DATABASE ON " + missing + ".*");
    try (ClickHouseBackend backend = ClickHouseBackend.open(TestStores.settings(user, missing))) {
      assertDenied(
          () -> backend.states().save(TestStores.state("a", "{}")),
          "cannot create the database "
              + missing
              + " at "
              + place()
              + ": the user "
              + user.user()
              + " may only read (its profile says readonly) (ClickHouse error 164); use another"
              + " user, or ask the administrator to change its profile");
    }
  }

  @Test
  void whoeverLacksARightIsToldWhichOne() {
    String table = schema + ".state";
    ClickHouseEndpoint nobody = clickHouse.createUser();
    try (ClickHouseBackend backend = openAs(nobody)) {
      assertDenied(
          () -> backend.states().find(StateId.of("a")),
          lacking("read", "SELECT", table, nobody.user()));
      assertDenied(
          () -> TestStores.ids(backend.states(), "*"),
          lacking("read", "SELECT", table, nobody.user()));
    }
    ClickHouseEndpoint reader = clickHouse.createUser("SELECT ON " + schema + ".state");
    try (ClickHouseBackend backend = openAs(reader)) {
      StateStore store = backend.states();
      assertDenied(
          () -> store.save(TestStores.state("a", "{}")),
          lacking("write to", "INSERT", table, reader.user()));
      assertDenied(
          () -> store.saveAll(List.of(TestStores.state("a", "{}"))),
          lacking("write to", "INSERT", table, reader.user()));
      assertDenied(
          () -> store.delete(StateId.of("a")),
          lacking("delete from", "ALTER DELETE", table, reader.user()));
      assertDenied(store::deleteAll, lacking("clear", "TRUNCATE", table, reader.user()));
    }
    assertUnchanged();
  }

  @Test
  void aWrongPasswordIsDenied() {
    ClickHouseEndpoint wrong =
        clickHouse.endpoint().as(clickHouse.endpoint().user(), "marker-password");
    try (ClickHouseBackend backend = openAs(wrong)) {
      assertDenied(
          () -> backend.states().find(StateId.of("a")),
          "cannot read %s.state at %s: the server does not accept the user %s with this password"
                  .formatted(schema, place(), wrong.user())
              + " (ClickHouse error 516); check user and password");
      assertDenied(
          () -> backend.states().save(TestStores.state("a", "{}")),
          "cannot read %s.state at %s: the server does not accept the user %s with this password"
                  .formatted(schema, place(), wrong.user())
              + " (ClickHouse error 516); check user and password");
    }
    assertUnchanged();
  }

  private String lacking(String verb, String right, String table, String user) {
    return "cannot %s %s at %s: the user %s lacks a right; an administrator can grant it: GRANT %s ON %s TO %s"
        .formatted(verb, table, place(), user, right, table, user);
  }

  private ClickHouseEndpoint readOnlyUser() {
    return clickHouse.createReadOnlyUser(
        "SELECT, INSERT, ALTER DELETE, TRUNCATE ON " + schema + ".*");
  }

  private ClickHouseBackend openAs(ClickHouseEndpoint user) {
    return ClickHouseBackend.open(TestStores.settings(user, schema));
  }

  private void assertUnchanged() {
    assertThat(clickHouse.query("SELECT state_id, completed_state FROM " + schema + ".state"))
        .isEqualTo("a\t{\"n\":1}");
  }

  private String place() {
    return clickHouse.endpoint().host() + ":" + clickHouse.endpoint().port();
  }

  private static void assertDenied(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(StateFailure.Denied.class).hasMessage(message);
  }
}
