package dev.statectl.stream;

import dev.statectl.json.JsonKind;
import dev.statectl.json.JsonMember;
import dev.statectl.json.JsonObject;
import dev.statectl.json.JsonPointer;
import dev.statectl.state.State;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What changed between two states of a pipeline, as its next run would see them: with the partial
 * half laid over the completed one. Immutable.
 *
 * @param streams the streams that changed, in the order of the earlier state, new ones last
 * @param elsewhere what changed outside the streams: places of members of the document and of its
 *     {@code singer_state}, in order
 * @param halvesOnly whether only the split into completed and partial changed
 */
public record StateDiff(
    List<StreamChange> streams, List<JsonPointer> elsewhere, boolean halvesOnly) {
  private static final String SINGER_STATE = Streams.BOOKMARKS.names().get(0);
  private static final String BOOKMARKS = Streams.BOOKMARKS.names().get(1);

  /**
   * Makes a diff; the lists are copied.
   *
   * @param streams the streams that changed
   * @param elsewhere what changed outside the streams
   * @param halvesOnly whether only the split into completed and partial changed
   */
  public StateDiff {
    streams = List.copyOf(streams);
    elsewhere = List.copyOf(elsewhere);
  }

  /**
   * Compares two states, whatever their ids.
   *
   * @param before the earlier state
   * @param after the later one
   * @return what changed
   */
  public static StateDiff between(State before, State after) {
    List<StreamChange> streams = streams(byName(before), byName(after));
    List<JsonPointer> elsewhere = elsewhere(before.merged(), after.merged());
    boolean halves =
        !before.completed().equals(after.completed()) || !before.partial().equals(after.partial());
    return new StateDiff(streams, elsewhere, halves && streams.isEmpty() && elsewhere.isEmpty());
  }

  /**
   * Tells whether nothing changed.
   *
   * @return true when both halves are the same
   */
  public boolean isEmpty() {
    return streams.isEmpty() && elsewhere.isEmpty() && !halvesOnly;
  }

  private static List<StreamChange> streams(
      Map<String, StreamState> before, Map<String, StreamState> after) {
    List<StreamChange> changes = new ArrayList<>();
    before.forEach(
        (name, stream) -> {
          StreamState now = after.get(name);
          if (now == null) {
            changes.add(
                new StreamChange(
                    name, StreamChange.Kind.LOST, bookmarks(byPath(stream), Map.of())));
          } else if (!now.valueText().equals(stream.valueText())) {
            changes.add(
                new StreamChange(
                    name, StreamChange.Kind.CHANGED, bookmarks(byPath(stream), byPath(now))));
          }
        });
    after.forEach(
        (name, stream) -> {
          if (!before.containsKey(name)) {
            changes.add(
                new StreamChange(
                    name, StreamChange.Kind.ADDED, bookmarks(Map.of(), byPath(stream))));
          }
        });
    return changes;
  }

  private static List<BookmarkChange> bookmarks(
      Map<String, String> before, Map<String, String> after) {
    List<BookmarkChange> changes = new ArrayList<>();
    before.forEach(
        (path, value) -> {
          String now = after.get(path);
          if (!value.equals(now)) {
            changes.add(new BookmarkChange(path, Optional.of(value), Optional.ofNullable(now)));
          }
        });
    after.forEach(
        (path, value) -> {
          if (!before.containsKey(path)) {
            changes.add(new BookmarkChange(path, Optional.empty(), Optional.of(value)));
          }
        });
    return changes;
  }

  private static List<JsonPointer> elsewhere(JsonObject before, JsonObject after) {
    List<JsonPointer> places = new ArrayList<>();
    changed(JsonPointer.ROOT, before.members(), after.members(), SINGER_STATE, places);
    changed(JsonPointer.of(SINGER_STATE), children(before), children(after), BOOKMARKS, places);
    return places;
  }

  private static List<JsonMember> children(JsonObject document) {
    return document.find(JsonPointer.of(SINGER_STATE)).map(JsonMember::children).orElse(List.of());
  }

  // A member that is an object on both sides and is looked into elsewhere counts only when it comes
  // or goes, or is another kind of value.
  private static void changed(
      JsonPointer at,
      List<JsonMember> before,
      List<JsonMember> after,
      String lookedInto,
      List<JsonPointer> places) {
    Map<String, JsonMember> old = new LinkedHashMap<>();
    before.forEach(member -> old.put(member.name(), member));
    Map<String, JsonMember> now = new LinkedHashMap<>();
    after.forEach(member -> now.put(member.name(), member));
    Map<String, JsonMember> all = new LinkedHashMap<>(old);
    all.putAll(now);
    all.keySet()
        .forEach(
            name -> {
              JsonMember was = old.get(name);
              JsonMember is = now.get(name);
              boolean same =
                  was != null
                      && is != null
                      && (was.valueText().equals(is.valueText())
                          || name.equals(lookedInto)
                              && was.kind() == JsonKind.OBJECT
                              && is.kind() == JsonKind.OBJECT);
              if (!same) {
                places.add(at.child(name));
              }
            });
  }

  private static Map<String, StreamState> byName(State state) {
    Map<String, StreamState> streams = new LinkedHashMap<>();
    Streams.of(state).forEach(stream -> streams.put(stream.name(), stream));
    return streams;
  }

  private static Map<String, String> byPath(StreamState stream) {
    Map<String, String> values = new LinkedHashMap<>();
    stream.bookmarks().forEach(bookmark -> values.put(bookmark.path(), bookmark.valueText()));
    return values;
  }
}
