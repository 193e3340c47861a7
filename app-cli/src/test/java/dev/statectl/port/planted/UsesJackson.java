package dev.statectl.port.planted;

import com.fasterxml.jackson.core.JsonParser;

/** Planted: the layer may not use this type. */
final class UsesJackson {
  JsonParser used;
}
