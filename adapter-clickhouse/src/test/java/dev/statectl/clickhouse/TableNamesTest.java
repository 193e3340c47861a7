package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableNamesTest {
  private final TestClickHouse clickHouse = TestClickHouse.shared();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a:b",
        "a?b",
        "<table>",
        "a<b",
        "a\"b",
        "\"",
        "a\\",
        "a\\b",
        "{fn now()}",
        "{x:String}",
        "a'b",
        "a -- b",
        "a/*b",
        "//a",
        "a;b",
        "a.b",
        "$1",
        "日本😀",
        "select"
      })
  void everyOperationWorksWithAnyName(String name) {
    String schema = clickHouse.freshSchema() + name;
    try (ClickHouseBackend backend =
        ClickHouseBackend.open(TestStores.settings(clickHouse.endpoint(), schema, name))) {
      StateStore store = backend.states();
      store.save(TestStores.state("a", "{\"n\":1}"));
      store.saveAll(
          List.of(TestStores.state("b", "{\"n\":2}"), TestStores.state("c", "{\"n\":3}")));
      assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":1}");
      assertThat(TestStores.ids(store, "*")).containsExactly("a", "b", "c");
      assertThat(TestStores.ids(store, "b")).containsExactly("b");
      assertThat(TestStores.ids(store, "c*")).containsExactly("c");
      List<String> walked = new ArrayList<>();
      store.forEachState(StateIdGlob.of("[ab]*"), state -> walked.add(state.id().text()));
      assertThat(walked).containsExactly("a", "b");
      assertThat(store.delete(StateId.of("a"))).isTrue();
      assertThat(store.deleteAll()).isEqualTo(2);
    } finally {
      String quoted = "`" + schema.replace("\\", "\\\\") + "`";
      assertThat(
              clickHouse.query(
                  "EXISTS TABLE " + quoted + ".`" + name.replace("\\", "\\\\") + "_lock`"))
          .isEqualTo("1");
      clickHouse.execute("DROP DATABASE " + quoted);
    }
  }
}
