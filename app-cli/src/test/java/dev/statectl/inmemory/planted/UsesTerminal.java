package dev.statectl.inmemory.planted;

/** Planted: only the command uses the terminal. */
final class UsesTerminal {
  Object console() {
    return System.console();
  }

  Object err() {
    return System.err;
  }

  Object in() {
    return System.in;
  }

  Object out() {
    return System.out;
  }

  void exit() {
    System.exit(0);
  }

  void trace(Exception e) {
    e.printStackTrace();
  }
}
