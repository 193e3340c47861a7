package dev.statectl.clickhouse;

import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jdbi.v3.core.statement.Update;

/**
 * Records what no view sees: removals, and states whose records ran out. What is about to be
 * removed is in the history before it is removed, and its removal only after: whoever is stopped in
 * between leaves a history whose newest record is no longer stored, which is true, and nothing is
 * lost. The next removal of the id, or of all, records what was left out.
 */
final class HistoryRecorder {
  private final ClickHouseConnection connection;
  private final HistoryView view;
  private final Settlement settlement;
  private final String author;

  HistoryRecorder(
      ClickHouseConnection connection, HistoryView view, Settlement settlement, String author) {
    this.connection = connection;
    this.view = view;
    this.settlement = settlement;
    this.author = author;
  }

  /**
   * Makes sure that what is about to be replaced is recorded, if history is: its record may have
   * run out. A user who may not do so may go on, as the plugin would.
   */
  void beforeReplacing(StateId id) {
    try {
      beforeRemoving(id);
    } catch (StateFailure.Denied e) {
      // To write states takes no right on their history.
    }
  }

  /**
   * Makes sure that what is stored under an id is recorded, if history is. A user who may not do so
   * is refused here, when nothing was removed yet.
   *
   * @return whether the removal is to be recorded
   */
  boolean beforeRemoving(StateId id) {
    return fill(HistorySql.FILL_ONE, update -> update.bind("state_id", id.text()));
  }

  /** The same for all states. */
  boolean beforeRemovingAll() {
    return fill(HistorySql.FILL, update -> {});
  }

  /** Records that there is nothing under an id any more, unless there is. */
  void afterRemoving(StateId id) {
    record(
        HistorySql.RECORD_REMOVAL,
        update -> update.bind("state_id", id.text()).bind("author", author),
        () -> isRecordedAsGone(id),
        "the state of '" + id + "' was removed");
  }

  /** The same for all states. */
  void afterRemovingAll() {
    record(
        HistorySql.RECORD_REMOVALS,
        update -> update.bind("author", author),
        // One of many would say nothing of the others.
        () -> Settlement.Finding.HIDDEN,
        "all states were removed");
  }

  private Settlement.Finding isRecordedAsGone(StateId id) {
    return connection
        .first(
            Operation.READ_HISTORY,
            HistorySql.NEWEST_IS_REMOVAL,
            query -> query.bind("state_id", id.text()),
            (row, context) ->
                row.getInt("gone") == 1 ? Settlement.Finding.DONE : Settlement.Finding.NOT_DONE)
        .orElseThrow();
  }

  private boolean fill(String sql, Consumer<Update> binding) {
    if (!view.isThere()) {
      return false;
    }
    try {
      connection.execute(Operation.RECORD, sql, binding);
    } catch (StateFailure.OutcomeUnknown e) {
      // Whether that was recorded or not: what was asked for was not even begun.
      throw new StateFailure.Unavailable(
          "nothing was changed, since what is stored could not be recorded before: "
              + e.getMessage(),
          e);
    }
    return true;
  }

  private void record(
      String sql, Consumer<Update> binding, Supplier<Settlement.Finding> look, String done) {
    try {
      settlement.await(() -> connection.execute(Operation.RECORD, sql, binding), look);
    } catch (StateFailure e) {
      throw new StateFailure.OutcomeUnknown(
          done + ", but perhaps the history does not say so: " + e.getMessage(), e.getCause());
    }
  }
}
