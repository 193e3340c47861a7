package dev.statectl.inmemory.planted;

/** Planted: public, and no door. */
public final class Opened {}
