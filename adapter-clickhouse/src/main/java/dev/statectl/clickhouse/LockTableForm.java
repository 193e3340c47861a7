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
    /** All is there but the default that keeps the plugin's own rows apart. */
    NO_DEFAULT,
    OURS;

    boolean hasAllColumns() {
      return this == NO_DEFAULT || this == OURS;
    }
  }

  private final ClickHouseConnection connection;
  private final ClickHouseErrors errors;
  private final Tables tables;
  private final TableNames names;
  // Set once there is nothing more to find out or to do.
  private volatile @Nullable Form settled;
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
    Form known = settled;
    return known == null ? look() : known;
  }

  /** Tells the form after the table was made, or upgraded if that is allowed. */
  Form prepared() {
    Form known = settled;
    return known == null ? prepare() : known;
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
        settled = Form.PLUGIN;
        return Form.PLUGIN;
      }
      form = look();
    }
    if (form == Form.NO_DEFAULT && settled == null) {
      try {
        connection.execute(Operation.UPGRADE_LOCKS, LockTableSql.UPGRADE_DEFAULT, update -> {});
      } catch (StateFailure.Denied | StateFailure.WrongSchema e) {
        // Our rows are safe as it is; those of the plugin may take each other's place.
        refusal = e;
        settled = Form.NO_DEFAULT;
        return Form.NO_DEFAULT;
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
                    if (row.getLong("ours") < 3) {
                      return Form.PLUGIN;
                    }
                    return row.getLong("defaults") == 1 ? Form.OURS : Form.NO_DEFAULT;
                  })
              .orElseThrow();
    } catch (TableMissingException e) {
      // It asks for nothing that could be missing but the database that the user connects to.
      throw errors.unknownDatabase(e);
    }
    if (form == Form.OURS) {
      settled = form;
    }
    return form;
  }
}
