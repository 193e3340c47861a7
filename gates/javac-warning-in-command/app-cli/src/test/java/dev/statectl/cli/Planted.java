package dev.statectl.cli;

import java.util.List;

/** Planted: a raw type, in the tests of the module that also runs an annotation processor. */
final class Planted {
  private Planted() {}

  static int size(List list) {
    return list.size();
  }
}
