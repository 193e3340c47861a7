package dev.statectl.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.json.JsonObject;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListStatesTest {
  private final UseCaseFixture fixture = new UseCaseFixture();

  @Test
  void theIdsThatAGlobPicksAreListedInOrder() {
    for (String id :
        List.of("prod:b", "dev:b", "dev:\ud83d\ude80", "dev:\uffff", "dev:a", "prod:a")) {
      fixture.store().save(State.of(StateId.of(id), JsonObject.EMPTY, JsonObject.EMPTY));
    }

    assertThat(list("*"))
        .containsExactly("dev:a", "dev:b", "dev:\uffff", "dev:\ud83d\ude80", "prod:a", "prod:b");
    assertThat(list("*:a")).containsExactly("dev:a", "prod:a");
    assertThat(list("prod:[!a]")).containsExactly("prod:b");
    assertThat(list("dev")).isEmpty();
  }

  @Test
  void anIdWhoseStateCannotBeReadIsListed() {
    fixture.plantUnreadable();

    assertThat(list("dev:*")).containsExactly("dev:tap-to-target");
  }

  @Test
  void nothingStoredListsNothing() {
    assertThat(list("*")).isEmpty();
  }

  private List<String> list(String glob) {
    List<String> ids = new ArrayList<>();
    new ListStates(fixture.store()).list(StateIdGlob.of(glob), id -> ids.add(id.text()));
    return ids;
  }
}
