package dev.statectl.contract;

import dev.statectl.port.Backend;
import dev.statectl.port.StateHistory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The rules that every {@link StateHistory} keeps. An adapter's author extends this class, says how
 * a backend is opened and how a row is planted past it, and runs it with JUnit. Each test begins
 * with the number of its rule in CONTRACT.md; none can be overridden or left out.
 *
 * <p>Every test has a backend of its own, opened before it and closed after it. No test waits for
 * time to pass. Hooks are called by the thread that runs the test.
 */
public abstract class StateHistoryContract {
  final OpenedBackends opened = new OpenedBackends(this::openBackend);

  /** For adapters' test classes. */
  protected StateHistoryContract() {}

  /**
   * Opens a backend at a place of its own, in which nothing was ever stored and no history enabled:
   * no row, and where the store makes its tables or files itself, no table and no file. The kit
   * closes it after the test; what else was made for it (a directory, a database) is the adapter's
   * to remove.
   *
   * @return the backend, open
   * @throws Exception when it cannot be opened; the test fails
   */
  protected abstract Backend openBackend() throws Exception;

  /**
   * Stores a row as another program would, past the store and its checks, in the place of the
   * backend that {@link #openBackend()} opened last; the next read through that backend meets it.
   * Where history is recorded, it is recorded, too, since the store does that and not the program.
   *
   * @param row the row, which may hold anything
   * @throws Exception when it cannot be stored; the test fails
   */
  protected abstract void plant(RawRow row) throws Exception;

  @BeforeEach
  final void openFirstBackend() {
    opened.open();
  }

  @AfterEach
  final void closeBackends() {
    opened.close();
  }

  final void plantChecked(RawRow row) {
    try {
      plant(row);
    } catch (Exception e) {
      throw new AssertionError("plant(" + row + ") failed: " + e, e);
    }
  }

  @Nested
  @DisplayName("enable and disable")
  final class Enable extends EnableHistoryContract {
    Enable() {
      super(StateHistoryContract.this);
    }
  }

  @Nested
  @DisplayName("record")
  final class Recording extends RecordContract {
    Recording() {
      super(StateHistoryContract.this);
    }
  }

  @Nested
  @DisplayName("read history")
  final class Reading extends ReadHistoryContract {
    Reading() {
      super(StateHistoryContract.this);
    }
  }

  @Nested
  @DisplayName("revert")
  final class Revert extends RevertContract {
    Revert() {
      super(StateHistoryContract.this);
    }
  }
}
