package dev.statectl.cli.settings;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The {@code environments} of meltano.yml and of the files that its {@code include_paths} name. */
final class ProjectEnvironments {
  private final Map<String, Map<String, YamlNode>> byName = new LinkedHashMap<>();
  private final Problems problems;

  ProjectEnvironments(Problems problems) {
    this.problems = problems;
  }

  /** Takes in those of a file. */
  void add(Map<String, YamlNode> file) {
    YamlNode list = file.get("environments");
    if (list == null || list.isNull()) {
      return;
    }
    List<YamlNode> items = list.items();
    if (items == null) {
      problems.add(
          list.place() + " environments",
          "must be a list",
          "write each environment as an item that begins with - name:");
      return;
    }
    items.forEach(this::addItem);
  }

  private void addItem(YamlNode item) {
    Map<String, YamlNode> entries = item.entries(problems);
    YamlNode name = entries.get("name");
    String text = name == null ? null : name.text();
    if (text == null) {
      problems.add(
          item.place() + " environments",
          "has an item without a name",
          "begin each environment with - name:");
    } else if (byName.putIfAbsent(text, entries) != null) {
      problems.add(
          item.place() + " environments",
          "names " + text + " twice",
          "give each environment a name of its own");
    }
  }

  /** Gives the entries of an environment, or null if there is none of that name. */
  @Nullable Map<String, YamlNode> find(String name) {
    return byName.get(name);
  }

  List<String> names() {
    return List.copyOf(byName.keySet());
  }
}
