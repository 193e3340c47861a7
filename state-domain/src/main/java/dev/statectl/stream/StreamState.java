package dev.statectl.stream;

import dev.statectl.json.JsonKind;
import dev.statectl.json.JsonMember;
import dev.statectl.json.JsonPointer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a state says about one stream: the value below its name in {@code /singer_state/bookmarks},
 * with the partial half laid over the completed one. Immutable; the text form shows no value.
 *
 * @param name the stream's name
 * @param kind the kind of the value; a tap may keep a bare time or number for a stream
 * @param valueText the value's JSON text
 * @param inCompleted whether the completed half has the stream
 * @param inPartial whether the partial half has it
 */
public record StreamState(
    String name, JsonKind kind, String valueText, boolean inCompleted, boolean inPartial) {
  private static final String PARTITIONS = "partitions";
  private static final String CONTEXT = "context";

  /**
   * Lists the values that the tap keeps for the stream, those of its partitions too.
   *
   * @return the bookmarks in the order of the text
   */
  public List<Bookmark> bookmarks() {
    List<Bookmark> bookmarks = new ArrayList<>();
    collect("", new JsonMember(name, kind, valueText), bookmarks);
    return List.copyOf(bookmarks);
  }

  /**
   * Counts the partitions that the tap keeps values for.
   *
   * @return how many; zero for a stream without partitions
   */
  public int partitions() {
    return lastOf(new JsonMember(name, kind, valueText)).values().stream()
        .filter(StreamState::isPartitions)
        .mapToInt(member -> member.children().size())
        .sum();
  }

  /**
   * Tells how long the value is.
   *
   * @return the length of its text in UTF-8, in bytes
   */
  public long utf8Length() {
    return valueText.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Tells the name and the kind, not the value. */
  @Override
  public String toString() {
    return "StreamState[" + name + ": " + kind.described() + "]";
  }

  private static void collect(String path, JsonMember value, List<Bookmark> bookmarks) {
    if (value.kind() != JsonKind.OBJECT) {
      bookmarks.add(new Bookmark(path, value.valueText()));
      return;
    }
    lastOf(value)
        .forEach(
            (name, member) -> {
              if (path.isEmpty() && isPartitions(member)) {
                member
                    .children()
                    .forEach(partition -> collectPartition(below("", name), partition, bookmarks));
              } else {
                collect(below(path, name), member, bookmarks);
              }
            });
  }

  private static void collectPartition(
      String path, JsonMember partition, List<Bookmark> bookmarks) {
    Map<String, JsonMember> members = lastOf(partition);
    JsonMember context = members.remove(CONTEXT);
    String named = path + "/" + (context == null ? partition.name() : context.valueText());
    members.forEach((name, member) -> collect(below(named, name), member, bookmarks));
  }

  private static boolean isPartitions(JsonMember member) {
    return member.name().equals(PARTITIONS)
        && member.kind() == JsonKind.ARRAY
        && member.children().stream().allMatch(element -> element.kind() == JsonKind.OBJECT);
  }

  private static String below(String path, String name) {
    return path + JsonPointer.of(name);
  }

  private static Map<String, JsonMember> lastOf(JsonMember value) {
    Map<String, JsonMember> last = new LinkedHashMap<>();
    if (value.kind() == JsonKind.OBJECT) {
      value.children().forEach(member -> last.put(member.name(), member));
    }
    return last;
  }
}
