package dev.statectl.lock;

/** When a candidate first looks whether the lock is its own. */
public enum LockMode {
  /** At once. Safe where a read sees every acknowledged insert and rows keep apart by candidate. */
  IMMEDIATE,
  /** After the settle time, always: the Python plugin's flow. */
  SETTLE
}
