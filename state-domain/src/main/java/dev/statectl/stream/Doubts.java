package dev.statectl.stream;

import dev.statectl.json.JsonKind;
import dev.statectl.json.JsonMember;
import dev.statectl.state.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** What speaks against replacing a state by another one: guard rails for operators' hands. */
public final class Doubts {
  /** States longer than this many bytes are worth a warning: 1 MB. */
  public static final long LARGE_BYTES = 1_000_000;

  /** From how many times its length on a state has grown doubtfully. */
  public static final int GROWTH = 10;

  /** A state of up to this many bytes, 10 kB, may grow as it likes. */
  public static final long SMALL_BYTES = 10_000;

  private static final int NAMED = 10;
  private static final Set<String> EMPTY = Set.of("null", "{}", "[]", "\"\"");
  // What a run of a tap made with Meltano's SDK notes down, and takes away at its end:
  // https://github.com/meltano/sdk/blob/main/singer_sdk/helpers/_state.py
  private static final Set<String> TEMPORARY =
      Set.of("progress_markers", "replication_key_signpost", "starting_replication_value");
  private static final String PARTITIONS = "/partitions";

  private Doubts() {}

  /**
   * Looks for what speaks against a change. Streams and bookmarks are compared as the next run
   * would find them, with the partial half laid over the completed one; lengths are those of both
   * halves. About a new state only its length is doubted. A length is doubted only when it grows,
   * so a state that is too long may be made shorter step by step.
   *
   * @param before what is stored, or empty when nothing is that could be read
   * @param after what would be stored
   * @param maxStateBytes more bytes than this, in both halves together, are too many
   * @return the doubts: first about the content, then about the length; none when the change is an
   *     ordinary one
   */
  public static List<Doubt> about(Optional<State> before, State after, long maxStateBytes) {
    List<Doubt> doubts = new ArrayList<>();
    before.ifPresent(stored -> addContent(stored, after, doubts));
    addLength(before.map(State::utf8Length).orElse(0L), after.utf8Length(), maxStateBytes, doubts);
    return List.copyOf(doubts);
  }

  private static void addContent(State before, State after, List<Doubt> doubts) {
    if (saysNothing(after.merged().members()) && !saysNothing(before.merged().members())) {
      doubts.add(new Doubt(Doubt.Kind.EMPTIED, "nothing is left of the state"));
    }
    List<StreamChange> changes = StateDiff.between(before, after).streams();
    addLost(changes, doubts);
    addPlaces(
        changes, Doubts::isLost, Doubt.Kind.BOOKMARKS_LOST, "disappears", "disappear", doubts);
    addPlaces(
        changes,
        BookmarkChange::isBackwards,
        Doubt.Kind.BACKWARDS,
        "goes backwards",
        "go backwards",
        doubts);
  }

  // As {"singer_state": {"bookmarks": {}}} does.
  private static boolean saysNothing(List<JsonMember> members) {
    return members.stream()
        .allMatch(member -> member.kind() == JsonKind.OBJECT && saysNothing(member.children()));
  }

  private static void addLost(List<StreamChange> changes, List<Doubt> doubts) {
    List<String> lost =
        changes.stream()
            .filter(change -> change.kind() == StreamChange.Kind.LOST)
            .map(StreamChange::stream)
            .toList();
    if (!lost.isEmpty()) {
      doubts.add(
          new Doubt(
              Doubt.Kind.STREAMS_LOST,
              (lost.size() == 1 ? "1 stream disappears: " : lost.size() + " streams disappear: ")
                  + named(lost)));
    }
  }

  /** Also when null takes its place, or nothing but braces. */
  private static boolean isLost(BookmarkChange bookmark) {
    return bookmark.before().isPresent()
        && Arrays.stream(bookmark.path().split("/")).noneMatch(TEMPORARY::contains)
        && !EMPTY.contains(bookmark.before().get())
        && bookmark.after().map(EMPTY::contains).orElse(true);
  }

  private static void addPlaces(
      List<StreamChange> changes,
      Predicate<BookmarkChange> which,
      Doubt.Kind kind,
      String does,
      String theyDo,
      List<Doubt> doubts) {
    List<String> places =
        changes.stream()
            .filter(change -> change.kind() != StreamChange.Kind.LOST)
            .flatMap(
                change ->
                    change.bookmarks().stream()
                        .filter(which)
                        .map(bookmark -> place(change.stream(), bookmark.path())))
            .toList();
    if (!places.isEmpty()) {
      doubts.add(
          new Doubt(
              kind,
              (places.size() == 1
                      ? "1 bookmark " + does + ": "
                      : places.size() + " bookmarks " + theyDo + ": ")
                  + named(places.stream().distinct().toList())));
    }
  }

  // What tells partitions apart is values, which are not for messages.
  private static String place(String stream, String path) {
    return stream + (path.startsWith(PARTITIONS + "/") ? PARTITIONS : path);
  }

  private static void addLength(long before, long after, long maxBytes, List<Doubt> doubts) {
    if (after <= before) {
      return;
    }
    if (after > maxBytes) {
      doubts.add(
          new Doubt(
              Doubt.Kind.TOO_LARGE,
              "the state has " + after + " bytes, and max_state_bytes is " + maxBytes));
    } else if (before > 0 && after > SMALL_BYTES && after / GROWTH >= before) {
      doubts.add(
          new Doubt(
              Doubt.Kind.GROWN, "the state grows from " + before + " to " + after + " bytes"));
    } else if (before <= LARGE_BYTES && after > LARGE_BYTES) {
      doubts.add(
          new Doubt(
              Doubt.Kind.LARGE,
              "the state has " + after + " bytes; every write of the pipeline stores them all"));
    }
  }

  private static String named(List<String> names) {
    String shown = String.join(", ", names.subList(0, Math.min(NAMED, names.size())));
    return names.size() > NAMED ? shown + " and " + (names.size() - NAMED) + " more" : shown;
  }
}
