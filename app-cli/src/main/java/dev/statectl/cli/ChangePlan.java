package dev.statectl.cli;

import java.util.List;

/**
 * What a command is about to change, in words that stand in a question, in a refusal and in a dry
 * run alike.
 *
 * @param verb what will be done, such as {@code overwrite}
 * @param object what to: which states, where
 * @param lines what it consists of, a line each; few, since a person reads them
 * @param needsConsent whether something is lost by it, so that a person is asked
 */
record ChangePlan(String verb, String object, List<String> lines, boolean needsConsent) {

  /** Something that overwrites or deletes. */
  static ChangePlan of(String verb, String object) {
    return new ChangePlan(verb, object, List.of(), true);
  }

  /** The same, with what it consists of. */
  ChangePlan withLines(List<String> parts) {
    return new ChangePlan(verb, object, List.copyOf(parts), needsConsent);
  }

  /** The same, when nothing is lost by it: nobody is asked. */
  ChangePlan harmless() {
    return new ChangePlan(verb, object, lines, false);
  }

  /** As in {@code overwrite the state of 'dev:a' …}. */
  String sentence() {
    return verb + " " + object;
  }
}
