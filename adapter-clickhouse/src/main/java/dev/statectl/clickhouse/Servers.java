package dev.statectl.clickhouse;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The servers that may be asked. All statements go to one of them, until no connection to it can be
 * made: whoever sees that moves all on to the next one, and from the last to the first.
 * Thread-safe.
 */
final class Servers {
  private final List<ServerAddress> all;
  // Its index; of many who saw the same one fail only the first changes it.
  private final AtomicInteger current = new AtomicInteger();

  Servers(List<ServerAddress> all) {
    // One that is named twice would be moved on from as its first place.
    this.all = all.stream().distinct().toList();
  }

  int count() {
    return all.size();
  }

  /** The one that is asked. */
  ServerAddress current() {
    return all.get(current.get());
  }

  /** Moves on from one that cannot be reached, unless somebody else did so already. */
  void moveOnFrom(ServerAddress unreachable) {
    int index = all.indexOf(unreachable);
    current.compareAndSet(index, (index + 1) % all.size());
  }
}
