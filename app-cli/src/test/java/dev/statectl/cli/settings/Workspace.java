package dev.statectl.cli.settings;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.statectl.cli.settings.BackendLocation.ClickHouseLocation;
import dev.statectl.clickhouse.ClickHouseSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A directory, an environment and a command line for one resolution of settings. */
final class Workspace {
  private final Path root;
  private final Map<String, String> environment = new HashMap<>();
  private final Map<Setting, String> flags = new EnumMap<>(Setting.class);
  private Path workingDirectory;

  Workspace(Path root) {
    this.root = root;
    this.workingDirectory = root;
  }

  Workspace file(String name, String text) {
    try {
      Path file = root.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Workspace project(String... lines) {
    return file("meltano.yml", String.join("\n", lines) + "\n");
  }

  Workspace dotenv(String... lines) {
    return file(".env", String.join("\n", lines) + "\n");
  }

  Workspace variable(String name, String text) {
    environment.put(name, text);
    return this;
  }

  Workspace flag(Setting setting, String text) {
    flags.put(setting, text);
    return this;
  }

  Workspace without(Setting setting) {
    flags.remove(setting);
    return this;
  }

  Workspace in(String directory) {
    try {
      workingDirectory = Files.createDirectories(root.resolve(directory));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ResolvedSettings resolve() {
    return Settings.resolve(new SettingsRequest(workingDirectory, environment, flags));
  }

  ClickHouseSettings clickHouse() {
    return ((ClickHouseLocation) resolve().location()).settings();
  }

  /** The problems, each on its line. */
  List<String> problems() {
    SettingsException failure = catchThrowableOfType(SettingsException.class, this::resolve);
    return failure == null
        ? List.of()
        : failure.problems().stream().map(SettingsProblem::toString).toList();
  }

  /** What is known, right or wrong. */
  SettingsReport report() {
    return Settings.inspect(new SettingsRequest(workingDirectory, environment, flags));
  }

  /** Each setting as {@code NAME=value (LAYER place)}. */
  List<String> effective() {
    return resolve().settings().stream()
        .map(
            each ->
                "%s=%s (%s %s)"
                    .formatted(
                        each.setting(), each.shown(), each.origin().layer(), each.origin().place()))
        .toList();
  }
}
