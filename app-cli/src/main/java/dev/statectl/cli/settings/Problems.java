package dev.statectl.cli.settings;

import java.util.ArrayList;
import java.util.List;

/** Gathers mistakes, so that a user hears of all of them in one run. */
final class Problems {
  private final List<SettingsProblem> found = new ArrayList<>();

  void add(String where, String what, String remedy) {
    add(new SettingsProblem(where, what, remedy, false));
  }

  void add(SettingsProblem problem) {
    if (!found.contains(problem)) {
      found.add(problem);
    }
  }

  /** Adds a problem for each variable that a value needs and that is not set; tells if any is. */
  boolean addMissing(Expansion value) {
    for (Expansion.Missing missing : value.missing()) {
      add(
          missing.place(),
          "refers to the variable " + missing.variable() + ", which is not set",
          "set it in the environment or in the project's .env");
    }
    return !value.missing().isEmpty();
  }

  int size() {
    return found.size();
  }

  /** What was found, in order. */
  List<SettingsProblem> found() {
    return List.copyOf(found);
  }
}
