package dev.statectl.cli;

import dev.statectl.state.StateId;
import dev.statectl.stream.Doubt;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a command is about to change, in words that stand in a question, in a refusal and in a dry
 * run alike.
 *
 * @param verb what will be done, such as {@code overwrite}
 * @param object what to: which states, where
 * @param lines what it consists of, a line each; few, since a person reads them
 * @param needsConsent whether something is lost by it, so that a person is asked
 * @param doubts what speaks against it, of each id
 */
record ChangePlan(
    String verb,
    String object,
    List<String> lines,
    boolean needsConsent,
    Map<StateId, List<Doubt>> doubts) {

  /** Something that overwrites or deletes. */
  static ChangePlan of(String verb, String object) {
    return new ChangePlan(verb, object, List.of(), true, Map.of());
  }

  /** The same, with what it consists of. */
  ChangePlan withLines(List<String> parts) {
    return new ChangePlan(verb, object, List.copyOf(parts), needsConsent, doubts);
  }

  /** The same, when nothing is lost by it: nobody is asked. */
  ChangePlan harmless() {
    return new ChangePlan(verb, object, lines, false, doubts);
  }

  /** The same, with what speaks against it. */
  ChangePlan withDoubts(Map<StateId, List<Doubt>> found) {
    return new ChangePlan(verb, object, lines, needsConsent, found);
  }

  /** The same, with what speaks against changing one state. */
  ChangePlan withDoubts(StateId id, List<Doubt> found) {
    return withDoubts(found.isEmpty() ? Map.of() : Map.of(id, found));
  }

  /** The gravest that a doubt means for it; empty when there is none. */
  Optional<Doubt.Severity> severity() {
    return allDoubts().map(doubt -> doubt.kind().severity()).max(Doubt.Severity::compareTo);
  }

  private Stream<Doubt> allDoubts() {
    return doubts.values().stream().flatMap(List::stream);
  }

  /** As in {@code overwrite the state of 'dev:a' …}. */
  String sentence() {
    return verb + " " + object;
  }
}
