package dev.statectl.clickhouse;

import dev.statectl.port.Mend;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The statements that make a table anew, with its rows, for a person to run. What is written
 * between the second and the third is only in the old table at first; the fourth brings it over.
 * The old table is not dropped, so that nothing is lost if something was forgotten.
 */
final class TableRebuild {
  private TableRebuild() {}

  /**
   * Gives the statements.
   *
   * @param placement where the new table is to be
   */
  static Mend of(TableDesign design, TableNames names, TableFacts table, Placement placement) {
    String shown = design.shown(names);
    String rebuilt =
        names.schema().readable()
            + "."
            + new Identifier(design.name(names).text() + "_rebuilt").readable();
    String create =
        oneLine(keepingAsLong(placement.in(design.createAs(rebuilt)), table.engineFull()));
    // Its default gives the plugin's rows the value that keeps them apart.
    List<String> shared =
        design.columns().keySet().stream()
            .filter(column -> table.column(column).isPresent())
            .filter(column -> !column.equals("candidate"))
            .toList();
    String columns = String.join(", ", shared);
    String telling =
        design.telling().stream().filter(shared::contains).collect(Collectors.joining(", "));
    return Mend.sql(
        create,
        "INSERT INTO %s (%s) SELECT %s FROM %s".formatted(rebuilt, columns, columns, shown),
        "EXCHANGE TABLES " + shown + " AND " + rebuilt + placement.onCluster(),
        "INSERT INTO %s (%s) SELECT %s FROM %s WHERE (%s) NOT IN (SELECT %s FROM %s)"
            .formatted(shown, columns, columns, rebuilt, telling, telling, shown));
  }

  /**
   * Gives a statement that makes a history table, so that records are kept for as long as they were
   * in another one; any other statement as it is.
   *
   * @param engineFull the other one's engine, as the server spells it
   */
  static String keepingAsLong(String create, String engineFull) {
    return create.replace(
        "TTL toDateTime(recorded_at) + toIntervalSecond(<keep>)",
        TableFacts.ttlOf(engineFull).map(rule -> "TTL " + rule).orElse(""));
  }

  /** A statement of ours on one line; no name has a line end. */
  static String oneLine(String sql) {
    return sql.strip().replaceAll("\\s*\\n\\s*", " ").replace("( ", "(").replace(" )", ")");
  }
}
