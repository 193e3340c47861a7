package dev.statectl.state;

import dev.statectl.json.JsonMember;
import dev.statectl.json.JsonObject;
import dev.statectl.json.MalformedJsonException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads an export of any size piece by piece: it takes text as it comes, and gives each state as
 * soon as its entry has ended. It keeps one entry at a time, and of those before only the ids.
 *
 * <p>The document is that of {@link ExportFormat}, with stricter rules, since the states are to be
 * stored: an id stands in it once, and may be written ({@link StateId#fault()}). One byte order
 * mark in front is passed over.
 *
 * <p>The reader itself knows only where an entry ends: at a comma or brace outside of strings and
 * brackets. What stands in between is checked whole, as any other JSON here. Not thread-safe; after
 * a failure it is of no use.
 */
public final class ExportReader {
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  // Besides its halves an entry holds an id, whose characters may be escapes, names and white
  // space.
  private static final int CHARS_BESIDES = 64 * 1024;

  // Most entries are small: the room for a large one is not kept for them.
  private static final int KEPT_CHARS = 64 * 1024;

  private final Consumer<? super State> action;
  private final long maxEntryChars;
  private final Set<String> ids = new HashSet<>();
  private final StringBuilder entry = new StringBuilder();

  private Place place = Place.BEFORE;
  private boolean first = true;
  private boolean inString;
  private boolean escaped;
  private int depth;

  // Of the character that comes next, and of the entry's first one.
  private int line = 1;
  private int column = 1;
  private int entryLine;
  private int entryColumn;

  /** Where in the document the reader stands. */
  private enum Place {
    BEFORE,
    WITHIN,
    BEHIND
  }

  /**
   * Makes a reader for one document.
   *
   * @param maxStateBytes how large a state may be; an entry that is larger by far is not read to
   *     its end
   * @param action is called with each state, in the order of the document, of version {@link
   *     StateVersion#NONE}; what it throws ends the reading and reaches the caller
   */
  public ExportReader(long maxStateBytes, Consumer<? super State> action) {
    this.maxEntryChars = maxStateBytes + CHARS_BESIDES;
    this.action = action;
  }

  /**
   * Takes the next piece of the document.
   *
   * @param text the piece, of any length
   * @throws MalformedExportException when the document cannot be one that can be stored
   */
  public void read(CharSequence text) {
    String piece = text.toString();
    for (int i = takeRun(piece, 0); i < piece.length(); i = takeRun(piece, i + 1)) {
      char c = piece.charAt(i);
      take(c);
      if (c == '\n') {
        line++;
        column = 1;
      } else if (!Character.isLowSurrogate(c)) {
        column++;
      }
    }
  }

  /**
   * Says that the document has ended.
   *
   * @throws MalformedExportException when it has not
   */
  public void end() {
    if (place == Place.BEHIND) {
      return;
    }
    if (place == Place.BEFORE) {
      throw fault(line, column, "expected an object, found nothing");
    }
    parse("{" + entry);
    throw fault(line, column, "the text ends before the JSON does");
  }

  /**
   * Tells where the reader stands, for a caller that cannot go on.
   *
   * @return line and column of the character that comes next, both counted from 1
   */
  public String position() {
    return "line " + line + ", column " + column;
  }

  // Takes the characters that are merely a part of an entry, which most are, and gives where they
  // end.
  private int takeRun(String piece, int from) {
    if (place != Place.WITHIN || entry.isEmpty() || escaped) {
      return from;
    }
    long room = maxEntryChars - entry.length();
    int most = (int) Math.min(piece.length(), from + room);
    int end = from;
    while (end < most) {
      char c = piece.charAt(end);
      if (c == '\n' || c == '"' || (inString ? c == '\\' : isStructural(c))) {
        break;
      }
      if (!Character.isLowSurrogate(c)) {
        column++;
      }
      end++;
    }
    entry.append(piece, from, end);
    return end;
  }

  private static boolean isStructural(char c) {
    return c == ',' || c == '{' || c == '}' || c == '[' || c == ']';
  }

  private void take(char c) {
    switch (place) {
      case BEFORE -> takeBefore(c);
      case WITHIN -> takeWithin(c);
      case BEHIND -> {
        if (!isSpace(c)) {
          throw fault(line, column, "text behind the object's end");
        }
      }
    }
  }

  private void takeBefore(char c) {
    if (c == '{') {
      place = Place.WITHIN;
    } else if (!isSpace(c) && !(c == BYTE_ORDER_MARK && line == 1 && column == 1)) {
      throw fault(line, column, "expected an object, which begins with '{'");
    }
  }

  private void takeWithin(char c) {
    if (inString) {
      append(c);
      inString = escaped || c != '"';
      escaped = !escaped && c == '\\';
      return;
    }
    boolean outermost = depth == 0;
    switch (c) {
      case ' ', '\t', '\r', '\n' -> {
        if (!entry.isEmpty()) {
          append(c);
        }
      }
      case '"' -> {
        inString = true;
        append(c);
      }
      case '{', '[' -> {
        depth++;
        append(c);
      }
      case '}', ']', ',' -> {
        if (outermost && c != ']') {
          endEntry(c);
        } else {
          depth -= c == ',' || outermost ? 0 : 1;
          append(c);
        }
      }
      default -> append(c);
    }
  }

  private void append(char c) {
    if (entry.isEmpty()) {
      entryLine = line;
      entryColumn = column;
    }
    if (entry.length() >= maxEntryChars) {
      throw fault(
          entryLine,
          entryColumn,
          "what begins here is larger than a state may be; a brace or a quote may be missing");
    }
    entry.append(c);
  }

  private void endEntry(char end) {
    boolean none = entry.isEmpty();
    if (none && !(first && end == '}')) {
      throw fault(line, column, "unexpected '" + end + "'");
    }
    if (!none) {
      State state = stateOf(parse("{" + entry + "}").members().get(0));
      entry.setLength(0);
      if (entry.capacity() > KEPT_CHARS) {
        entry.trimToSize();
      }
      action.accept(state);
    }
    first = false;
    place = end == '}' ? Place.BEHIND : Place.WITHIN;
  }

  // The text has one brace in front that stands elsewhere in the document.
  private JsonObject parse(String text) {
    try {
      return JsonObject.parseAround(text, 2);
    } catch (MalformedJsonException e) {
      boolean atTheEnd = entry.isEmpty();
      int atLine = atTheEnd ? line : entryLine + e.line() - 1;
      int atColumn = atTheEnd ? column : e.line() == 1 ? entryColumn + e.column() - 2 : e.column();
      throw fault(atLine, atColumn, e.reason());
    }
  }

  private State stateOf(JsonMember member) {
    String pointer = ExportFormat.pointer(member.name());
    State state;
    try {
      state = ExportFormat.readEntry(member);
    } catch (MalformedJsonException e) {
      throw new MalformedExportException("at " + pointer + ": " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw new MalformedExportException(e.getMessage());
    }
    state
        .id()
        .fault()
        .ifPresent(
            fault -> {
              throw new MalformedExportException("at " + pointer + ": " + fault);
            });
    if (!ids.add(member.name())) {
      throw fault(entryLine, entryColumn, "a second entry for '" + member.name() + "'");
    }
    return state;
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
  }

  private static MalformedExportException fault(int line, int column, String reason) {
    return new MalformedExportException("line " + line + ", column " + column + ": " + reason);
  }
}
