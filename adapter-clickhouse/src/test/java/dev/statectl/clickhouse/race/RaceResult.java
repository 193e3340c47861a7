package dev.statectl.clickhouse.race;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What a race left behind.
 *
 * @param counter the lock ids of the sections that counted, in their order
 * @param writes all states that were ever written on each server, the oldest first
 * @param left the lock ids whose rows are there when everybody has ended
 * @param ofTheKilled the lock ids that killed processes had used
 * @param ofOutages the lock ids of those to whom Keeper was gone, who may have let go in vain
 * @param lost how many locks were lost: their holder was stopped for too long
 * @param refused how many times one of ours gave up after its timeout
 * @param keeper what happened to Keeper; empty for nothing
 */
record RaceResult(
    RaceSetup setup,
    List<Section> sections,
    List<String> counter,
    List<List<String>> writes,
    List<String> left,
    Set<String> ofTheKilled,
    Set<String> ofOutages,
    int ours,
    int peers,
    int killed,
    int killedHolding,
    int stopped,
    int lost,
    int refused,
    int merges,
    String keeper,
    long seconds) {

  private List<Section> ended(boolean ours) {
    return sections.stream().filter(s -> s.ended() && s.isOurs() == ours).toList();
  }

  void requireExclusion() {
    assertThat(Section.overlaps(sections, false)).as("overlaps of ours with anyone").isEmpty();
    boolean peersKeptApart = Section.overlaps(sections, true).isEmpty();
    requireExactCounter(peersKeptApart);
    for (List<String> written : writes) {
      requireUniqueNumbers(written, peersKeptApart);
    }
    List<String> leftByTheLiving = new ArrayList<>(left);
    leftByTheLiving.removeAll(ofTheKilled);
    leftByTheLiving.removeAll(ofOutages);
    assertThat(leftByTheLiving).as("rows left behind by anyone alive").isEmpty();
  }

  // Of a killed process the last line may be there though nobody was told so.
  private void requireExactCounter(boolean peersKeptApart) {
    assertThat(counter).as("sections that counted").doesNotHaveDuplicates();
    List<String> acknowledged =
        ended(true).stream().map(Section::lockId).collect(ArrayList::new, List::add, List::addAll);
    if (peersKeptApart) {
      ended(false).forEach(section -> acknowledged.add(section.lockId()));
    }
    List<String> counted = new ArrayList<>(counter);
    counted.removeIf(id -> ofTheKilled.contains(id) && !acknowledged.contains(id));
    if (!peersKeptApart) {
      counted.removeIf(id -> ended(false).stream().anyMatch(s -> s.lockId().equals(id)));
    }
    assertThat(counted)
        .as("sections that counted are those that were acknowledged")
        .containsExactlyInAnyOrderElementsOf(acknowledged);
  }

  // Each write adds one to what it read: two that overlapped would have written the same number.
  private void requireUniqueNumbers(List<String> written, boolean peersKeptApart) {
    Set<String> peerIds = new HashSet<>();
    sections.stream().filter(s -> !s.isOurs()).forEach(s -> peerIds.add(s.lockId()));
    Set<Long> seen = new HashSet<>();
    for (String write : written) {
      boolean ofPeer = peerIds.stream().anyMatch(write::contains);
      assertThat(seen.add(Contestant.number(write)) || (ofPeer && !peersKeptApart))
          .as("the number of %s was not written before", write)
          .isTrue();
    }
    assertThat(seen)
        .as("numbers written")
        .hasSize(Math.toIntExact(Contestant.number(written.get(written.size() - 1))));
  }

  @Override
  public String toString() {
    return """
        race lock_peers=%s keeper=%s servers=%d statectl.race.seed=%d: %d processes of ours, %d peers, stale %d s, %d s
          sections ended: %d of ours, %d of peers; written to the state: %d
          killed: %d (%d in a section); stopped: %d; locks lost: %d; timeouts: %d; merges: %d%s
          overlaps of ours: %d; of peers among themselves: %d
          counter: %d; rows left by the living: %d, by the killed: %d"""
        .formatted(
            setup.peers().name().toLowerCase(Locale.ROOT),
            setup.keeper().name().toLowerCase(Locale.ROOT),
            writes.size(),
            setup.seed(),
            ours,
            peers,
            setup.staleSeconds(),
            seconds,
            ended(true).size(),
            ended(false).size(),
            writes.stream().mapToInt(List::size).sum(),
            killed,
            killedHolding,
            stopped,
            lost,
            refused,
            merges,
            keeper.isEmpty()
                ? ""
                : "\n  " + keeper + "; candidates that found it gone: " + ofOutages.size(),
            Section.overlaps(sections, false).size(),
            Section.overlaps(sections, true).size(),
            counter.size(),
            left.stream().filter(id -> !ofTheKilled.contains(id)).count(),
            left.stream().filter(ofTheKilled::contains).count());
  }
}
