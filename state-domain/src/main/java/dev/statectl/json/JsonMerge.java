package dev.statectl.json;

import com.fasterxml.jackson.core.JsonToken;

/**
 * Lays one document over another by splicing texts.
 *
 * <ol>
 *   <li>An object over an object: member by member, by decoded name.
 *   <li>Anything else replaces what stood there: lists, numbers and null too, an object over a
 *       list, a list over an object.
 *   <li>Members that only the upper document has are added behind the last member, in their order,
 *       with the separator that the lower object uses.
 *   <li>All else of the lower document is copied as it stands.
 *   <li>Of members with one name in one object the last one counts.
 * </ol>
 *
 * <p>Both texts are valid, since {@link JsonObject} checked them; so nothing fails here, and the
 * recursion is no deeper than {@link JsonScanner#DEEPEST}.
 */
final class JsonMerge {
  private final String lower;
  private final JsonScanner scanner;
  private final MemberIndex upper;
  private final ChunkedText out;
  private int copied;

  private JsonMerge(String lower, String upper) {
    this.lower = lower;
    this.scanner = new JsonScanner(lower);
    this.upper = new MemberIndex(upper);
    this.out = new ChunkedText(Math.max(lower.length(), upper.length()));
  }

  /** Lays {@code upper} over {@code lower}; both hold one object without space around it. */
  static String merge(String lower, String upper) {
    JsonMerge merge = new JsonMerge(lower, upper);
    merge.object(0, merge.upper.size(), 0, upper.length());
    merge.out.append(lower, merge.copied, lower.length());
    return merge.out.join();
  }

  // The scanner stands on the lower object's brace; the upper object's members and text are given.
  private void object(int first, int end, int upperStart, int upperEnd) {
    int objectStart = scanner.start();
    scanner.next();
    if (scanner.token() == JsonToken.END_OBJECT) {
      replace(objectStart, scanner.start() + 1, upperStart, upperEnd);
      scanner.next();
      return;
    }
    MemberTable table = new MemberTable(upper, first, end);
    int firstName = scanner.start();
    int lastName = firstName;
    while (scanner.token() == JsonToken.FIELD_NAME) {
      lastName = scanner.start();
      member(table.find(lower, scanner.start(), scanner.end()), table);
    }
    int insertAt = scanner.endBefore(scanner.start());
    int missing = table.nextUnmet(table.first());
    if (missing >= 0) {
      String separator = separator(objectStart, firstName, lastName);
      copyTo(insertAt);
      while (missing >= 0) {
        out.append(separator);
        out.append(upper.text(), upper.nameStart(missing), upper.valueEnd(missing));
        missing = table.nextUnmet(upper.next(missing));
      }
    }
    scanner.next();
  }

  private void member(int found, MemberTable table) {
    scanner.next();
    if (found < 0) {
      scanner.skipValue();
      return;
    }
    table.markMet(found);
    int valueStart = upper.valueStart(found);
    int valueEnd = upper.valueEnd(found);
    if (scanner.token() == JsonToken.START_OBJECT && upper.isObject(found)) {
      object(found + 1, upper.next(found), valueStart, valueEnd);
    } else {
      int start = scanner.start();
      replace(start, scanner.skipValue(), valueStart, valueEnd);
    }
  }

  private void replace(int start, int end, int upperStart, int upperEnd) {
    copyTo(start);
    out.append(upper.text(), upperStart, upperEnd);
    copied = end;
  }

  private void copyTo(int offset) {
    out.append(lower, copied, offset);
    copied = offset;
  }

  private String separator(int objectStart, int firstName, int lastName) {
    if (lastName > firstName) {
      int comma = lower.lastIndexOf(',', lastName);
      return lower.substring(comma, lastName);
    }
    String opening = lower.substring(objectStart + 1, firstName);
    return opening.isEmpty() ? ", " : "," + opening;
  }
}
