package dev.statectl.cli;

import java.util.Locale;

/** Sizes for people. */
final class ByteCount {
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB"};

  private ByteCount() {}

  /** As in {@code 78 B}, {@code 1.2 KiB}, {@code 3.4 MiB}. */
  static String of(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double size = bytes / 1024.0;
    int unit = 0;
    // What would be shown as 1024.0 belongs to the next unit.
    while (size >= 1023.95 && unit < UNITS.length - 1) {
      size /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", size, UNITS[unit]);
  }
}
