package dev.statectl.json;

import java.util.BitSet;

/**
 * Finds a member of one object of a {@link MemberIndex} by its decoded name. Of members with one
 * name the last is found, as Python reads them.
 */
final class MemberTable {
  private final MemberIndex index;
  private final int first;
  private final int end;
  private final int[] slots;
  private final BitSet met = new BitSet();

  /**
   * @param first the object's first member
   * @param end behind the object's last member
   */
  MemberTable(MemberIndex index, int first, int end) {
    this.index = index;
    this.first = first;
    this.end = end;
    int count = 0;
    for (int m = first; m < end; m = index.next(m)) {
      count++;
    }
    this.slots = new int[Integer.highestOneBit(count + count / 2 + 1) * 2];
    for (int m = first; m < end; m = index.next(m)) {
      slots[slotOf(m)] = m + 1;
    }
  }

  /** The member of the name whose quotes stand in a checked text, or -1. */
  int find(String text, int start, int end) {
    int hash = index.hashOf(text, start, end);
    int slot = hash & slots.length - 1;
    while (slots[slot] != 0) {
      int member = slots[slot] - 1;
      if (index.hash(member) == hash && index.hasName(member, text, start, end)) {
        return member;
      }
      slot = slot + 1 & slots.length - 1;
    }
    return -1;
  }

  void markMet(int member) {
    met.set(member - first);
  }

  /** The next member, from this one on, that is the last of its name and was not met; or -1. */
  int nextUnmet(int from) {
    for (int m = from; m < end; m = index.next(m)) {
      if (!met.get(m - first) && slots[slotOf(m)] == m + 1) {
        return m;
      }
    }
    return -1;
  }

  int first() {
    return first;
  }

  // The slot that holds the member's name, or the free slot where it belongs.
  private int slotOf(int member) {
    int hash = index.hash(member);
    int slot = hash & slots.length - 1;
    while (slots[slot] != 0) {
      int other = slots[slot] - 1;
      if (other == member || index.hash(other) == hash && index.haveOneName(other, member)) {
        return slot;
      }
      slot = slot + 1 & slots.length - 1;
    }
    return slot;
  }
}
