package dev.statectl.cli.settings;

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
  static final String MEMORY = "memory:";
  private static final String ELSEWHERE =
      "to look into ClickHouse all the same, pass --uri clickhouse://USER@HOST:PORT/DATABASE; to"
          + " bring the state over (Meltano 4.3 or newer): meltano state export | statectl --uri"
          + " clickhouse://USER@HOST:PORT/DATABASE import -";

  private final SettingLayers layers;
  private final Problems problems;
  private final List<String> notices;
  private @Nullable ClickHouseResolution clickHouse;

  BackendChoice(SettingLayers layers, Problems problems) {
    this.layers = layers;
    this.problems = problems;
    this.notices = new ArrayList<>(layers.notices());
  }

  /** Gives the choice, as far as it can be made, and all that led to it. */
  SettingsReport choose() {
    BackendLocation location = location();
    if (clickHouse != null) {
      notices.addAll(clickHouse.notices());
    }
    List<EffectiveSetting> settings =
        new EffectiveSettings(layers, clickHouse).list(defaultFile(location));
    return new SettingsReport(
        problems.size() == 0 ? location : null, settings, problems.found(), notices);
  }

  private static @Nullable Path defaultFile(@Nullable BackendLocation location) {
    return location instanceof SnapshotLocation snapshot && snapshot.byDefault()
        ? snapshot.file()
        : null;
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
    if (uri.setForThisRun()
        && (uri.origin().layer() == Layer.FLAG || !StateBackends.isKnown(text))) {
      problems.add(place, "names no backend of statectl", "write clickhouse://… or memory:PATH");
      return null;
    }
    if (!uri.setForThisRun() && clickHouseIsSetForThisRun()) {
      notices.add(place + " is not used, since ClickHouse was set for this run");
      return clickHouse(new ClickHouseResolution(layers, problems));
    }
    problems.add(
        place,
        (layers.project() == null ? "the state is in " : "this project's state is in ")
            + StateBackends.describe(text, systemDatabase())
            + ", not in ClickHouse",
        ELSEWHERE);
    return null;
  }

  private String systemDatabase() {
    MeltanoProject project = layers.project();
    return project == null ? "that of a project" : project.systemDatabase();
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
              + StateBackends.describe(StateBackends.SYSTEM_DATABASE, systemDatabase())
              + ", not in ClickHouse",
          ELSEWHERE);
      return null;
    }
    Path file = layers.workingDirectory().resolve(".statectl").resolve("state.json");
    return new SnapshotLocation(file, true);
  }

  private boolean clickHouseIsSetForThisRun() {
    return ClickHouseResolution.SETTINGS.stream()
        .map(layers::winner)
        .anyMatch(winner -> winner != null && winner.setForThisRun());
  }

  private @Nullable BackendLocation clickHouse(ClickHouseResolution resolution) {
    clickHouse = resolution;
    return resolution.location();
  }

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
    if (path.isEmpty()) {
      // An unset variable behind memory: looks the same, so it is said.
      notices.add(
          place
              + ": memory: keeps states until this command ends only; write memory:PATH to keep them");
      return new MemoryLocation();
    }
    try {
      return new SnapshotLocation(layers.baseOf(uri).resolve(path).normalize(), false);
    } catch (InvalidPathException e) {
      problems.add(place, "memory: is not followed by a path", "write memory:PATH");
      return null;
    }
  }
}
