package dev.statectl.cli.settings;

import dev.statectl.cli.settings.BackendLocation.ClickHouseLocation;
import dev.statectl.cli.settings.Origin.Layer;
import dev.statectl.clickhouse.ClickHouseSettings;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the settings of a ClickHouse connection from the layers, a URI's parts and the defaults.
 */
final class ClickHouseResolution {
  static final Set<Setting> SETTINGS = EnumSet.range(Setting.HOST, Setting.MAX_STATE_BYTES);

  private static final Set<Setting> REQUIRED = EnumSet.of(Setting.DATABASE, Setting.USER);

  private final SettingLayers layers;
  private final Problems problems;
  private final Set<Setting> wrong = EnumSet.noneOf(Setting.class);
  private final List<String> notices = new ArrayList<>();
  private Map<Setting, Candidate> parts = Map.of();
  private @Nullable Candidate uri;
  private String masked = "";
  private boolean uriMistaken;

  ClickHouseResolution(SettingLayers layers, Problems problems) {
    this.layers = layers;
    this.problems = problems;
  }

  /** Takes in the URI; without, all comes from settings of their own. */
  void take(Candidate uri) {
    this.uri = uri;
    String place = uri.origin().place();
    ConnectionUri parsed = ConnectionUri.parse(uri.text());
    uriMistaken = !parsed.mistakes().isEmpty();
    for (ConnectionUri.Mistake mistake : parsed.mistakes()) {
      problems.add(
          "%s, character %d%s"
              .formatted(
                  place,
                  uri.text().codePointCount(0, mistake.index()) + 1,
                  uri.value().changed() ? " with its variables filled in" : ""),
          mistake.what(),
          mistake.remedy());
    }
    Map<Setting, Candidate> parts = new EnumMap<>(Setting.class);
    parsed
        .parts()
        .forEach((setting, text) -> parts.put(setting, Candidate.of(text, Layer.URI, place)));
    this.parts = parts;
    masked = parsed.masked();
  }

  /** Gives the connection and how to lock, or null if there are problems. */
  @Nullable ClickHouseLocation location() {
    int before = problems.size();
    Map<Setting, Candidate> chosen = new EnumMap<>(Setting.class);
    for (Setting setting : SETTINGS) {
      Candidate winner = layers.winner(setting);
      Candidate part = parts.get(setting);
      if (winner == null) {
        winner = part == null ? byDefault(setting) : part;
      } else {
        compare(setting, winner, part);
      }
      if (winner == null) {
        reportMissing(setting);
      } else if (!problems.addMissing(winner.value())) {
        chosen.put(setting, winner);
        tryAlone(setting, winner);
      }
    }
    chooseHosts(chosen);
    ConnectionDraft draft = new ConnectionDraft();
    if (problems.size() == before) {
      draft.setTls(new TlsFiles(layers, this::report).read(chosen));
    }
    if (problems.size() > before || uriMistaken) {
      return null;
    }
    chosen.forEach((setting, value) -> draft.set(setting, value.text()));
    if (!chosen.containsKey(Setting.PORT)) {
      draft.set(Setting.PORT, defaultPort(draft.secure()));
    }
    try {
      return draft.build();
    } catch (IllegalArgumentException e) {
      // Each is right alone, so it is the two names together that are too long.
      boolean ownTable = chosen.get(Setting.TABLE).origin().layer() != Layer.DEFAULT;
      Setting setting = ownTable ? Setting.TABLE : Setting.SCHEMA;
      report(setting, chosen.get(setting), String.valueOf(e.getMessage()));
      return null;
    }
  }

  static String defaultPort(boolean secure) {
    return String.valueOf(
        secure ? ClickHouseSettings.DEFAULT_SECURE_PORT : ClickHouseSettings.DEFAULT_PORT);
  }

  /** The URI's parts; none without a URI. */
  Map<Setting, Candidate> parts() {
    return parts;
  }

