package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.TablesOfServers.Table;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TablesOfServersTest {
  private static final String PLAIN = "ReplacingMergeTree";
  private static final String REPLICATED = "ReplicatedReplacingMergeTree";

  private static final TableNames NAMES = TableNames.of("meltano", "state");

  @Test
  void serversOfTheSameTablesDoNotDiffer() {
    assertThat(
            of(
                    on("a", "state", PLAIN, "state_migration", REPLICATED),
                    on("b", "state", PLAIN, "state_migration", REPLICATED))
                .difference())
        .isEmpty();
    assertThat(
            of(
                    on("a", "state", REPLICATED, "state_migration", "MergeTree"),
                    on("b", "state", REPLICATED, "state_migration", PLAIN))
                .difference())
        .isEmpty();
  }

  @Test
  void whatIsNotMadeYetDoesNoHarmWhereNothingIsExchanged() {
    assertThat(of(on("a", "state", PLAIN), on("b", "one", "SystemOne")).difference()).isEmpty();
    assertThat(
            of(on("a", "state", PLAIN, "state_migration", REPLICATED), on("b", "state", PLAIN))
                .difference())
        .isEmpty();
  }

  @Test
  void aServerThatDidNotExchangeYetDiffers() {
    assertThat(
            of(
                    on("a", "state", REPLICATED, "state_migration", PLAIN),
                    on("b", "state", PLAIN, "state_migration", REPLICATED))
                .difference())
        .hasValue("meltano.state is ReplicatedReplacingMergeTree on a and ReplacingMergeTree on b");
    assertThat(
            of(on("a", "state", REPLICATED), on("b", "state", PLAIN, "state_migration", REPLICATED))
                .difference())
        .hasValue("meltano.state is ReplicatedReplacingMergeTree on a and ReplacingMergeTree on b");
  }

  @Test
  void aServerThatLacksAReplicatedTableDiffers() {
    assertThat(of(on("a", "state", REPLICATED), on("b", "one", "SystemOne")).difference())
        .hasValue("meltano.state is ReplicatedReplacingMergeTree on a and missing on b");
  }

  @Test
  void aServerThatDidNotSetTheOldTableAsideYetDiffers() {
    assertThat(
            of(
                    on("a", "state", REPLICATED, "state_before_migration", PLAIN),
                    on("b", "state", REPLICATED, "state_migration", PLAIN))
                .difference())
        .hasValue("meltano.state_migration is missing on a and ReplacingMergeTree on b");
    assertThat(
            of(on("a", "state", PLAIN, "state_before_migration", PLAIN), on("b", "state", PLAIN))
                .difference())
        .hasValue("meltano.state_before_migration is ReplacingMergeTree on a and missing on b");
  }

  @Test
  void theServersThatHaveATableAreNamed() {
    TablesOfServers tables =
        of(on("b", "state_history", PLAIN), on("a", "state_history", PLAIN), on("c", "one", "One"));

    assertThat(tables.owners(TableDesign.HISTORY)).hasValue("a and b");
    assertThat(tables.owners(TableDesign.STATES)).isEmpty();
  }

  private static TablesOfServers of(Table[]... servers) {
    return new TablesOfServers(NAMES, Stream.of(servers).flatMap(Stream::of).toList());
  }

  private static Table[] on(String server, String... namesAndEngines) {
    List<String> texts = List.of(namesAndEngines);
    return Stream.iterate(0, i -> i < texts.size(), i -> i + 2)
        .map(i -> new Table(server, texts.get(i), texts.get(i + 1)))
        .toArray(Table[]::new);
  }
}
