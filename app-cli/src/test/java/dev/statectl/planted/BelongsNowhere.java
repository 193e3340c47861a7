package dev.statectl.planted;

/** Planted: in a package of no layer. */
final class BelongsNowhere {}
