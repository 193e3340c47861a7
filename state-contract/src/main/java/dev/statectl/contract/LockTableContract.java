package dev.statectl.contract;

import dev.statectl.port.Backend;
import dev.statectl.port.LockTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The rules that every {@link LockTable} keeps, the rules of writes under a lock, and that {@link
 * dev.statectl.usecase.AcquireLock} and {@link dev.statectl.usecase.StateSession} work over them.
 * An adapter's author extends this class, says how a backend is opened and how a row of the lock
 * table is planted past it, and runs it with JUnit. Each test begins with the number of its rule in
 * CONTRACT.md; none can be overridden or left out.
 *
 * <p>Every test has a backend of its own, opened before it and closed after it. The kit moves no
 * clock and waits for none; only those who wait for a lock pause, some milliseconds each. No row
 * that is planted is older than {@value #OLDEST} seconds. Hooks are called by the thread that runs
 * the test.
 */
public abstract class LockTableContract {
  // The Python plugin's table lets rows of 300 seconds disappear.
  static final int OLDEST = 200;

  final OpenedBackends opened = new OpenedBackends(this::openBackend);

  /** For adapters' test classes. */
  protected LockTableContract() {}

  /**
   * Opens a backend at a place of its own, in which nothing was ever stored and no lock announced:
   * no row, and where the store makes its tables or files itself, no table and no file. The kit
   * closes it after the test; what else was made for it (a directory, a database) is the adapter's
   * to remove.
   *
   * @return the backend, open
   * @throws Exception when it cannot be opened; the test fails
   */
  protected abstract Backend openBackend() throws Exception;

  /**
   * Inserts a row of the lock table as another program would, past the adapter and its checks, in
   * the place of the backend that {@link #openBackend()} opened last; the next look through that
   * backend meets it. The time of the row is the store's present time, in whole seconds, less the
   * row's age. Tables that are not there yet are made as the adapter makes them. The kit plants a
   * candidate once only.
   *
   * @param row the row
   * @throws Exception when it cannot be stored; the test fails
   */
  protected abstract void plant(RawLock row) throws Exception;

  /**
   * Stores a claim as {@link dev.statectl.port.LockTable#claim} does, past the adapter and its
   * checks, in the place of the backend that {@link #openBackend()} opened last; it takes the place
   * of any other claim to the lock. Its time is the store's present time, in whole seconds, less
   * its age. Overridden for a table with an arbiter only; the kit takes a table of which it is not
   * for one whose rows alone decide.
   *
   * @param claim the claim
   * @return true when it was stored, false when the table has no arbiter
   * @throws Exception when it cannot be stored; the test fails
   */
  protected boolean plantClaim(RawLock claim) throws Exception {
    return false;
  }

  @BeforeEach
  final void openFirstBackend() {
    opened.open();
  }

  @AfterEach
  final void closeBackends() {
    opened.close();
  }

  final void plantChecked(RawLock row) {
    try {
      plant(row);
    } catch (Exception e) {
      throw new AssertionError("plant(" + row + ") failed: " + e, e);
    }
  }

  final boolean plantClaimChecked(RawLock claim) {
    try {
      return plantClaim(claim);
    } catch (Exception e) {
      throw new AssertionError("plantClaim(" + claim + ") failed: " + e, e);
    }
  }

  @Nested
  @DisplayName("hooks")
  final class Hooks extends LockHooksContract {
    Hooks() {
      super(LockTableContract.this);
    }
  }

  @Nested
  @DisplayName("look")
  final class Look extends LookContract {
    Look() {
      super(LockTableContract.this);
    }
  }

  @Nested
  @DisplayName("renew")
  final class Renew extends RenewContract {
    Renew() {
      super(LockTableContract.this);
    }
  }

  @Nested
  @DisplayName("remove")
  final class Remove extends RemoveLockContract {
    Remove() {
      super(LockTableContract.this);
    }
  }

  @Nested
  @DisplayName("walk locks")
  final class WalkLocks extends WalkLocksContract {
    WalkLocks() {
      super(LockTableContract.this);
    }
  }

  @Nested
  @DisplayName("names of locks")
  final class Names extends LockNamesContract {
    Names() {
      super(LockTableContract.this);
    }
  }

  @Nested
  @DisplayName("writes under a lock")
  final class Fenced extends FencedContract {
    Fenced() {
      super(LockTableContract.this);
    }
  }

  @Nested
  @DisplayName("claims")
  final class Claims extends ClaimContract {
    Claims() {
      super(LockTableContract.this);
    }
  }

  @Nested
  @DisplayName("hold by a claim")
  final class HoldByClaim extends HoldByClaimContract {
    HoldByClaim() {
      super(LockTableContract.this);
    }
  }

  @Nested
  @DisplayName("acquire")
  final class Acquire extends AcquireContract {
    Acquire() {
      super(LockTableContract.this);
    }
  }

  @Nested
  @DisplayName("session")
  final class Session extends SessionContract {
    Session() {
      super(LockTableContract.this);
    }
  }

  @Nested
  @DisplayName("backend")
  final class OfBackend extends LockBackendContract {
    OfBackend() {
      super(LockTableContract.this);
    }
  }
}
