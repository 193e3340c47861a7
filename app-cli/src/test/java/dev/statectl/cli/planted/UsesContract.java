package dev.statectl.cli.planted;

import dev.statectl.contract.planted.UsesAdapter;

/** Planted: the layer may not use this type. */
final class UsesContract {
  UsesAdapter used;
}
