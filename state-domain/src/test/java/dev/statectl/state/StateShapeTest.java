package dev.statectl.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.json.JsonObject;
import org.junit.jupiter.api.Test;

class StateShapeTest {

  @Test
  void singerStateAtTheTopIsTheShape() {
    assertThat(fault("{\"singer_state\": {}}")).isEqualTo("");
    assertThat(fault("{\"other\": 1, \"singer_state\": {\"bookmarks\": []}}")).isEqualTo("");
  }

  @Test
  void theFaultNamesItsPlace() {
    assertThat(fault("{}")).isEqualTo("at /singer_state: missing at the top of the document");
    assertThat(fault("{\"bookmarks\": {\"singer_state\": {}}}"))
        .isEqualTo("at /singer_state: missing at the top of the document");
    assertThat(fault("{\"singer_state\": []}"))
        .isEqualTo("at /singer_state: expected an object, found an array");
    assertThat(fault("{\"singer_state\": {}, \"singer_state\": null}"))
        .isEqualTo("at /singer_state: expected an object, found null");
  }

  private static String fault(String document) {
    return StateShape.fault(JsonObject.parse(document)).orElse("");
  }
}
