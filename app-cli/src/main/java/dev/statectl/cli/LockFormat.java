package dev.statectl.cli;

/** How locks are printed; named as it is typed. */
enum LockFormat {
  text,
  json
}
