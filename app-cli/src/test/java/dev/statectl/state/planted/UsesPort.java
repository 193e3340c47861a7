package dev.statectl.state.planted;

import dev.statectl.port.StateStore;

/** Planted: the layer may not use this type. */
final class UsesPort {
  StateStore used;
}
