package dev.statectl.cli.settings;

import dev.statectl.cli.settings.Origin.Layer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a Meltano project says about settings: its .env, its active environment and its meltano.yml.
 *
 * <p>Values in meltano.yml refer to variables. As in Meltano these come, a later one winning, from
 * .env, from the environment, from the {@code env} key at the top and from that of the active
 * environment.
 */
final class MeltanoProject {
  private static final String DOTENV = ".env";
  private static final String SYSTEM_DATABASE_VARIABLE = "MELTANO_DATABASE_URI";

  private final Path root;
  private final Path workingDirectory;
  private final SettingsRequest request;
  private final Problems problems;
  private final Map<String, Expansion> variables = new HashMap<>();
  private final Map<Setting, Candidate> dotenv = new EnumMap<>(Setting.class);
  private final List<Map<Setting, Candidate>> layers = new ArrayList<>();
  private final List<String> notices = new ArrayList<>();
  private @Nullable Candidate environment;
  private boolean complete = true;
  private @Nullable String systemDatabase;

  private MeltanoProject(
      Path root, Path workingDirectory, SettingsRequest request, Problems problems) {
    this.root = root;
    this.workingDirectory = workingDirectory;
    this.request = request;
    this.problems = problems;
  }

  /**
   * Reads the project.
   *
   * @param environment the environment that was chosen for this run, or null if none was
   */
  static MeltanoProject read(
      Path root,
      Path workingDirectory,
      SettingsRequest request,
      @Nullable Candidate environment,
      Problems problems) {
    MeltanoProject project = new MeltanoProject(root, workingDirectory, request, problems);
    project.readDotenv(root.resolve(DOTENV));
    project.layers.add(project.dotenv);
    Map<String, YamlNode> file = project.readYaml(root.resolve(ProjectRoot.FILE));
    if (file != null) {
      project.readSettings(file, environment);
    }
    return project;
  }

  /** The directory of meltano.yml, absolute. */
  Path root() {
    return root;
  }

  /** The layers, the strongest first. */
  List<Map<Setting, Candidate>> layers() {
    return layers;
  }

  /** The active environment's name; null if there is none. */
  @Nullable Candidate environment() {
    return environment;
  }

  /** Where Meltano's system database is, as it may be shown. */
  String systemDatabase() {
    return systemDatabase == null
        ? shown(root.resolve(".meltano").resolve("meltano.db"))
        : systemDatabase;
  }

  /** Whether all could be read, so that what was not found is not there. */
  boolean complete() {
    return complete;
  }

  List<String> notices() {
    return notices;
  }

  /** How to call a file in messages: by its short path where that is one to above or beneath. */
  String shown(Path file) {
    return workingDirectory.startsWith(root)
        ? workingDirectory.relativize(file).toString()
        : file.toString();
  }

  /** A directory of that name, such as a virtual environment, is none to Meltano either. */
  private void readDotenv(Path file) {
    Map<String, Expansion> scope = new HashMap<>();
    request.environment().forEach((name, text) -> scope.put(name, Expansion.of(text)));
    try {
      for (DotenvFile.Entry entry :
          Files.exists(file) && !Files.isDirectory(file)
              ? DotenvFile.parse(Files.readString(file))
              : List.<DotenvFile.Entry>of()) {
        String place = shown(file) + ":" + entry.line() + " " + entry.name();
        Expansion value = ReferenceSyntax.DOTENV.expand(entry.text(), place, scope);
        scope.put(entry.name(), value);
        variables.put(entry.name(), value);
        takeDotenv(entry.name(), new Candidate(value, new Origin(Layer.DOTENV, place)));
      }
    } catch (IOException e) {
      complete = false;
      problems.add(
          shown(file),
          "cannot be read",
          "check that it is a file in UTF-8 and that you may read it");
    }
  }

  private void takeDotenv(String name, Candidate value) {
    Arrays.stream(Setting.values())
        .filter(setting -> setting.variable().equals(name))
        .forEach(
            setting -> {
              dotenv.remove(setting);
              if (value.isSetAsVariable(setting)) {
                dotenv.put(setting, value);
              }
            });
  }

  private @Nullable Map<String, YamlNode> readYaml(Path file) {
    int before = problems.size();
    YamlNode node = YamlNode.read(file, shown(file), problems);
    Map<String, YamlNode> entries = Map.of();
    if (node != null) {
      entries = node.mapping("the file", problems);
    }
    if (problems.size() > before) {
      complete = false;
      return null;
    }
    return entries;
  }

