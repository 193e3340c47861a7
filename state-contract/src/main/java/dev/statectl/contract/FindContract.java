package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@code find} gives. */
abstract class FindContract extends ContractTopic {
  FindContract(StateStoreContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("S-01 Under an id that nothing was saved to, nothing is found.")
  final void nothingIsFoundWhereNothingWasSaved() {
    assertNotFound("dev:tap-to-target");
    store().save(state("dev:other", "{\"a\":1}"));
    assertNotFound("dev:tap-to-target");
  }

  @Test
  @DisplayName("S-02 Looking for a state or deleting one that is not there creates nothing.")
  final void readsAndVainDeletesCreateNothing() {
    store().find(id("dev:tap-to-target"));
    states();
    assertThat(ids()).as("the ids stored after reads").isEmpty();

    store().delete(id("dev:tap-to-target"));
    assertThat(ids()).as("the ids stored after a vain delete").isEmpty();

    store().deleteAll();
    assertThat(ids()).as("the ids stored after a vain deleteAll").isEmpty();
  }

  @Test
  @DisplayName("S-03 Both halves are found byte for byte as they were saved.")
  final void halvesAreFoundByteForByte() {
    State saved =
        state(
            "dev:tap-to-target",
            "{ \"singer_state\" : {\"bookmarks\":{\"b\": 1.0,\"a\":1e3}},\n\t\"x\":\"\\u00e9 é\" }",
            "{\"singer_state\":{}, \"n\":123456789012345678901234567890}");
    store().save(saved);

    assertFound(saved);
  }

  @Test
  @DisplayName("S-04 A state is found under exactly its own id.")
  final void stateIsFoundUnderItsOwnIdOnly() {
    store().save(state("dev:tap-to-target", "{\"a\":1}"));

    assertNotFound("DEV:tap-to-target");
    assertNotFound("dev:tap-to-targe");
    assertNotFound("dev:tap-to-target:");
    assertNotFound("dev:tap-to-target ");
    assertNotFound(" dev:tap-to-target");
    assertNotFound("dev:tap_to_target");
    assertNotFound("dev:*");
    assertNotFound("dev:%");
    assertNotFound("");
  }

  @Test
  @DisplayName("S-05 A row that another program stored is found with its halves and its version.")
  final void rowOfAnotherProgramIsFound() {
    plant("dev:tap-to-target", "{\"a\": 1.0}", "{\"b\":[ ]}");

    assertFound(state("dev:tap-to-target", "{\"a\": 1.0}", "{\"b\":[ ]}"));
    assertThat(found("dev:tap-to-target").version()).as("its version").isEqualTo(PAST);
  }

  @Test
  @DisplayName(
      "S-06 A half that is null, blank, JSON null or an object without members is found as empty.")
  final void everySpellingOfEmptyIsFoundAsEmpty() {
    Map<String, @Nullable String> spellings = new LinkedHashMap<>();
    spellings.put("null", null);
    spellings.put("no text", "");
    spellings.put("blanks", " \n");
    spellings.put("JSON null", "null");
    spellings.put("JSON null and blanks", " null\n");
    spellings.put("no members", "{}");
    spellings.put("no members but blanks", "{ \n}");
    spellings.forEach(
        (name, text) -> {
          plant("completed is " + name, text, "{\"p\":1}");
          plant("partial is " + name, "{\"c\":1}", text);
        });

    for (String name : spellings.keySet()) {
      assertFound(state("completed is " + name, "{}", "{\"p\":1}"));
      assertFound(state("partial is " + name, "{\"c\":1}", "{}"));
    }
  }

  @Test
  @DisplayName("S-07 Of several rows of one id the one with the latest version is found.")
  final void latestVersionIsFound() {
    plant("later last", "{\"v\":1}", null, version("2020-01-01T00:00:00.001Z"));
    plant("later last", "{\"v\":2}", null, version("2020-01-01T00:00:00.002Z"));
    plant("later first", "{\"v\":2}", null, version("2020-01-01T00:00:00.002Z"));
    plant("later first", "{\"v\":1}", null, version("2020-01-01T00:00:00.001Z"));

    assertFound(state("later last", "{\"v\":2}"));
    assertFound(state("later first", "{\"v\":2}"));
  }

  @Test
  @DisplayName("S-74 existing gives those of the ids that have a state, readable or not.")
  final void existingGivesTheIdsThatHaveAState() {
    String odd = "it's {fn now()} \\ ? :x <y>";
    store().save(state("dev:tap-to-target", "{\"a\":1}"));
    store().save(state(odd, "{}"));
    store().save(state("dev:not asked for", "{}"));
    plant("dev:broken", "[]", null);
    plant(" ", "{}", null);
    store().save(state("dev:deleted", "{}"));
    store().delete(id("dev:deleted"));
    Set<StateId> asked =
        ids("dev:tap-to-target", odd, "dev:broken", " ", "dev:deleted", "DEV:none");

    assertThat(store().existing(asked))
        .as("the ids that have a state")
        .containsExactlyInAnyOrder(id("dev:tap-to-target"), id(odd), id("dev:broken"), id(" "));
    assertThat(store().existing(Set.of())).as("of no ids those that have a state").isEmpty();
  }

  @Test
  @DisplayName("S-75 findAll gives the state of each of its ids once, as find does.")
  final void findAllGivesWhatFindGives() {
    String odd = "it's {fn now()} \\ ? :x <y>";
    store().save(state(odd, "{\"a\": 1.0}", "{\"b\":[ ]}"));
    store().save(state("dev:twice", "{\"n\":1}"));
    store().save(state("dev:twice", "{\"n\":2}"));
    store().save(state("dev:not asked for", "{}"));
    plant("dev:broken", "{}", "[]");
    Map<String, StoredState> found = new LinkedHashMap<>();
    store()
        .findAll(
            ids(odd, "dev:twice", "dev:broken", "dev:none"),
            stored ->
                assertThat(found.put(stored.id().text(), stored))
                    .as("what was given before of the id %s", stored.id())
                    .isNull());

    assertThat(found).as("the ids given").containsOnlyKeys(odd, "dev:twice", "dev:broken");
    for (String readable : List.of(odd, "dev:twice")) {
      State state = ((StoredState.Readable) found.get(readable)).state();
      assertSameHalves(state, found(readable));
      assertThat(state.version()).as("its version").isEqualTo(found(readable).version());
    }
    assertThat(((StoredState.Unreadable) found.get("dev:broken")).failure().column())
        .as("the column that is no state")
        .isEqualTo("partial_state");
    store().findAll(Set.of(), stored -> fail("none of no ids is given, but %s was", stored.id()));
  }

  @Test
  @DisplayName("S-76 Hundreds of ids of any length are looked for together.")
  final void hundredsOfIdsAreLookedForTogether() {
    Set<StateId> asked = new HashSet<>();
    for (int i = 0; i < 300; i++) {
      asked.add(id(i % 2 == 0 ? i + "'".repeat(1000) : "prod:tap-" + i + "-to-target"));
    }
    store().saveAll(asked.stream().map(id -> state(id.text(), "{\"n\":1}")).toList());
    Set<StateId> found = new HashSet<>();
    store().findAll(asked, stored -> found.add(stored.id()));

    assertThat(store().existing(asked)).as("the ids that have a state").isEqualTo(asked);
    assertThat(found).as("the ids given").isEqualTo(asked);
  }

  private static Set<StateId> ids(String... texts) {
    return Stream.of(texts).map(BackendTopic::id).collect(Collectors.toSet());
  }
}
