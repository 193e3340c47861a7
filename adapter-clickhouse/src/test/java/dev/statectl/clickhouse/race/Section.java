package dev.statectl.clickhouse.race;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A critical section as the log shows it. One that did not end (its process was killed, or stopped
 * until its lock was lost) touched nothing after it began, except for a write that the fence let
 * pass: so it lasts but a moment here.
 *
 * @param who the process
 * @param begin the machine's monotonic time, nanoseconds
 * @param end as begin
 * @param ended whether it came to its end, which is what counts as a round
 */
record Section(String lockId, String who, long begin, long end, boolean ended) {

  boolean isOurs() {
    return who.startsWith("ours");
  }

  private boolean overlaps(Section other) {
    return begin <= other.end && other.begin <= end;
  }

  static List<Section> in(List<String> log) {
    Map<String, Section> sections = new LinkedHashMap<>();
    for (String line : log) {
      String[] words = line.split(" ");
      long time = Long.parseLong(words[0]);
      String lockId = words[2];
      if (words[1].equals("begin")) {
        sections.put(lockId, new Section(lockId, words[3], time, time, false));
      } else if (words[1].equals("end")) {
        sections.computeIfPresent(
            lockId, (id, begun) -> new Section(id, begun.who, begun.begin, time, true));
      }
    }
    return List.copyOf(sections.values());
  }

  /** The pairs that overlap, those of peers among themselves apart. */
  static List<String> overlaps(List<Section> sections, boolean ofPeers) {
    List<String> overlaps = new ArrayList<>();
    for (int i = 0; i < sections.size(); i++) {
      for (int j = 0; j < i; j++) {
        Section one = sections.get(i);
        Section other = sections.get(j);
        boolean peers = !one.isOurs() && !other.isOurs();
        if (one.overlaps(other) && peers == ofPeers) {
          overlaps.add(one + " and " + other);
        }
      }
    }
    return overlaps;
  }
}
