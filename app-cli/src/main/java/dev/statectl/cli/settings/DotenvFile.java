package dev.statectl.cli.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A project's .env as Meltano reads it, which is by python-dotenv's rules: single quotes, double
 * quotes with escapes, values over several lines, {@code export}, and a comment only where white
 * space stands before the {@code #}. dotenv-java reads other values from the same lines (it keeps
 * single quotes, which Meltano itself writes, and cuts a password at its {@code #}), so it cannot
 * be used for this file. A line that is no assignment is skipped, as Meltano does.
 *
 * @see <a href="https://github.com/theskumar/python-dotenv#file-format">the file format</a>
 */
final class DotenvFile {
  private static final Pattern SPACE = Pattern.compile("\\s*");
  private static final Pattern EXPORT = Pattern.compile("(?:export[^\\S\\r\\n]+)?");
  private static final Pattern NAME = Pattern.compile("(?:'([^']+)'|([^=#\\s'][^=#\\s]*))");
  private static final Pattern EQUALS = Pattern.compile("[^\\S\\r\\n]*=[^\\S\\r\\n]*");
  private static final Pattern UNQUOTED = Pattern.compile("[^\\r\\n]*");
  private static final Pattern REST = Pattern.compile("[^\\S\\r\\n]*(?:#[^\\r\\n]*)?(?:\\R|\\z)");
  private static final Pattern LINE = Pattern.compile("[^\\r\\n]*(?:\\R|\\z)");
  private static final Pattern LINE_BREAK = Pattern.compile("\\R");
  private static final Pattern COMMENT = Pattern.compile("\\s+#.*");

  /** A variable, its value with references not filled in, and the line it starts on. */
  record Entry(String name, String text, int line) {
    @Override
    public String toString() {
      return "Entry[" + name + ", line=" + line + "]";
    }
  }

  private final String source;
  private final List<Entry> entries = new ArrayList<>();
  private int position;
  private int line = 1;
  private int countedTo;

  private DotenvFile(String source) {
    this.source = source;
  }

  /** Gives the variables in the order of the file; of two with the same name the last one holds. */
  static List<Entry> parse(String source) {
    DotenvFile file = new DotenvFile(source);
    file.skip(SPACE);
    while (file.position < source.length()) {
      if (!file.assignment()) {
        file.skip(LINE);
      }
      file.skip(SPACE);
    }
    return file.entries;
  }

  private boolean assignment() {
    int line = line();
    skip(EXPORT);
    Matcher name = at(NAME);
    if (!name.lookingAt()) {
      return false;
    }
    position = name.end();
    Matcher equals = at(EQUALS);
    if (!equals.lookingAt()) {
      return false;
    }
    position = equals.end();
    String value = value();
    Matcher rest = at(REST);
    if (value == null || !rest.lookingAt()) {
      return false;
    }
    position = rest.end();
    String key = name.group(1) == null ? name.group(2) : name.group(1);
    entries.add(new Entry(key, value, line));
    return true;
  }

  /** Counts on from where it last counted to. A position is never between the two of a CR LF. */
  private int line() {
    Matcher lineBreak = LINE_BREAK.matcher(source).region(countedTo, position);
    while (lineBreak.find()) {
      line++;
    }
    countedTo = position;
    return line;
  }

  private @Nullable String value() {
    char first = position < source.length() ? source.charAt(position) : '\n';
    if (first == '\'' || first == '"') {
      int close = closingQuote(first);
      if (close < 0) {
        return null;
      }
      String quoted = source.substring(position + 1, close);
      position = close + 1;
      return unescape(quoted, first == '"' ? "\\'\"abfnrtv" : "\\'");
    }
    Matcher unquoted = at(UNQUOTED);
    unquoted.lookingAt();
    position = unquoted.end();
    return COMMENT.matcher(unquoted.group()).replaceFirst("").strip();
  }

  /**
   * An escaped quote closes the value after all if no other does: a value may end in a backslash.
   */
  private int closingQuote(char quote) {
    int lastEscaped = -1;
    for (int i = position + 1; i < source.length(); i++) {
      if (source.charAt(i) == quote) {
        return i;
      }
      if (source.charAt(i) == '\\' && i + 1 < source.length() && source.charAt(i + 1) == quote) {
        i++;
        lastEscaped = i;
      }
    }
    return lastEscaped;
  }

  private static String unescape(String text, String escapable) {
    StringBuilder result = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length() && escapable.indexOf(text.charAt(i + 1)) >= 0) {
        i++;
        c = control(text.charAt(i));
      }
      result.append(c);
    }
    return result.toString();
  }

  private static char control(char letter) {
    return switch (letter) {
      case 'a' -> '\u0007';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'v' -> '\u000B';
      default -> letter;
    };
  }

  private void skip(Pattern pattern) {
    Matcher match = at(pattern);
    if (match.lookingAt()) {
      position = match.end();
    }
  }

  private Matcher at(Pattern pattern) {
    return pattern.matcher(source).region(position, source.length());
  }
}
