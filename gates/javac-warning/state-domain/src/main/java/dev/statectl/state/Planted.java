package dev.statectl.state;

import java.util.List;

/** Planted: a raw type, of which javac only warns. */
final class Planted {
  private Planted() {}

  static int size(List list) {
    return list.size();
  }
}
