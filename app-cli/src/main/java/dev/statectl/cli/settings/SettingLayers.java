package dev.statectl.cli.settings;

import dev.statectl.cli.settings.Origin.Layer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All places where settings are looked for, but the URI and the defaults, in order. */
final class SettingLayers {
  private static final String VARIABLE_PREFIX = "MELTANO_STATE_BACKEND_CLICKHOUSE_";

  private final Path workingDirectory;
  private final List<Map<Setting, Candidate>> layers;
  private final @Nullable MeltanoProject project;
  private final boolean complete;
  private final List<String> notices;

  private SettingLayers(
      Path workingDirectory,
      List<Map<Setting, Candidate>> layers,
      @Nullable MeltanoProject project,
      boolean complete,
      List<String> notices) {
    this.workingDirectory = workingDirectory;
    this.layers = layers;
    this.project = project;
    this.complete = complete;
    this.notices = notices;
  }

  static SettingLayers read(SettingsRequest request, Problems problems) {
    Path directory = request.workingDirectory().toAbsolutePath().normalize();
    List<String> notices = new ArrayList<>(unknownVariables(request));
    List<Map<Setting, Candidate>> layers =
        new ArrayList<>(List.of(flags(request, directory, problems, notices), variables(request)));
    int before = problems.size();
    Path root = ProjectRoot.find(directory, request.environment(), problems);
    boolean complete = problems.size() == before;
    MeltanoProject project = null;
    Candidate environment = winner(layers, Setting.ENVIRONMENT);
    if (root != null) {
      project = MeltanoProject.read(root, directory, request, environment, problems);
      layers.addAll(project.layers());
      notices.addAll(project.notices());
      complete = project.complete();
    } else if (complete && environment != null) {
      refuse(environment, problems);
    }
    return new SettingLayers(directory, layers, project, complete, notices);
  }

  /** Gives what the layers say, the strongest first. */
  List<Candidate> candidates(Setting setting) {
    return layers.stream().map(layer -> layer.get(setting)).filter(Objects::nonNull).toList();
  }

  /** Gives the value that wins, or null if no layer has one. */
  @Nullable Candidate winner(Setting setting) {
    return winner(layers, setting);
  }

  /** The working directory, absolute. */
  Path workingDirectory() {
    return workingDirectory;
  }

  /** From where a path goes: one in the project's files from its root, any other from here. */
  Path baseOf(Candidate path) {
    return project == null || path.setForThisRun() ? workingDirectory : project.root();
  }

  /** The project; null outside of one. */
  @Nullable MeltanoProject project() {
    return project;
  }

  /** Whether every layer could be read, so that what was not found is not there. */
  boolean complete() {
    return complete;
  }

  /** What the user should know, though it is no mistake. */
  List<String> notices() {
    return notices;
  }

  /** Meltano takes null for no environment; here an empty name is none, too. */
  static boolean isNone(String environment) {
    return environment.isEmpty() || environment.equalsIgnoreCase("null");
  }

  private static @Nullable Candidate winner(List<Map<Setting, Candidate>> layers, Setting setting) {
    return layers.stream()
        .map(layer -> layer.get(setting))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static Map<Setting, Candidate> flags(
      SettingsRequest request, Path directory, Problems problems, List<String> notices) {
    Map<Setting, Candidate> flags = new EnumMap<>(Setting.class);
    request
        .flags()
        .forEach(
            (setting, text) -> {
              Candidate value =
                  setting == Setting.PASSWORD
                      ? PasswordFile.read(text, directory, problems, notices)
                      : Candidate.of(text, Layer.FLAG, setting.flag());
              if (value != null) {
                flags.put(setting, value);
              }
            });
    return flags;
  }

  private static Map<Setting, Candidate> variables(SettingsRequest request) {
    Map<Setting, Candidate> variables = new EnumMap<>(Setting.class);
    for (Setting setting : Setting.values()) {
      String text = request.environment().get(setting.variable());
      if (text != null) {
        Candidate value = Candidate.of(text, Layer.VARIABLE, setting.variable());
        if (value.isSetAsVariable(setting)) {
          variables.put(setting, value);
        }
      }
    }
    return variables;
  }

  private static List<String> unknownVariables(SettingsRequest request) {
    return request.environment().keySet().stream()
        .filter(name -> name.startsWith(VARIABLE_PREFIX))
        .filter(name -> known().noneMatch(name::equals))
        .sorted()
        .map(name -> name + ": there is no such setting, so it is not used")
        .toList();
  }

  private static Stream<String> known() {
    return Arrays.stream(Setting.values()).map(Setting::variable);
  }

  /** A flag asks for something that is not there; a variable may be meant for other directories. */
  private static void refuse(Candidate environment, Problems problems) {
    if (environment.origin().layer() == Layer.FLAG && !isNone(environment.text())) {
      problems.add(
          environment.origin().place(),
          "there is no meltano.yml here or above, so there are no environments",
          "change to the project's directory, or leave the flag out");
    }
  }
}
