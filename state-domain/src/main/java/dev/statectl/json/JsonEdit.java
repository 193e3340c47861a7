package dev.statectl.json;

import com.fasterxml.jackson.core.JsonToken;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds, replaces and removes one value of a document by splicing its text: all else stays byte for
 * byte. Of members with one name in one object the last counts; it is the one that is found and
 * replaced, and all of them are removed.
 *
 * <p>The text is valid, since {@link JsonObject} checked it.
 */
final class JsonEdit {
  private final String text;

  JsonEdit(String text) {
    this.text = text;
  }

  /** A value in the text, and its name in the object or its number in the list around it. */
  private record Span(String name, JsonKind kind, int start, int end) {}

  Optional<JsonMember> find(JsonPointer pointer) {
    Span span = root();
    for (String name : pointer.names()) {
      Span child = child(span, name);
      if (child == null) {
        return Optional.empty();
      }
      span = child;
    }
    return Optional.of(
        new JsonMember(span.name(), span.kind(), text.substring(span.start(), span.end())));
  }

  /** The text with another value at a place, or one added there; the parent must be there. */
  String with(JsonPointer pointer, String value) {
    Span parent = parent(pointer);
    String name = last(pointer);
    Span old = child(parent, name);
    if (old != null) {
      return text.substring(0, old.start()) + value + text.substring(old.end());
    }
    if (parent.kind() == JsonKind.OBJECT) {
      return added(parent, JsonQuoting.quoted(name) + ": " + value);
    }
    if (!name.equals("-") && !name.equals(String.valueOf(size(parent)))) {
      throw new IllegalArgumentException(
          "at " + pointer + ": the list has " + size(parent) + " values; add one with '-'");
    }
    return added(parent, value);
  }

  /** The text without the value at a place; the same text when there is none. */
  String without(JsonPointer pointer) {
    if (find(pointer).isEmpty()) {
      return text;
    }
    Span parent = parent(pointer);
    String name = last(pointer);
    StringBuilder kept = new StringBuilder();
    int[] opening = {-1};
    int[] before = {parent.start() + 1};
    walk(
        parent,
        (childName, from, child) -> {
          if (opening[0] < 0) {
            opening[0] = from;
          }
          if (!childName.equals(name)) {
            int start = kept.isEmpty() ? parent.start() + 1 : before[0];
            int end = kept.isEmpty() ? opening[0] : from;
            kept.append(text, start, end).append(text, from, child.end());
          }
          before[0] = child.end();
        });
    String tail = kept.isEmpty() ? "" : text.substring(before[0], parent.end() - 1);
    return text.substring(0, parent.start() + 1) + kept + tail + text.substring(parent.end() - 1);
  }

  private String added(Span parent, String addition) {
    int[] spans = {-1, -1, -1};
    walk(
        parent,
        (name, from, child) -> {
          spans[0] = spans[0] < 0 ? from : spans[0];
          spans[1] = from;
          spans[2] = child.end();
        });
    if (spans[0] < 0) {
      return text.substring(0, parent.start() + 1) + addition + text.substring(parent.end() - 1);
    }
    String opening = text.substring(parent.start() + 1, spans[0]);
    String separator =
        spans[1] > spans[0]
            ? text.substring(text.lastIndexOf(',', spans[1]), spans[1])
            : opening.isEmpty() ? ", " : "," + opening;
    return text.substring(0, spans[2]) + separator + addition + text.substring(spans[2]);
  }

  private Span parent(JsonPointer pointer) {
    List<String> names = pointer.names();
    Span span = root();
    JsonPointer here = JsonPointer.ROOT;
    for (String name : names.subList(0, names.size() - 1)) {
      here = here.child(name);
      Span child = child(span, name);
      if (child == null) {
        throw new IllegalArgumentException("at " + here + ": nothing there");
      }
      span = child;
    }
    if (span.kind() != JsonKind.OBJECT && span.kind() != JsonKind.ARRAY) {
      throw new IllegalArgumentException(
          "at " + here + ": expected an object or a list, found " + span.kind().described());
    }
    return span;
  }

  private static String last(JsonPointer pointer) {
    return pointer.names().get(pointer.names().size() - 1);
  }

  private Span root() {
    return new Span("", JsonKind.OBJECT, 0, text.length());
  }

  private @Nullable Span child(Span parent, String name) {
    @Nullable Span[] found = {null};
    walk(
        parent,
        (childName, from, child) -> {
          if (childName.equals(name)) {
            found[0] = child;
          }
        });
    return found[0];
  }

  private int size(Span parent) {
    int[] size = {0};
    walk(parent, (name, from, child) -> size[0]++);
    return size[0];
  }

  /** What happens with a child of an object or a list. */
  @FunctionalInterface
  private interface Visit {
    /**
     * Takes a child.
     *
     * @param from where the member begins: at its name, or in a list at the value
     */
    void child(String name, int from, Span child);
  }

  // Does nothing for a value that is neither an object nor a list.
  private void walk(Span parent, Visit visit) {
    if (parent.kind() != JsonKind.OBJECT && parent.kind() != JsonKind.ARRAY) {
      return;
    }
    JsonScanner scanner = new JsonScanner(text.substring(parent.start(), parent.end()));
    boolean object = scanner.token() == JsonToken.START_OBJECT;
    scanner.next();
    for (int index = 0; isChild(scanner.token()); index++) {
      int from = parent.start() + scanner.start();
      String name = object ? scanner.name() : String.valueOf(index);
      if (object) {
        scanner.next();
      }
      JsonKind kind = scanner.kind();
      int start = parent.start() + scanner.start();
      visit.child(name, from, new Span(name, kind, start, parent.start() + scanner.skipValue()));
    }
  }

  private static boolean isChild(@Nullable JsonToken token) {
    return token != JsonToken.END_OBJECT && token != JsonToken.END_ARRAY;
  }
}
