package dev.statectl.cli.planted;

import org.assertj.core.api.Assert;

/** Planted: the layer may not use this type. */
final class UsesTestLibrary {
  Assert<?, ?> used;
}
