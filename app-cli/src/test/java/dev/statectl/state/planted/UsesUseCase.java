package dev.statectl.state.planted;

import dev.statectl.usecase.GetState;

/** Planted: the layer may not use this type. */
final class UsesUseCase {
  GetState used;
}
