package dev.statectl.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.json.JsonObject;
import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.stream.Doubt;
import dev.statectl.usecase.ImportStates.IfExists;
import dev.statectl.usecase.ImportStates.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GuardRailsTest {
  private static final long MAX = 2_000;
  private static final GuardRails RAILS = GuardRails.of(MAX);
  private static final String FIVE = "{\"singer_state\":{\"bookmarks\":{\"a\":{\"k\":5}}}}";
  private static final String FOUR = FIVE.replace('5', '4');
  private static final Doubt BACK =
      new Doubt(Doubt.Kind.BACKWARDS, "1 bookmark goes backwards: a/k");
  private static final String REFUSAL =
      "the state of 'dev:tap-to-target' was not changed: 1 bookmark goes backwards: a/k";

  private final UseCaseFixture fixture = new UseCaseFixture();
  private final List<String> told = new ArrayList<>();

  /** A change of the stored state to {@link #FOUR}, by each use case that has guard rails. */
  private interface Change {
    void make(UseCaseFixture fixture, GuardRails guardRails);
  }

  static List<Arguments> changes() {
    JsonObject four = JsonObject.parse(FOUR);
    return List.of(
        change(
            "set",
            (fixture, rails) ->
                new SetState(fixture.store(), fixture.locks()).set(UseCaseFixture.ID, four, rails)),
        change(
            "merge",
            (fixture, rails) ->
                new MergeState(fixture.store(), fixture.locks())
                    .merge(UseCaseFixture.ID, four, rails)),
        change(
            "merge of others",
            (fixture, rails) -> {
              StateId other = StateId.of("other");
              fixture.store().save(State.of(other, four, JsonObject.EMPTY));
              new MergeState(fixture.store(), fixture.locks())
                  .merge(UseCaseFixture.ID, List.of(other), rails);
            }),
        change(
            "replace",
            (fixture, rails) ->
                new ReplaceState(fixture.store(), fixture.locks())
                    .replace(UseCaseFixture.ID, Optional.of(fixture.stored()), four, rails)),
        change(
            "change",
            (fixture, rails) ->
                new ChangeState(fixture.store(), fixture.locks())
                    .change(UseCaseFixture.ID, state -> UseCaseFixture.state(FOUR, "{}"), rails)),
        change(
            "import",
            (fixture, rails) ->
                new ImportStates(fixture.store(), fixture.locks())
                    .run(
                        action -> action.accept(UseCaseFixture.state(FOUR, "{}")),
                        IfExists.OVERWRITE,
                        rails,
                        (id, failure) -> {
                          throw failure;
                        },
                        () -> false)));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void aDoubtfulChangeIsRefusedAndChangesNothing(Change change) {
    fixture.store().save(UseCaseFixture.state(FIVE, "{}"));

    assertThatThrownBy(() -> change.make(fixture, RAILS))
        .isInstanceOfSatisfying(
            StateFailure.Doubtful.class,
            e -> {
              assertThat(e.kind()).isEqualTo(StateFailure.Kind.DOUBTFUL);
              assertThat(e.id()).isEqualTo(UseCaseFixture.ID);
              assertThat(e.doubts()).containsExactly(BACK);
            })
        .hasMessage(REFUSAL);

    assertThat(fixture.stored())
        .isEqualTo(UseCaseFixture.state(FIVE, "{}").withVersion(UseCaseFixture.FIRST));
    assertThat(new AcquireLockProbe(fixture).isFree()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("changes")
  void overruledItIsMadeAndItsDoubtsAreTold(Change change) {
    fixture.store().save(UseCaseFixture.state(FIVE, "{}"));

    change.make(fixture, RAILS.overruled().telling(this::tell));

    assertThat(fixture.stored().merged()).isEqualTo(JsonObject.parse(FOUR));
    assertThat(told).containsExactly("dev:tap-to-target: 1 bookmark goes backwards: a/k");
  }

  @ParameterizedTest
  @MethodSource("changes")
  void withoutGuardRailsNothingIsDoubted(Change change) {
    fixture.store().save(UseCaseFixture.state(FIVE, "{}"));

    change.make(fixture, GuardRails.NONE.telling(this::tell));

    assertThat(fixture.stored().merged()).isEqualTo(JsonObject.parse(FOUR));
    assertThat(told).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("changes")
  void whatWasAgreedToIsMadeAndNotToldAgain(Change change) {
    fixture.store().save(UseCaseFixture.state(FIVE, "{}"));

    change.make(
        fixture, RAILS.accepting(Map.of(UseCaseFixture.ID, List.of(BACK))).telling(this::tell));

    assertThat(fixture.stored().merged()).isEqualTo(JsonObject.parse(FOUR));
    assertThat(told).isEmpty();
  }

  @Test
  void whatWasAgreedToIsThisDoubtAboutThisId() {
    fixture.store().save(UseCaseFixture.state(FIVE, "{}"));
    State four = UseCaseFixture.state(FOUR, "{}");
    Optional<State> stored = Optional.of(fixture.stored());

    for (GuardRails rails :
        List.of(
            RAILS.accepting(Map.of(StateId.of("other"), List.of(BACK))),
            RAILS.accepting(
                Map.of(
                    UseCaseFixture.ID,
                    List.of(new Doubt(Doubt.Kind.BACKWARDS, "1 bookmark goes backwards: b/k")))))) {
      assertThatThrownBy(() -> rails.check(stored, four))
          .isInstanceOf(StateFailure.Doubtful.class)
          .hasMessage(REFUSAL);
    }
  }

  @Test
  void whatIsDoubtedIsTheStateThatIsReplacedAndNotAnEarlierOne() {
    fixture.store().save(UseCaseFixture.state(FOUR, "{}"));
    SetState setState = new SetState(fixture.store(), fixture.locks());
    State four = UseCaseFixture.state(FOUR, "{}");
    assertThat(RAILS.doubts(Optional.of(fixture.stored()), four)).isEmpty();
    fixture.store().save(UseCaseFixture.state(FIVE, "{}"));

    assertThatThrownBy(() -> setState.set(UseCaseFixture.ID, four.completed(), RAILS))
        .isInstanceOf(StateFailure.Doubtful.class)
        .hasMessage(REFUSAL);
  }

  @Test
  void whatIsTooLongIsMadeOnlyWhenOverruled() {
    State large = UseCaseFixture.state("{\"x\":\"" + "x".repeat(2_000) + "\"}", "{}");
    List<Doubt> doubts = RAILS.doubts(Optional.empty(), large);
    assertThat(doubts)
        .containsExactly(
            new Doubt(
                Doubt.Kind.TOO_LARGE, "the state has 2008 bytes, and max_state_bytes is 2000"));
    GuardRails agreed = RAILS.accepting(Map.of(UseCaseFixture.ID, doubts));

    assertThatThrownBy(() -> agreed.check(Optional.empty(), large))
        .isInstanceOf(StateFailure.Doubtful.class);
    agreed.overruled().telling(this::tell).check(Optional.empty(), large);
    assertThat(told)
        .containsExactly(
            "dev:tap-to-target: the state has 2008 bytes, and max_state_bytes is 2000");
  }

  @Test
  void forTheLengthOnlyNothingElseIsDoubted() {
    Optional<State> stored = Optional.of(UseCaseFixture.state(FIVE, "{}"));
    GuardRails rails = RAILS.forLengthOnly();

    assertThat(rails.doubts(stored, UseCaseFixture.state("{}", "{}"))).isEmpty();
    assertThat(
            rails.doubts(
                stored, UseCaseFixture.state("{\"x\":\"" + "x".repeat(2_000) + "\"}", "{}")))
        .extracting(Doubt::kind)
        .containsExactly(Doubt.Kind.TOO_LARGE);
    assertThat(GuardRails.NONE.forLengthOnly().doubts(stored, UseCaseFixture.state("{}", "{}")))
        .isEmpty();
  }

  @Test
  void aWarningIsToldAndTheChangeIsMade() {
    GuardRails rails = GuardRails.of(Long.MAX_VALUE).telling(this::tell);
    JsonObject large = JsonObject.parse("{\"x\":\"" + "x".repeat(1_000_000) + "\"}");

    new SetState(fixture.store(), fixture.locks()).set(UseCaseFixture.ID, large, rails);

    assertThat(fixture.stored().completed()).isEqualTo(large);
    assertThat(told)
        .containsExactly(
            "dev:tap-to-target: the state has 1000008 bytes; every write of the pipeline stores"
                + " them all");
  }

  @Test
  void whatCannotBeReadIsReplacedWithoutADoubt() {
    fixture.plantUnreadable();

    new SetState(fixture.store(), fixture.locks())
        .set(UseCaseFixture.ID, JsonObject.EMPTY, RAILS.telling(this::tell));

    assertThat(fixture.stored().isEmpty()).isTrue();
    assertThat(told).isEmpty();
  }

  @Test
  void anImportNamesWhatItDoubtsAndStoresTheRest() {
    fixture.store().save(UseCaseFixture.state(FIVE, "{}"));
    State fresh = State.of(StateId.of("new"), JsonObject.parse(FOUR), JsonObject.EMPTY);
    StateSource source =
        action -> {
          action.accept(UseCaseFixture.state(FOUR, "{}"));
          action.accept(fresh);
        };
    ImportStates importStates = new ImportStates(fixture.store(), fixture.locks());
    assertThat(importStates.examine(source, IfExists.OVERWRITE, RAILS).doubts())
        .isEqualTo(Map.of(UseCaseFixture.ID, List.of(BACK)));
    assertThat(importStates.examine(source, IfExists.SKIP, RAILS).doubts()).isEmpty();
    List<String> failures = new ArrayList<>();

    Result result =
        importStates.run(
            source,
            IfExists.OVERWRITE,
            RAILS,
            (id, failure) -> failures.add(failure.getMessage()),
            () -> false);

    assertThat(result).isEqualTo(new Result(1, 0, 0, 1, 0));
    assertThat(failures).containsExactly(REFUSAL);
    assertThat(fixture.stored().completed()).isEqualTo(JsonObject.parse(FIVE));
    assertThat(fixture.store().find(fresh.id())).isPresent();
    assertThat(new AcquireLockProbe(fixture).isFree()).isTrue();
  }

  private void tell(StateId id, Doubt doubt) {
    told.add(id + ": " + doubt.message());
  }

  private static Arguments change(String name, Change change) {
    return Arguments.of(Named.of(name, change));
  }

  /** Whether the lock was let go of. */
  private record AcquireLockProbe(UseCaseFixture fixture) {
    boolean isFree() {
      try (StateLock lock = fixture.locks().acquire(UseCaseFixture.ID)) {
        return lock.isValid();
      }
    }
  }
}