  private void readSettings(Map<String, YamlNode> file, @Nullable Candidate chosen) {
    request.environment().forEach((name, text) -> variables.put(name, Expansion.of(text)));
    variables.put(ProjectRoot.VARIABLE, Expansion.of(root.toString()));
    environment = environment(file, chosen);
    variables.put(
        Setting.ENVIRONMENT.variable(),
        Expansion.of(environment == null ? "" : environment.text()));
    define(file);
    Map<String, YamlNode> entries = Map.of();
    if (environment != null) {
      entries = entries(file, environment);
      define(entries);
      YamlNode config = entries.get("config");
      if (config != null) {
        layers.add(collect(config.mapping("config", problems), Layer.PROJECT_ENVIRONMENT));
      }
    }
    Map<Setting, Candidate> top = collect(file, Layer.PROJECT);
    YamlNode named = file.get("default_environment");
    if (named != null && named.text() != null) {
      top.put(Setting.ENVIRONMENT, expanded(named, named.text()));
    }
    layers.add(top);
    takeSystemDatabase(file, entries);
  }

  private Map<Setting, Candidate> collect(Map<String, YamlNode> mapping, Layer layer) {
    int before = problems.size();
    Map<Setting, Candidate> found =
        ConfigKeys.collect(mapping, layer, variables, problems, notices);
    complete &= problems.size() == before;
    return found;
  }

  private @Nullable Candidate environment(
      Map<String, YamlNode> file, @Nullable Candidate chosenForThisRun) {
    Candidate chosen =
        chosenForThisRun == null ? dotenv.get(Setting.ENVIRONMENT) : chosenForThisRun;
    YamlNode named = file.get("default_environment");
    if (chosen == null && named != null && !named.isNull()) {
      chosen = defaultEnvironment(named);
      complete &= chosen != null;
    }
    if (chosen != null && problems.addMissing(chosen.value())) {
      complete = false;
      return null;
    }
    return chosen == null || SettingLayers.isNone(chosen.text()) ? null : chosen;
  }

  private @Nullable Candidate defaultEnvironment(YamlNode node) {
    String text = node.text();
    if (text == null) {
      problems.add(
          node.place() + " default_environment", "must be an environment's name", "write one name");
      return null;
    }
    return expanded(node, text);
  }

  private Candidate expanded(YamlNode node, String text) {
    String place = node.place() + " default_environment";
    return new Candidate(
        ReferenceSyntax.MELTANO.expand(text, place, variables), new Origin(Layer.PROJECT, place));
  }

  /**
   * Finds out where Meltano's system database is: what {@code MELTANO_DATABASE_URI} or {@code
   * database_uri} says, else a file of its own. It only goes into messages.
   */
  private void takeSystemDatabase(Map<String, YamlNode> file, Map<String, YamlNode> entries) {
    Expansion named = variables.get(SYSTEM_DATABASE_VARIABLE);
    YamlNode config = entries.get("config");
    Map<String, YamlNode> own =
        config == null || !config.isMapping() ? Map.of() : config.entries(new Problems());
    for (Map<String, YamlNode> each : List.of(own, file)) {
      YamlNode node = each.get("database_uri");
      String text = node == null ? null : node.text();
      if (named == null && text != null) {
        named = ReferenceSyntax.MELTANO.expand(text, node.place(), variables);
      }
    }
    if (named != null && named.missing().isEmpty()) {
      systemDatabase = StateBackends.masked(named.text());
    }
  }

  /**
   * Finds the environment's entries. Included files are only looked for when the name is not in
   * meltano.yml, since that takes a search of the project's directory.
   */
  private Map<String, YamlNode> entries(Map<String, YamlNode> file, Candidate environment) {
    ProjectEnvironments environments = new ProjectEnvironments(problems);
    environments.add(file);
    YamlNode includePaths = file.get("include_paths");
    if (environments.find(environment.text()) == null && includePaths != null) {
      for (Path included : IncludedFiles.find(root, includePaths, problems)) {
        Map<String, YamlNode> entries = readYaml(included);
        environments.add(entries == null ? Map.of() : entries);
      }
    }
    Map<String, YamlNode> entries = environments.find(environment.text());
    if (entries != null) {
      return entries;
    }
    complete = false;
    String names = String.join(", ", environments.names());
    problems.add(
        environment.origin().place(),
        "there is no environment " + environment.text(),
        names.isEmpty()
            ? "the project has none; choose null for none"
            : "choose one of " + names + ", or null for none");
    return Map.of();
  }

  /** Takes in the variables of an {@code env} key; each can refer to those before it. */
  private void define(Map<String, YamlNode> file) {
    YamlNode env = file.get("env");
    if (env == null) {
      return;
    }
    env.mapping("env", problems)
        .forEach(
            (name, value) -> {
              String place = value.place() + " env." + name;
              refuseSetting(name, place);
              String text = value.text();
              if (text != null) {
                variables.put(name, ReferenceSyntax.MELTANO.expand(text, place, variables));
              }
            });
  }

  /** Meltano would take the setting from there, so passing it over could open another store. */
  private void refuseSetting(String name, String place) {
    Arrays.stream(Setting.values())
        .filter(setting -> setting != Setting.ENVIRONMENT && setting.variable().equals(name))
        .filter(setting -> !request.flags().containsKey(setting))
        .forEach(
            setting ->
                problems.add(
                    place,
                    "settings are not taken from env",
                    "write it as " + setting.key() + " instead"));
  }
}
