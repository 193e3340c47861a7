package dev.statectl.json;

import com.fasterxml.jackson.core.JsonToken;
import java.util.ArrayList;
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

  boolean hasName(int member, String name) {
    int start = nameStart(member) + 1;
    int end = start + name.length();
    if (text.startsWith(name, start)
        && text.charAt(end) == '"'
        && name.indexOf('\\') < 0
        && name.indexOf('"') < 0) {
      return true;
    }
    return decodedName(member).equals(name);
  }

  /**
   * Hashes a name in a way that depends on the whole document, so that names made to collide under
   * {@link String#hashCode()} do not make a merge quadratic.
   */
  int hashOf(String name) {
    int hash = 0;
    for (int i = 0; i < name.length(); i++) {
      hash = hash * multiplier + name.charAt(i) + 1;
    }
    return hash ^ hash >>> 16;
  }

  String decodedName(int member) {
    return SurrogateEscapes.decodedName(text, nameStart(member));
  }

  private void readObject(JsonScanner scanner) {
    scanner.next();
    while (scanner.token() == JsonToken.FIELD_NAME) {
      int member = add(hashOf(scanner.name()), scanner.start());
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
    if (size % PAGE_MEMBERS == 0) {
      pages.add(new int[PAGE_MEMBERS * INTS]);
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
