package dev.statectl.stream;

import dev.statectl.json.JsonKind;
import dev.statectl.json.JsonMember;
import dev.statectl.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What speaks against replacing a state by another one: guard rails for operators' hands. */
public final class Doubts {
  /** States longer than this many bytes are worth a warning: 1 MB. */
  public static final long LARGE_BYTES = 1_000_000;

  /** From how many times its length on a state has grown doubtfully. */
  public static final int GROWTH = 10;

  /** A state of up to this many bytes, 10 kB, may grow as it likes. */
  public static final long SMALL_BYTES = 10_000;

  private static final int NAMED = 10;
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
    addBackwards(changes, doubts);
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

  private static void addBackwards(List<StreamChange> changes, List<Doubt> doubts) {
    List<String> places =
        changes.stream()
            .flatMap(
                change ->
                    change.bookmarks().stream()
                        .filter(BookmarkChange::isBackwards)
                        .map(bookmark -> place(change.stream(), bookmark.path())))
            .toList();
    if (!places.isEmpty()) {
      doubts.add(
          new Doubt(
              Doubt.Kind.BACKWARDS,
              (places.size() == 1
                      ? "1 bookmark goes backwards: "
                      : places.size() + " bookmarks go backwards: ")
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
