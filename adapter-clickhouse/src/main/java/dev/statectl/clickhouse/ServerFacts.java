package dev.statectl.clickhouse;

import java.time.Duration;
import java.util.List;

/**
 * What a server says of itself and of the profile of whoever asks.
 *
 * @param version its version, such as {@code 26.5.1.1}
 * @param readonly the setting of that name: 0 when he may write
 * @param asyncInsert whether inserts that say nothing else are gathered first
 * @param waitsForAsyncInsert whether such an insert is answered only when it is stored
 * @param latency the median time of an answer
 */
record ServerFacts(
    String version,
    int readonly,
    boolean asyncInsert,
    boolean waitsForAsyncInsert,
    Duration latency) {

  /** Tells whether the version is not before another, such as 24.4. */
  boolean isAtLeast(int year, int month) {
    List<Integer> parts =
        List.of(version.split("\\.")).stream()
            .limit(2)
            .map(part -> part.matches("[0-9]{1,6}") ? Integer.parseInt(part) : 0)
            .toList();
    int minor = parts.size() < 2 ? 0 : parts.get(1);
    return parts.get(0) > year || parts.get(0) == year && minor >= month;
  }
}
