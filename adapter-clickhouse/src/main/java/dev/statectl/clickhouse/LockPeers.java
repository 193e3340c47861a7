package dev.statectl.clickhouse;

/**
 * Who else uses the lock table; all who use it must be told the same. It decides how locks are
 * released.
 */
public enum LockPeers {
  /**
   * The Meltano plugin may, or users of this library that were told so. A lock is released as the
   * plugin does it, by an ordinary {@code DELETE}, which the server runs as a mutation: mostly some
   * 20 ms, at times half a second. Faster ways to delete are not safe beside it.
   */
  PLUGIN,
  /**
   * Nobody but users of this library that were told so, too. A lock is released by a row that says
   * so: a few milliseconds. The rows go away by the table's TTL. Should the plugin come all the
   * same, it waits until they do.
   */
  NONE
}
