package dev.statectl.state.planted.back;

import dev.statectl.state.planted.there.There;

/** Planted: a cycle of packages. */
public final class Back {
  public There there;
}
