package dev.statectl.state.planted;

import com.fasterxml.jackson.databind.ObjectMapper;

/** Planted: the layer may not use this type. */
final class UsesDatabind {
  ObjectMapper used;
}
