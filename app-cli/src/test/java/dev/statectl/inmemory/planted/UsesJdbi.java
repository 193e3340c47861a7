package dev.statectl.inmemory.planted;

import org.jdbi.v3.core.Jdbi;

/** Planted: the layer may not use this type. */
public final class UsesJdbi {
  Jdbi used;
}
