package dev.statectl.cli.settings;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the settings in a mapping of meltano.yml, at its top or under an environment's {@code
 * config}, whether their keys are nested, written with dots, or partly both.
 */
final class ConfigKeys {
  private static final String PREFIX = "state_backend.clickhouse.";

  private final Origin.Layer layer;
  private final Map<Setting, Candidate> found = new EnumMap<>(Setting.class);
  private final Map<String, Expansion> variables;
  private final Problems problems;
  private final List<String> notices;

  private ConfigKeys(
      Origin.Layer layer,
      Map<String, Expansion> variables,
      Problems problems,
      List<String> notices) {
    this.layer = layer;
    this.variables = variables;
    this.problems = problems;
    this.notices = notices;
  }

  static Map<Setting, Candidate> collect(
      Map<String, YamlNode> mapping,
      Origin.Layer layer,
      Map<String, Expansion> variables,
      Problems problems,
      List<String> notices) {
    ConfigKeys keys = new ConfigKeys(layer, variables, problems, notices);
    keys.descend("", mapping);
    return keys.found;
  }

  private void descend(String prefix, Map<String, YamlNode> mapping) {
    mapping.forEach(
        (name, value) -> {
          String key = prefix + name;
          Optional<Setting> setting = setting(key);
          if (setting.isPresent()) {
            take(setting.get(), value);
          } else if (PREFIX.startsWith(key + ".")) {
            descend(key + ".", value.mapping(key, problems));
          } else if (key.startsWith(PREFIX)) {
            notices.add(
                "%s %s: there is no such setting, so it is not used".formatted(value.place(), key));
          }
        });
  }

  private static Optional<Setting> setting(String key) {
    return Arrays.stream(Setting.values())
        .filter(setting -> setting != Setting.ENVIRONMENT && setting.key().equals(key))
        .findFirst();
  }

  private void take(Setting setting, YamlNode value) {
    if (value.isNull()) {
      return;
    }
    String place = value.place() + " " + setting.key();
    String text = value.text();
    if (text == null) {
      problems.add(
          place,
          "must be a text, a number or true or false",
          "write one value, in quotes if need be");
      return;
    }
    Expansion expanded = ReferenceSyntax.MELTANO.expand(text, place, variables);
    Candidate other = found.putIfAbsent(setting, new Candidate(expanded, new Origin(layer, place)));
    if (other != null) {
      problems.add(
          place,
          "is set twice, the first time at " + other.origin().place(),
          "remove one of the two");
    }
  }
}
