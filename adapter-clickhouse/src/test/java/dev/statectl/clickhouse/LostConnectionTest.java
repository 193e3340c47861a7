package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.Relay.Cut;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LostConnectionTest {
  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final Relay relay = Relay.to(clickHouse.endpoint());
  private final ClickHouseBackend backend =
      ClickHouseBackend.open(TestStores.settings(relay.endpoint(), schema));
  private final StateStore store = backend.states();
  private final String target = schema + ".state at 127.0.0.1:" + relay.endpoint().port();

  @BeforeEach
  void storeAState() {
    store.save(TestStores.state("a", "{\"n\":1}"));
    relay.clear();
  }

  @AfterEach
  void close() {
    backend.close();
    relay.close();
  }

  @Test
  void aSaveWhoseAnswerIsLostIsFoundDoneAndNotMadeAgain() {
    relay.cut("INSERT", Cut.BEFORE_THE_ANSWER);
    store.save(TestStores.state("a", "{\"n\":2}"));
    assertThat(stored()).isEqualTo("{\"n\":2}");
    assertThat(relay.statements()).filteredOn(sql -> sql.startsWith("INSERT")).hasSize(1);
  }

  @Test
  void outcomeOfASaveIsUnknownThoughItWasNotDone() {
    relay.cut("INSERT", Cut.BEFORE_THE_REQUEST);
    assertOutcomeUnknown(() -> store.save(TestStores.state("a", "{\"n\":2}")), "writing to");
    assertThat(stored()).isEqualTo("{\"n\":1}");
    assertThat(relay.lost()).isEqualTo(Backoff.MOST_TRIES);
  }

  @Test
  void aSaveThatGotLostOnceIsMadeAgain() {
    relay.cutNext("INSERT", Cut.BEFORE_THE_REQUEST);
    store.save(TestStores.state("a", "{\"n\":2}"));
    assertThat(stored()).isEqualTo("{\"n\":2}");
  }

  @Test
  void aSaveIsNotMadeAgainOverALaterOne() {
    relay.cut("INSERT", Cut.BEFORE_THE_REQUEST);
    Runnable another =
        () ->
            clickHouse.execute(
                "INSERT INTO "
                    + schema
                    + ".state (state_id, completed_state, updated_at) SETTINGS async_insert = 0"
                    + " VALUES ('a', '{\"n\":3}', now64(3) + 10)");
    relay.holdNext("SELECT\n    state_id,\n    toUnixTimestamp64Milli", another);
    assertOutcomeUnknown(() -> store.save(TestStores.state("a", "{\"n\":2}")), "writing to");
    assertThat(stored()).isEqualTo("{\"n\":3}");
    assertThat(relay.lost()).isEqualTo(1);
  }

  @Test
  void savingManyWhoseAnswerIsLostIsFoundDone() {
    relay.cut("INSERT", Cut.BEFORE_THE_ANSWER);
    store.saveAll(List.of(TestStores.state("a", "{\"n\":2}"), TestStores.state("b", "{}")));
    assertThat(TestStores.ids(store, "*")).containsExactly("a", "b");
    assertThat(relay.statements()).filteredOn(sql -> sql.startsWith("INSERT")).hasSize(1);
  }

  @Test
  void oneStateOfManyThatIsThereDoesNotMeanThatAllAre() {
    Backoff losing =
        new Backoff(
            () -> 0,
            pause ->
                TestClickHouse.shared()
                    .execute("DELETE FROM " + schema + ".state WHERE state_id = 'b'"),
            System::nanoTime);
    try (ClickHouseBackend other =
        ClickHouseBackend.open(
            TestStores.settings(relay.endpoint(), schema), LockPeers.PLUGIN, "", losing)) {
      relay.cut("INSERT", Cut.BEFORE_THE_ANSWER);
      assertOutcomeUnknown(
          () ->
              other
                  .states()
                  .saveAll(
                      List.of(TestStores.state("a", "{\"n\":2}"), TestStores.state("b", "{}"))),
          "writing to");
    }
  }

  @Test
  void aDeleteWhoseAnswerIsLostIsFoundDone() {
    relay.cut("DELETE", Cut.BEFORE_THE_ANSWER);
    assertThat(store.delete(StateId.of("a"))).isTrue();
    assertThat(stored()).isEmpty();
    assertThat(relay.statements()).filteredOn(sql -> sql.startsWith("DELETE")).hasSize(1);
  }

  @Test
  void outcomeOfADeleteIsUnknownAndItIsNotMadeAgain() {
    relay.cut("DELETE", Cut.BEFORE_THE_REQUEST);
    assertOutcomeUnknown(() -> store.delete(StateId.of("a")), "deleting from");
    assertThat(stored()).isEqualTo("{\"n\":1}");
    assertThat(relay.lost()).isEqualTo(1);
  }

  @Test
  void deletingAllWhoseAnswerIsLostIsFoundDone() {
    relay.cut("TRUNCATE", Cut.BEFORE_THE_ANSWER);
    assertThat(store.deleteAll()).isEqualTo(1);
    assertThat(stored()).isEmpty();
  }

  @Test
  void outcomeOfDeletingAllIsUnknownAndItIsNotMadeAgain() {
    relay.cut("TRUNCATE", Cut.BEFORE_THE_REQUEST);
    assertOutcomeUnknown(store::deleteAll, "clearing");
    assertThat(stored()).isEqualTo("{\"n\":1}");
    assertThat(relay.lost()).isEqualTo(1);
  }

  @Test
  void aWriteWhoseReadIsLostChangedNothing() {
    relay.cut("SELECT", Cut.BEFORE_THE_ANSWER);
    assertUnavailable(() -> store.save(TestStores.state("a", "{\"n\":2}")));
    assertUnavailable(() -> store.saveAll(List.of(TestStores.state("a", "{\"n\":2}"))));
    assertUnavailable(() -> store.delete(StateId.of("a")));
    assertUnavailable(store::deleteAll);
    assertThat(stored()).isEqualTo("{\"n\":1}");
  }

  @Test
  void aLostCreationChangedNothing() {
    String missing = clickHouse.freshSchema();
    relay.cut("CREATE TABLE", Cut.BEFORE_THE_ANSWER);
    try (ClickHouseBackend other =
        ClickHouseBackend.open(TestStores.settings(relay.endpoint(), missing))) {
      assertThatThrownBy(() -> other.states().save(TestStores.state("a", "{}")))
          .isInstanceOf(StateFailure.Unavailable.class)
          .hasMessage(
              "cannot create the tables %1$s.state and %1$s.state_lock at 127.0.0.1:%2$d: the"
                  + " connection was closed without an answer; check host, port and secure (false)",
              missing, relay.endpoint().port());
      relay.cut("nothing", Cut.BEFORE_THE_ANSWER);
      other.states().save(TestStores.state("a", "{\"n\":1}"));
      assertThat(TestStores.completedOf(other.states(), "a")).isEqualTo("{\"n\":1}");
    }
  }

  @ParameterizedTest
  @EnumSource(Cut.class)
  void aLostReadIsAFailure(Cut cut) {
    relay.cut("SELECT", cut);
    assertUnavailable(() -> store.find(StateId.of("a")));
    assertUnavailable(() -> TestStores.ids(store, "*"));
    assertUnavailable(() -> store.forEachState(StateIdGlob.ALL, state -> {}));
  }

  @Test
  void aWalkThatBreaksOffIsAFailureAndNeverAShortList() {
    List<State> many =
        IntStream.range(0, 20_000)
            .mapToObj(
                i ->
                    TestStores.state(
                        String.format("id-%08d", i * 7919L % 20_000), "{\"n\":" + i + "}"))
            .toList();
    store.saveAll(many);
    relay.cut("SELECT", Cut.BEFORE_THE_END);
    List<String> ids = new ArrayList<>();
    assertUnavailable(() -> store.forEachId(StateIdGlob.ALL, id -> ids.add(id.text())));
    assertThat(ids).hasSizeLessThanOrEqualTo(20_001).isSorted();
    List<String> states = new ArrayList<>();
    assertUnavailable(() -> store.forEachState(StateIdGlob.ALL, s -> states.add(s.id().text())));
    assertThat(states).hasSizeLessThanOrEqualTo(20_001).isSorted();
  }

  @Test
  void theNextOperationDialsAnew() {
    relay.cut("SELECT", Cut.BEFORE_THE_ANSWER);
    assertUnavailable(() -> store.find(StateId.of("a")));
    relay.cut("nothing", Cut.BEFORE_THE_ANSWER);
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":1}");
  }

  @Test
  void aReadIsSentFourTimesAtMost() {
    relay.cut("SELECT", Cut.BEFORE_THE_ANSWER);
    assertUnavailable(() -> store.find(StateId.of("a")));
    assertThat(relay.statements()).hasSize(Backoff.MOST_TRIES);
  }

  @Test
  void aReadThatGotLostOnceIsSentAgain() {
    relay.cutNext("SELECT", Cut.BEFORE_THE_ANSWER);
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":1}");
    relay.cutNext("SELECT", Cut.BEFORE_THE_END);
    assertThat(TestStores.ids(store, "*")).containsExactly("a");
    assertThat(relay.statements()).hasSize(4);
  }

  private String stored() {
    return clickHouse.query("SELECT completed_state FROM " + schema + ".state FINAL FORMAT TSVRaw");
  }

  private void assertOutcomeUnknown(ThrowingCallable call, String gerund) {
    assertThatThrownBy(call)
        .isInstanceOf(StateFailure.OutcomeUnknown.class)
        .hasMessage(
            "whether %s %s happened is unknown: the connection was closed without an answer; look"
                + " at what is stored before you repeat it",
            gerund, target);
  }

  private void assertUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessageStartingWith("cannot read " + target + ": the connection ");
  }
}