  /** The URI as it may be shown. */
  String maskedUri() {
    return uriIsWrong() ? ConnectionUri.SCHEME + "***" : masked;
  }

  /** Whether a part of a URI, or the value of a setting of its own, may be shown. */
  boolean mayBeShown(Setting setting, Candidate value) {
    return value.origin().layer() == Layer.URI
        ? !uriIsWrong()
        : setting != Setting.HOST && setting != Setting.HOSTS || !wrong.contains(setting);
  }

  // Then a password may stand anywhere in it.
  private boolean uriIsWrong() {
    return uriMistaken
        || wrong.stream()
            .anyMatch(setting -> parts.containsKey(setting) && layers.winner(setting) == null);
  }

  List<String> notices() {
    return notices;
  }

  /** Of one host and many, what stands in the stronger layer is meant; in the same, the many. */
  private void chooseHosts(Map<Setting, Candidate> chosen) {
    Candidate one = chosen.get(Setting.HOST);
    Candidate many = chosen.get(Setting.HOSTS);
    if (one == null || many == null) {
      return;
    }
    boolean isOne = isOneMeant(one, many);
    Candidate used = isOne ? one : many;
    Candidate left = isOne ? many : one;
    if (uri != null
        && uri.setForThisRun()
        && !used.setForThisRun()
        && left.origin().layer() == Layer.URI) {
      notices.add(
          "%s is used, not what %s says".formatted(used.origin().place(), uri.origin().place()));
    }
    chosen.remove(isOne ? Setting.HOSTS : Setting.HOST);
  }

  static boolean isOneMeant(Candidate one, Candidate many) {
    return one.origin().layer().compareTo(many.origin().layer()) < 0;
  }

  static @Nullable Candidate byDefault(Setting setting) {
    String text = setting.defaultValue();
    return text == null ? null : Candidate.of(text, Layer.DEFAULT, "default");
  }

  /**
   * A setting of its own always wins over the URI's part. Where the URI was given for this run and
   * the setting was not, the user may have meant the URI, so is told.
   */
  private void compare(Setting setting, Candidate winner, @Nullable Candidate part) {
    if (uri != null
        && uri.setForThisRun()
        && !winner.setForThisRun()
        && part != null
        && !part.text().equals(winner.text())) {
      notices.add(
          "%s is used, not what %s says".formatted(winner.origin().place(), uri.origin().place()));
    }
  }

  private void reportMissing(Setting setting) {
    if (REQUIRED.contains(setting) && layers.complete() && !uriMistaken) {
      problems.add(
          new SettingsProblem(
              setting.key(),
              "no " + setting.shortName() + " is set",
              "put it into the URI (clickhouse://USER:PASSWORD@HOST:PORT/DATABASE) or set "
                  + setting.variable(),
              true));
    }
  }

  private void tryAlone(Setting setting, Candidate value) {
    ConnectionDraft draft = new ConnectionDraft();
    try {
      draft.set(setting, value.text());
    } catch (IllegalArgumentException e) {
      report(setting, value, String.valueOf(e.getMessage()));
      return;
    }
    try {
      draft.build();
    } catch (IllegalArgumentException e) {
      // A wrong URI may have a password anywhere, so no part of it is shown.
      report(
          setting,
          value,
          value.origin().layer() == Layer.URI
              ? "cannot be used as "
                  + (setting == Setting.HOSTS ? "" : "a ")
                  + setting.shortName()
                  + hint(setting)
              : String.valueOf(e.getMessage()));
    }
  }

  private static String hint(Setting setting) {
    return switch (setting) {
      case HOST, HOSTS -> " (a name has letters, digits, '-' and '.')";
      case DATABASE -> " (it is sent in a header, so it must be printable ASCII)";
      default -> "";
    };
  }

  private void report(Setting setting, Candidate value, String what) {
    wrong.add(setting);
    String place = value.origin().place();
    problems.add(
        value.origin().layer() == Layer.URI ? place + ", " + setting.shortName() : place,
        what,
        "correct it there");
  }
}
