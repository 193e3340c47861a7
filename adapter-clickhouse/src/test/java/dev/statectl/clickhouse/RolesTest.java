package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.lock.LockId;
import dev.statectl.port.Finding;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateHistory;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Who has the rights of a role, and no others, can do all of it; who lacks one of them is told
 * which to grant.
 */
class RolesTest {
  private static final StateId ID = StateId.of("dev:a");

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private String schema = "";

  /** What a role does. */
  enum Role {
    READER,
    WRITER,
    ADMINISTRATOR;

    List<String> grants(ClickHouseDdl ddl, String user) {
      return switch (this) {
        case READER -> ddl.readerGrants(user);
        case WRITER -> ddl.writerGrants(user);
        case ADMINISTRATOR -> ddl.administratorGrants(user);
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void theRightsOfARoleAreEnough(Role role) {
    prepare(role);
    ClickHouseEndpoint user = clickHouse.createUser();
    role.grants(ddl(), user.user()).forEach(clickHouse::execute);
    try (ClickHouseBackend backend = open(user)) {
      for (Consumer<ClickHouseBackend> step : steps(role)) {
        step.accept(backend);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachOfThemIsNamedWhenItIsMissing(Role role) {
    List<String> named = new ArrayList<>();
    prepare(role);
    for (String right : rights(role).stream().map(this::withoutSchema).toList()) {
      String privilege = right.substring(0, right.indexOf(" ON "));
      if (!isOfDoctorAlone(right)) {
        assertThat(messagesWithout(right, role))
            .as(right)
            .anyMatch(
                message ->
                    message.matches(".*GRANT ([A-Z ]+, )*" + privilege + "(, [A-Z ]+)* ON .*"));
        named.add(right);
      }
    }
    System.out.println("rights of a " + role + ", each told when missing: " + named);
  }

  @Test
  void theRightsAreThese() {
    ClickHouseDdl ddl = ClickHouseDdl.of("meltano", "state");

    assertThat(ddl.administratorGrants("etl"))
        .containsExactly(
            "GRANT CREATE DATABASE ON \"meltano\".* TO \"etl\"",
            "GRANT CREATE TABLE ON \"meltano\".* TO \"etl\"",
            "GRANT SELECT, INSERT, ALTER DELETE, TRUNCATE, OPTIMIZE ON \"meltano\".\"state\" TO"
                + " \"etl\"",
            "GRANT SELECT, INSERT, ALTER DELETE, ALTER ADD COLUMN, ALTER MODIFY COLUMN, ALTER ORDER"
                + " BY, ALTER TTL, OPTIMIZE ON \"meltano\".\"state_lock\" TO \"etl\"",
            "GRANT SELECT, INSERT, ALTER TTL, OPTIMIZE ON"
                + " \"meltano\".\"state_history\" TO \"etl\"",
            "GRANT CREATE VIEW, DROP VIEW ON \"meltano\".\"state_history_view\" TO \"etl\"",
            "GRANT SELECT ON system.mutations TO \"etl\"",
            "GRANT SELECT ON system.clusters TO \"etl\"");
  }

  /** What the examination of a store asks, or proposes; it tells in a finding what it may not. */
  private static boolean isOfDoctorAlone(String right) {
    return right.startsWith("OPTIMIZE ")
        || right.contains(" ON system.")
        || right.equals("ALTER TTL ON \"state_lock\"");
  }

  /** How a user with all other rights is refused, with no tables and with those of the plugin. */
  private List<String> messagesWithout(String missing, Role role) {
    List<String> messages = new ArrayList<>();
    List<Boolean> tables = role == Role.ADMINISTRATOR ? List.of(false, true) : List.of(false);
    for (boolean plugin : tables) {
      prepare(role);
      if (plugin) {
        TestStores.createPluginTables(schema);
      }
      ClickHouseEndpoint user = clickHouse.createUser();
      rights(role).stream()
          .filter(right -> !withoutSchema(right).equals(missing))
          .forEach(right -> clickHouse.execute("GRANT " + right + " TO " + user.user()));
      try (ClickHouseBackend backend = open(user)) {
        for (Consumer<ClickHouseBackend> step : steps(role)) {
          if (catchThrowable(() -> step.accept(backend)) instanceof StateFailure.Denied denied) {
            messages.add(String.valueOf(denied.getMessage()));
          }
        }
        // A lock table that may not be upgraded is used as it is, more slowly.
        backend.locks().immediateObstacle().ifPresent(messages::add);
      }
    }
    return messages;
  }

  private List<Consumer<ClickHouseBackend>> steps(Role role) {
    State state = TestStores.state(ID.text(), "{\"n\":1}");
    LockId lock = new LockId("l");
    List<Consumer<ClickHouseBackend>> reading =
        List.of(
            backend -> backend.states().find(ID),
            backend -> backend.states().forEachState(StateIdGlob.ALL, each -> {}),
            backend -> backend.locks().look(ID),
            backend -> backend.history().status(),
            backend -> backend.history().forEach(ID, 10, each -> {}));
    List<Consumer<ClickHouseBackend>> writing =
        List.of(
            backend -> backend.states().save(state),
            backend -> backend.locks().announce(ID, lock, "me"),
            backend -> backend.locks().withdraw(ID, lock),
            backend -> backend.states().delete(ID),
            backend -> backend.states().save(state),
            backend -> backend.states().deleteAll());
    List<Consumer<ClickHouseBackend>> administering =
        List.of(
            backend -> backend.states().save(state),
            backend -> backend.history().enable(Duration.ofDays(1)),
            backend -> backend.history().enable(Duration.ofDays(2)),
            RolesTest::mendAll,
            backend -> backend.history().disable(),
            backend -> backend.history().enable(StateHistory.DEFAULT_KEEP));
    return switch (role) {
      case READER -> reading;
      case WRITER -> Stream.of(reading, writing).flatMap(List::stream).toList();
      case ADMINISTRATOR ->
          Stream.of(administering, reading, writing).flatMap(List::stream).toList();
    };
  }

  private static void mendAll(ClickHouseBackend backend) {
    for (Finding finding : backend.checkup().examine()) {
      if (finding.isSafelyMendable()) {
        backend.checkup().mend(finding);
      }
    }
  }

  /** Each privilege with its place, as {@code SELECT ON "s"."state"}. */
  private List<String> rights(Role role) {
    return role.grants(ddl(), "nobody").stream()
        .flatMap(
            grant -> {
              String text = grant.substring("GRANT ".length(), grant.indexOf(" TO "));
              String place = text.substring(text.indexOf(" ON "));
              return Arrays.stream(text.substring(0, text.indexOf(" ON ")).split(", "))
                  .map(privilege -> privilege + place);
            })
        .toList();
  }

  private String withoutSchema(String right) {
    return right.replace("\"" + schema + "\".", "").replaceAll("schema_[0-9a-f]+", "");
  }

  private void prepare(Role role) {
    schema = clickHouse.freshSchema();
    if (role != Role.ADMINISTRATOR) {
      try (ClickHouseBackend backend = open(clickHouse.endpoint())) {
        backend.states().save(TestStores.state(ID.text(), "{\"n\":1}"));
        backend.history().enable(StateHistory.DEFAULT_KEEP);
      }
    }
  }

  private ClickHouseDdl ddl() {
    return ClickHouseDdl.of(schema, "state");
  }

  private ClickHouseBackend open(ClickHouseEndpoint user) {
    return ClickHouseBackend.open(TestStores.settings(user, schema));
  }
}
