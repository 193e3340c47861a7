package dev.statectl.cli.settings;

import dev.statectl.cli.settings.BackendLocation.ClickHouseLocation;
import dev.statectl.cli.settings.BackendLocation.MemoryLocation;
import dev.statectl.cli.settings.BackendLocation.SnapshotLocation;
import dev.statectl.cli.settings.Origin.Layer;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Decides from the layers where state is kept. */
final class BackendChoice {
  private static final String MEMORY = "memory:";
  private static final String CHOOSE =
      "pass --uri clickhouse://USER:PASSWORD@HOST:PORT/DATABASE, or set state_backend.uri";

  private final SettingLayers layers;
  private final Problems problems;
  private final List<EffectiveSetting> effective = new ArrayList<>();
  private final List<String> notices;

  BackendChoice(SettingLayers layers, Problems problems) {
    this.layers = layers;
    this.problems = problems;
    this.notices = new ArrayList<>(layers.notices());
  }

  /** Gives the choice, or null if there are problems. */
  @Nullable ResolvedSettings choose() {
    MeltanoProject project = layers.project();
    Candidate environment = project == null ? null : project.environment();
    effective.add(
        new EffectiveSetting(
            Setting.ENVIRONMENT,
            environment == null ? null : environment.text(),
            environment == null ? new Origin(Layer.DEFAULT, "default") : environment.origin()));
    BackendLocation location = location();
    return location == null ? null : new ResolvedSettings(location, effective, notices);
  }

  private @Nullable BackendLocation location() {
    Candidate uri = layers.winner(Setting.URI);
    if (uri == null) {
      return withoutUri();
    }
    if (problems.addMissing(uri.value())) {
      return null;
    }
    String text = uri.text();
    String place = uri.origin().place();
    if (ConnectionUri.isConnectionUri(text)) {
      ClickHouseResolution resolution = new ClickHouseResolution(layers, problems);
      resolution.take(uri);
      return clickHouse(resolution);
    }
    if (text.toLowerCase(Locale.ROOT).startsWith(MEMORY)) {
      return memory(uri, text.substring(MEMORY.length()));
    }
    if (StateBackends.looksLikeClickHouse(text)) {
      problems.add(
          place,
          "the scheme of a ClickHouse URI is clickhouse://",
          "write clickhouse://USER:PASSWORD@HOST:PORT/DATABASE, with ?secure=true for TLS");
      return null;
    }
    if (uri.setForThisRun()) {
      problems.add(place, "names no backend of statectl", "write clickhouse://… or memory:PATH");
      return null;
    }
    if (clickHouseIsSetForThisRun()) {
      notices.add(place + " is not used, since ClickHouse was set for this run");
      return clickHouse(new ClickHouseResolution(layers, problems));
    }
    problems.add(
        place,
        "this project's state is in " + StateBackends.describe(text) + ", not in ClickHouse",
        CHOOSE);
    return null;
  }

  private @Nullable BackendLocation withoutUri() {
    if (clickHouseIsSetForThisRun()) {
      return clickHouse(new ClickHouseResolution(layers, problems));
    }
    if (!layers.complete()) {
      return null;
    }
    MeltanoProject project = layers.project();
    if (project != null) {
      problems.add(
          project.shown(project.root().resolve(ProjectRoot.FILE)),
          "state_backend.uri is not set, so this project's state is in "
              + StateBackends.describe(StateBackends.SYSTEM_DATABASE)
              + ", not in ClickHouse",
          CHOOSE);
      return null;
    }
    Path file = layers.workingDirectory().resolve(".statectl").resolve("state.json");
    effective.add(
        new EffectiveSetting(Setting.URI, MEMORY + file, new Origin(Layer.DEFAULT, "default")));
    return new SnapshotLocation(file, true);
  }

  private boolean clickHouseIsSetForThisRun() {
    return ClickHouseResolution.SETTINGS.stream()
        .map(layers::winner)
        .anyMatch(winner -> winner != null && winner.setForThisRun());
  }

  private @Nullable BackendLocation clickHouse(ClickHouseResolution resolution) {
    ClickHouseLocation location = resolution.location();
    effective.addAll(resolution.effective());
    notices.addAll(resolution.notices());
    return location;
  }

  /** A path in the project's files stands there; any other in the working directory. */
  private @Nullable BackendLocation memory(Candidate uri, String path) {
    String place = uri.origin().place();
    if (path.startsWith("//")) {
      problems.add(place, "memory: takes a path and no //", "write memory:PATH");
      return null;
    }
    if (path.equals("~") || path.startsWith("~/")) {
      problems.add(
          place,
          "~ is not expanded behind memory:",
          "write the path in full, or memory:./~/… for a directory of that name");
      return null;
    }
    effective.add(new EffectiveSetting(Setting.URI, uri.text(), uri.origin()));
    if (path.isEmpty()) {
      // An unset variable behind memory: looks the same, so it is said.
      notices.add(
          place
              + ": memory: keeps states until this command ends only; write memory:PATH to keep them");
      return new MemoryLocation();
    }
    try {
      MeltanoProject project = layers.project();
      Path base =
          project == null || uri.setForThisRun() ? layers.workingDirectory() : project.root();
      return new SnapshotLocation(base.resolve(path).normalize(), false);
    } catch (InvalidPathException e) {
      problems.add(place, "memory: is not followed by a path", "write memory:PATH");
      return null;
    }
  }
}
