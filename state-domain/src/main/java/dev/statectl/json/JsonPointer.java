package dev.statectl.json;

import java.util.ArrayList;
import java.util.List;

/**
 * A place in a document, as RFC 6901 writes it: {@code /singer_state/bookmarks/issues}. In a name,
 * {@code ~1} stands for a slash and {@code ~0} for a tilde. The empty pointer is the whole
 * document.
 *
 * <p>Immutable and thread-safe. The text form is the pointer.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6901">RFC 6901</a>
 */
public record JsonPointer(List<String> names) {
  /** The whole document. */
  public static final JsonPointer ROOT = new JsonPointer(List.of());

  /**
   * Makes a pointer of its names.
   *
   * @param names the names from the top down, as they are in the document, not escaped
   */
  public JsonPointer {
    names = List.copyOf(names);
  }

  /**
   * Makes a pointer of names.
   *
   * @param names the names from the top down, not escaped
   * @return the pointer
   */
  public static JsonPointer of(String... names) {
    return new JsonPointer(List.of(names));
  }

  /**
   * Reads a pointer.
   *
   * @param text the pointer: empty, or beginning with a slash
   * @return the pointer
   * @throws IllegalArgumentException when it does not begin with a slash, or a tilde is followed by
   *     something else than 0 or 1; the message says where
   */
  public static JsonPointer parse(String text) {
    if (text.isEmpty()) {
      return ROOT;
    }
    if (text.charAt(0) != '/') {
      throw new IllegalArgumentException(
          "a JSON Pointer begins with '/', such as /singer_state/bookmarks/issues");
    }
    List<String> names = new ArrayList<>();
    for (int start = 1; start <= text.length(); ) {
      int end = text.indexOf('/', start);
      end = end < 0 ? text.length() : end;
      names.add(unescaped(text, start, end));
      start = end + 1;
    }
    return new JsonPointer(names);
  }

  /**
   * Gives the pointer to a child.
   *
   * @param name the child's name, not escaped
   * @return this pointer with the name behind it
   */
  public JsonPointer child(String name) {
    List<String> longer = new ArrayList<>(names);
    longer.add(name);
    return new JsonPointer(longer);
  }

  /** Gives the pointer as RFC 6901 writes it. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (String name : names) {
      text.append('/').append(name.replace("~", "~0").replace("/", "~1"));
    }
    return text.toString();
  }

  private static String unescaped(String text, int start, int end) {
    StringBuilder name = new StringBuilder();
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      if (c == '~') {
        i++;
        char escaped = i < end ? text.charAt(i) : ' ';
        if (escaped != '0' && escaped != '1') {
          throw new IllegalArgumentException(
              "character " + i + " of the JSON Pointer: write a tilde as ~0, a slash as ~1");
        }
        c = escaped == '0' ? '~' : '/';
      }
      name.append(c);
    }
    return name.toString();
  }
}
