package dev.statectl.cli.settings;

import dev.statectl.cli.settings.Origin.Layer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Tells for every setting which value wins, as far as it may be shown, and over what. */
final class EffectiveSettings {
  private static final String MASK = "***";
  // A certificate may come in one text with its key.
  private static final String PRIVATE_KEY = "PRIVATE KEY-----";
  private static final Origin DEFAULT = new Origin(Layer.DEFAULT, "default");
  private static final Origin NOT_SET = new Origin(Layer.DEFAULT, "not set");

  private final SettingLayers layers;
  private final @Nullable ClickHouseResolution clickHouse;

  /**
   * @param clickHouse how the settings of ClickHouse came about; null if state is kept elsewhere
   */
  EffectiveSettings(SettingLayers layers, @Nullable ClickHouseResolution clickHouse) {
    this.layers = layers;
    this.clickHouse = clickHouse;
  }

  /**
   * Gives every setting.
   *
   * @param defaultFile the embedded store that is used as nothing was set, or null
   */
  List<EffectiveSetting> list(@Nullable Path defaultFile) {
    List<EffectiveSetting> settings = new ArrayList<>();
    for (Setting setting : Setting.values()) {
      settings.add(
          switch (setting) {
            case ENVIRONMENT -> environment();
            case URI -> uri(defaultFile);
            default -> ofClickHouse(setting);
          });
    }
    return settings;
  }

  /** Outside of a project there are none, whatever a variable says. */
  private EffectiveSetting environment() {
    List<Candidate> candidates =
        layers.project() == null ? List.of() : layers.candidates(Setting.ENVIRONMENT);
    return candidates.isEmpty()
        ? new EffectiveSetting(Setting.ENVIRONMENT, null, DEFAULT, List.of())
        : effective(
            Setting.ENVIRONMENT,
            SettingLayers.isNone(candidates.get(0).text()) ? null : candidates.get(0).text(),
            candidates);
  }

  private EffectiveSetting uri(@Nullable Path defaultFile) {
    List<Candidate> candidates = layers.candidates(Setting.URI);
    if (candidates.isEmpty()) {
      return defaultFile == null
          ? new EffectiveSetting(Setting.URI, null, NOT_SET, List.of())
          : new EffectiveSetting(
              Setting.URI, BackendChoice.MEMORY + defaultFile, DEFAULT, List.of());
    }
    return effective(Setting.URI, shownUri(candidates.get(0).text()), candidates);
  }

  private String shownUri(String text) {
    if (ConnectionUri.isConnectionUri(text)) {
      return clickHouse == null ? ConnectionUri.SCHEME + MASK : clickHouse.maskedUri();
    }
    return text.equals(StateBackends.SYSTEM_DATABASE)
            || text.toLowerCase(Locale.ROOT).startsWith(BackendChoice.MEMORY)
        ? text
        : StateBackends.masked(text);
  }

  private List<Candidate> candidates(Setting setting) {
    List<Candidate> candidates = new ArrayList<>(layers.candidates(setting));
    Candidate part = clickHouse == null ? null : clickHouse.parts().get(setting);
    if (part != null) {
      candidates.add(part);
    }
    return candidates;
  }

  /** Of one host and many, the one that is not used; null where there is no choice. */
  private @Nullable Setting unusedHost() {
    List<Candidate> one = candidates(Setting.HOST);
    List<Candidate> many = candidates(Setting.HOSTS);
    if (one.isEmpty() || many.isEmpty()) {
      return null;
    }
    return ClickHouseResolution.isOneMeant(one.get(0), many.get(0)) ? Setting.HOSTS : Setting.HOST;
  }

  private EffectiveSetting ofClickHouse(Setting setting) {
    List<Candidate> candidates = candidates(setting);
    Setting unused = setting == Setting.HOST || setting == Setting.HOSTS ? unusedHost() : null;
    if (setting == unused) {
      return new EffectiveSetting(setting, null, NOT_SET, List.of());
    }
    if (unused != null) {
      candidates.addAll(candidates(unused));
    }
    if (candidates.isEmpty()) {
      return byDefault(setting);
    }
    Candidate winner = candidates.get(0);
    boolean masked =
        setting.secret() && !winner.text().isEmpty()
            || winner.text().contains(PRIVATE_KEY)
            || clickHouse != null && !clickHouse.mayBeShown(setting, winner);
    return effective(setting, masked ? MASK : winner.text(), candidates);
  }

  private EffectiveSetting byDefault(Setting setting) {
    if (setting == Setting.PORT) {
      boolean secure = ConnectionDraft.isTrue(ofClickHouse(Setting.SECURE).shown());
      return new EffectiveSetting(
          setting, ClickHouseResolution.defaultPort(secure), DEFAULT, List.of());
    }
    if (setting == Setting.HOST && ofClickHouse(Setting.HOSTS).shown() != null) {
      return new EffectiveSetting(setting, null, NOT_SET, List.of());
    }
    String text = setting.defaultValue();
    return new EffectiveSetting(setting, text, text == null ? NOT_SET : DEFAULT, List.of());
  }

  private static EffectiveSetting effective(
      Setting setting, @Nullable String shown, List<Candidate> candidates) {
    Candidate winner = candidates.get(0);
    return new EffectiveSetting(
        setting,
        winner.value().missing().isEmpty() ? shown : null,
        winner.origin(),
        candidates.stream().skip(1).map(Candidate::origin).toList());
  }
}
