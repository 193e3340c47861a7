package dev.statectl.cli.settings;

import dev.statectl.clickhouse.KeeperLocks;
import dev.statectl.lock.LockMode;

/** What {@code lock_mode} can be: who decides about a lock, and when. */
enum LockChoice {
  AUTO(LockMode.IMMEDIATE, KeeperLocks.AUTO),
  IMMEDIATE(LockMode.IMMEDIATE, KeeperLocks.OFF),
  SETTLE(LockMode.SETTLE, KeeperLocks.OFF),
  KEEPER(LockMode.IMMEDIATE, KeeperLocks.ON);

  private final LockMode mode;
  private final KeeperLocks keeperLocks;

  LockChoice(LockMode mode, KeeperLocks keeperLocks) {
    this.mode = mode;
    this.keeperLocks = keeperLocks;
  }

  LockMode mode() {
    return mode;
  }

  KeeperLocks keeperLocks() {
    return keeperLocks;
  }
}
