package dev.statectl.contract;

import dev.statectl.port.Backend;
import dev.statectl.port.StateStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The rules that every {@link Backend} with its {@link StateStore} keeps. An adapter's author
 * extends this class, says how a backend is opened and how a row is planted past it, and runs it
 * with JUnit. Each test begins with the number of its rule in CONTRACT.md; none can be overridden
 * or left out.
 *
 * <p>Every test has a backend of its own, opened before it and closed after it. No test waits for
 * time to pass. Hooks are called by the thread that runs the test.
 */
public abstract class StateStoreContract {
  final OpenedBackends opened = new OpenedBackends(this::openBackend);

  /** For adapters' test classes. */
  protected StateStoreContract() {}

  /**
   * Opens a backend at a place of its own, in which nothing was ever stored: no row, and where the
   * store makes its tables or files itself, no table and no file. The kit closes it after the test;
   * what else was made for it (a directory, a database) is the adapter's to remove.
   *
   * @return the backend, open
   * @throws Exception when it cannot be opened; the test fails
   */
  protected abstract Backend openBackend() throws Exception;

  /**
   * Stores a row as another program would, past the store and its checks, in the place of the
   * backend that {@link #openBackend()} opened last; the next read through that backend meets it.
   * Tables or files that are not there yet are made as that program would make them. A store that
   * keeps only one row for an id leaves the later version there, and of two equal versions the row
   * planted last.
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
  @DisplayName("hooks")
  final class Hooks extends HooksContract {
    Hooks() {
      super(StateStoreContract.this);
    }
  }

  @Nested
  @DisplayName("find")
  final class Find extends FindContract {
    Find() {
      super(StateStoreContract.this);
    }
  }

  @Nested
  @DisplayName("save")
  final class Save extends SaveContract {
    Save() {
      super(StateStoreContract.this);
    }
  }

  @Nested
  @DisplayName("save many")
  final class SaveMany extends SaveManyContract {
    SaveMany() {
      super(StateStoreContract.this);
    }
  }

  @Nested
  @DisplayName("delete")
  final class Delete extends DeleteContract {
    Delete() {
      super(StateStoreContract.this);
    }
  }

  @Nested
  @DisplayName("walk ids")
  final class WalkIds extends WalkIdsContract {
    WalkIds() {
      super(StateStoreContract.this);
    }
  }

  @Nested
  @DisplayName("walk states")
  final class WalkStates extends WalkStatesContract {
    WalkStates() {
      super(StateStoreContract.this);
    }
  }

  @Nested
  @DisplayName("unreadable")
  final class Unreadable extends UnreadableContract {
    Unreadable() {
      super(StateStoreContract.this);
    }
  }

  @Nested
  @DisplayName("ids")
  final class Ids extends IdsContract {
    Ids() {
      super(StateStoreContract.this);
    }
  }

  @Nested
  @DisplayName("payloads")
  final class Payloads extends PayloadsContract {
    Payloads() {
      super(StateStoreContract.this);
    }
  }

  @Nested
  @DisplayName("versions")
  final class Versions extends VersionsContract {
    Versions() {
      super(StateStoreContract.this);
    }
  }

  @Nested
  @DisplayName("concurrency")
  final class Concurrency extends ConcurrencyContract {
    Concurrency() {
      super(StateStoreContract.this);
    }
  }

  @Nested
  @DisplayName("backend")
  final class OfBackend extends BackendContract {
    OfBackend() {
      super(StateStoreContract.this);
    }
  }
}
