package dev.statectl.stream;

import dev.statectl.state.State;
import java.util.ArrayList;
import java.util.List;

/** What speaks against replacing a state by another one: guard rails for operators' hands. */
public final class Doubts {
  /** States longer than this many bytes are worth a warning: 1 MB. */
  public static final long LARGE_BYTES = 1_000_000;

  /** How many times as long a state may become. */
  public static final int GROWTH = 10;

  // A document of few bytes may well grow.
  private static final long SMALL_BYTES = 10_000;
  private static final int NAMED = 5;

  private Doubts() {}

  /**
   * Looks for what speaks against a change.
   *
   * @param before what is stored; both halves empty when nothing is
   * @param after what would be stored
   * @return the doubts, worst first; none when the change is an ordinary one
   */
  public static List<Doubt> about(State before, State after) {
    List<Doubt> doubts = new ArrayList<>();
    if (after.isEmpty() && !before.isEmpty()) {
      doubts.add(new Doubt(Doubt.Kind.EMPTIED, "nothing would be left of the state"));
    } else {
      List<StreamChange> changes = StateDiff.between(before, after).streams();
      addLost(changes, doubts);
      addBackwards(changes, doubts);
    }
    addSize(before.utf8Length(), after.utf8Length(), doubts);
    return List.copyOf(doubts);
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
              counted(lost.size(), "stream") + " would be lost: " + named(lost)));
    }
  }

  private static void addBackwards(List<StreamChange> changes, List<Doubt> doubts) {
    List<String> places =
        changes.stream()
            .flatMap(
                change ->
                    change.bookmarks().stream()
                        .filter(BookmarkChange::isBackwards)
                        .map(bookmark -> change.stream() + bookmark.path()))
            .toList();
    if (!places.isEmpty()) {
      doubts.add(
          new Doubt(
              Doubt.Kind.BACKWARDS,
              counted(places.size(), "bookmark") + " would go back: " + named(places)));
    }
  }

  private static void addSize(long before, long after, List<Doubt> doubts) {
    if (before > 0 && after > SMALL_BYTES && after / GROWTH >= before) {
      doubts.add(
          new Doubt(
              Doubt.Kind.GROWN, "the state would grow from " + before + " to " + after + " bytes"));
    } else if (after > LARGE_BYTES) {
      doubts.add(
          new Doubt(
              Doubt.Kind.LARGE,
              "the state has " + after + " bytes; every write of the pipeline stores them all"));
    }
  }

  private static String counted(int count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  private static String named(List<String> names) {
    String shown = String.join(", ", names.subList(0, Math.min(NAMED, names.size())));
    return names.size() > NAMED ? shown + " and " + (names.size() - NAMED) + " more" : shown;
  }
}
