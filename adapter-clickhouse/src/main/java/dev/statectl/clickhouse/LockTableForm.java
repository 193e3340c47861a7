package dev.statectl.clickhouse;

import dev.statectl.port.StateFailure;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Knows which columns and key the lock table has, and gives it ours before the first candidate is
 * announced. Asked for once, until it is ours or the upgrade was refused. Thread-safe.
 */
final class LockTableForm {
  /** What a lock table can be like. */
  enum Form {
    MISSING,
    /** It has not all of our columns, or not our key. */
    PLUGIN,
    OURS
  }

  private final ClickHouseConnection connection;
  private final ClickHouseErrors errors;
  private final Tables tables;
  private final TableNames names;
  private volatile boolean ours;
  private volatile @Nullable StateFailure refusal;

  LockTableForm(
      ClickHouseConnection connection, ClickHouseErrors errors, Tables tables, TableNames names) {
    this.connection = connection;
    this.errors = errors;
    this.tables = tables;
    this.names = names;
  }

  /** Tells the form; changes nothing. */
  Form seen() {
    if (ours) {
      return Form.OURS;
    }
    return refusal == null ? look() : Form.PLUGIN;
  }

  /** Tells the form after the table was made, or upgraded if that is allowed. */
  Form prepared() {
    if (ours) {
      return Form.OURS;
    }
    return refusal == null ? prepare() : Form.PLUGIN;
  }

  /** Tells why the table was not upgraded. */
  Optional<StateFailure> refusal() {
    return Optional.ofNullable(refusal);
  }

  private synchronized Form prepare() {
    Form form = seen();
    if (form == Form.MISSING) {
      tables.create();
      // Not taken for ours unseen: the plugin may have made it meanwhile.
      form = look();
    }
    if (form == Form.PLUGIN && refusal == null) {
      try {
        connection.execute(Operation.UPGRADE_LOCKS, LockTableSql.UPGRADE, update -> {});
      } catch (StateFailure.Denied | StateFailure.WrongSchema e) {
        refusal = e;
        return Form.PLUGIN;
      }
      form = look();
    }
    return form;
  }

  private Form look() {
    Form form;
    try {
      form =
          connection
              .first(
                  Operation.READ_LOCKS,
                  LockTableSql.COLUMNS,
                  query ->
                      query
                          .bind("schema", names.schema().text())
                          .bind("lock_table", names.lock().text()),
                  (row, context) -> {
                    if (row.getLong("columns") == 0) {
                      return Form.MISSING;
                    }
                    return row.getLong("ours") == 3 ? Form.OURS : Form.PLUGIN;
                  })
              .orElseThrow();
    } catch (TableMissingException e) {
      // It asks for nothing that could be missing but the database that the user connects to.
      throw errors.unknownDatabase(e);
    }
    ours = form == Form.OURS;
    return form;
  }
}
