package dev.statectl.contract;

/**
 * A row of the lock table as another program may have inserted it: nothing about it was checked.
 *
 * @param id whose lock it is, which may be empty, blank or longer than an id that is written
 * @param lockId which candidate it is, not blank
 * @param holder who it is, for people; empty in the rows of the Python plugin
 * @param ageSeconds how many whole seconds before the store's present time the row was locked;
 *     negative for a time to come, as when the store's clock was set back since
 */
public record RawLock(String id, String lockId, String holder, long ageSeconds) {

  /** Names the lock and the candidate only. */
  @Override
  public String toString() {
    return "RawLock[" + Texts.printable(id) + ", " + Texts.printable(lockId) + "]";
  }
}
