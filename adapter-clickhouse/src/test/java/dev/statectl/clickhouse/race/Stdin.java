package dev.statectl.clickhouse.race;

import java.io.IOException;

/**
 * The end of this process's stdin: the sign to finish, also when the process that started it dies.
 */
final class Stdin {
  private volatile boolean ended;

  private Stdin() {}

  static Stdin watched() {
    Stdin stdin = new Stdin();
    Thread watch = new Thread(stdin::read, "stdin");
    watch.setDaemon(true);
    watch.start();
    return stdin;
  }

  boolean hasEnded() {
    return ended;
  }

  private void read() {
    try {
      while (System.in.read() >= 0) {
        // Nothing that is sent matters: only the end does.
      }
    } catch (IOException e) {
      // As good as the end.
    }
    ended = true;
  }
}
