package dev.statectl.state.planted.there;

import dev.statectl.state.planted.back.Back;

/** Planted: a cycle of packages. */
public final class There {
  public Back back;
}
