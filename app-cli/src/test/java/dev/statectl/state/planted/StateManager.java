package dev.statectl.state.planted;

/** Planted: a name that says nothing. */
final class StateManager {}
