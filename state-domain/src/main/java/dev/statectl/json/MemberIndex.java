package dev.statectl.json;

import com.fasterxml.jackson.core.JsonToken;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where the members of a document's objects stand in its text, found in one pass.
 *
 * <p>Members are numbered in document order, so the members inside the value of member {@code m}
 * are {@code m + 1} up to {@code next(m)}, exclusive. Objects within arrays are not looked into:
 * lists are replaced as a whole.
 *
 * <p>A document may hold a member every few bytes. Five ints a member in pages of fixed size cost
 * less than the text itself; an object, a string and a map entry a member would cost many times it.
 */
final class MemberIndex {
  private static final int PAGE_MEMBERS = 256;
  // A page for a state of one stream.
  private static final int FIRST_MEMBERS = 32;
  private static final int INTS = 5;
  private static final int HASH = 0;
  private static final int NAME_START = 1;
  private static final int VALUE_START = 2;
  private static final int VALUE_END = 3;
  private static final int NEXT = 4;

  private final String text;
  private final int multiplier;
  private final List<int[]> pages = new ArrayList<>();
  private int size;

  /** Reads a text that holds one object. */
  MemberIndex(String text) {
    this.text = text;
    this.multiplier = text.hashCode() | 1;
    readObject(new JsonScanner(text));
  }

  int size() {
    return size;
  }

  String text() {
    return text;
  }

  int nameStart(int member) {
    return get(member, NAME_START);
  }

  int valueStart(int member) {
    return get(member, VALUE_START);
  }

  int valueEnd(int member) {
    return get(member, VALUE_END);
  }

  /** The first member that is not within the value of this one. */
  int next(int member) {
    return get(member, NEXT);
  }

  boolean isObject(int member) {
    return text.charAt(valueStart(member)) == '{';
  }

  int hash(int member) {
    return get(member, HASH);
  }

  /** Whether the member has the name whose quotes stand in a checked text. */
  boolean hasName(int member, String other, int otherStart, int otherEnd) {
    int start = nameStart(member);
    // The same spelling ends with the same quote.
    return text.regionMatches(start, other, otherStart, otherEnd - otherStart)
        || StringEscapes.decoded(text, start).equals(StringEscapes.decoded(other, otherStart));
  }

  /** Whether two members have the same name. */
  boolean haveOneName(int member, int other) {
    return StringEscapes.decoded(text, nameStart(member))
        .equals(StringEscapes.decoded(text, nameStart(other)));
  }

  /**
   * Hashes the name whose quotes stand in a checked text, in a way that depends on the whole
   * document, so that names made to collide under {@link String#hashCode()} do not make a merge
   * quadratic.
   */
  int hashOf(String other, int start, int end) {
    int hash = 0;
    for (int i = start + 1; i < end - 1; i++) {
      char c = other.charAt(i);
      if (c == '\\') {
        return hashOf(StringEscapes.decoded(other, start));
      }
      hash = hash * multiplier + c + 1;
    }
    return hash ^ hash >>> 16;
  }

  private int hashOf(String decoded) {
    int hash = 0;
    for (int i = 0; i < decoded.length(); i++) {
      hash = hash * multiplier + decoded.charAt(i) + 1;
    }
    return hash ^ hash >>> 16;
  }

  private void readObject(JsonScanner scanner) {
    scanner.next();
    while (scanner.token() == JsonToken.FIELD_NAME) {
      int member = add(hashOf(text, scanner.start(), scanner.end()), scanner.start());
      scanner.next();
      set(member, VALUE_START, scanner.start());
      if (scanner.token() == JsonToken.START_OBJECT) {
        readObject(scanner);
        set(member, VALUE_END, scanner.start() + 1);
        scanner.next();
      } else {
        set(member, VALUE_END, scanner.skipValue());
      }
      set(member, NEXT, size);
    }
  }

  private int add(int hash, int nameStart) {
    if (size == FIRST_MEMBERS) {
      pages.set(0, Arrays.copyOf(pages.get(0), PAGE_MEMBERS * INTS));
    } else if (size % PAGE_MEMBERS == 0) {
      pages.add(new int[(size == 0 ? FIRST_MEMBERS : PAGE_MEMBERS) * INTS]);
    }
    int member = size++;
    set(member, HASH, hash);
    set(member, NAME_START, nameStart);
    return member;
  }

  private int get(int member, int field) {
    return pages.get(member / PAGE_MEMBERS)[member % PAGE_MEMBERS * INTS + field];
  }

  private void set(int member, int field, int value) {
    pages.get(member / PAGE_MEMBERS)[member % PAGE_MEMBERS * INTS + field] = value;
  }
}
