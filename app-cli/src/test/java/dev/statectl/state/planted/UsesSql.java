package dev.statectl.state.planted;

import java.sql.Connection;

/** Planted: the layer may not use this type. */
final class UsesSql {
  Connection used;
}
