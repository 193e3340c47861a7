package dev.statectl.cli.settings;

import dev.statectl.clickhouse.ReplicationSettings;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All that is known about the settings of a run, right or wrong. Immutable; the text form shows no
 * secret.
 *
 * @param location where state is kept; null if there are problems
 * @param settings every setting, in {@link Setting}'s order, without secrets
 * @param problems the mistakes, in the order they are shown in; mostly empty
 * @param notices what the user should be told although it is no mistake, a line each; mostly empty
 */
public record SettingsReport(
    @Nullable BackendLocation location,
    List<EffectiveSetting> settings,
    List<SettingsProblem> problems,
    List<String> notices) {
  /**
   * Copies the lists.
   *
   * @param location where state is kept; null if there are problems
   * @param settings every setting
   * @param problems the mistakes
   * @param notices what the user should be told
   */
  public SettingsReport {
    settings = List.copyOf(settings);
    problems = List.copyOf(problems);
    notices = List.copyOf(notices);
  }

  /**
   * Gives the settings if they can be used.
   *
   * @return the place of the state and each setting's origin
   * @throws SettingsException when there are problems; it names every one
   */
  public ResolvedSettings resolved() {
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
    return new ResolvedSettings(Objects.requireNonNull(location), settings, notices);
  }

  /**
   * Gives how the tables are to be used where several servers hold them, of settings none of which
   * is wrong, though others may be missing.
   *
   * @return the cluster, whether tables are replicated and who decides locks; the rest by default
   */
  public ReplicationSettings replication() {
    ConnectionDraft draft = new ConnectionDraft();
    for (Setting setting : List.of(Setting.CLUSTER, Setting.REPLICATED, Setting.LOCK_MODE)) {
      String text = of(setting).shown();
      if (text != null) {
        draft.set(setting, text);
      }
    }
    return draft.replication();
  }

  /**
   * Finds a setting.
   *
   * @param setting the setting
   * @return its value and origin
   */
  public EffectiveSetting of(Setting setting) {
    return settings.get(setting.ordinal());
  }
}
