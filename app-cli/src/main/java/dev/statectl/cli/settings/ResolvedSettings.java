package dev.statectl.cli.settings;

import java.util.List;

/**
 * Settings that were found complete and right. Immutable; the text form shows no secret.
 *
 * @param location where state is kept
 * @param settings every setting that was looked at, in {@link Setting}'s order, without secrets
 * @param notices what the user should be told on stderr although it is no mistake, a line each;
 *     mostly empty
 */
public record ResolvedSettings(
    BackendLocation location, List<EffectiveSetting> settings, List<String> notices) {
  /**
   * Copies the lists.
   *
   * @param location where state is kept
   * @param settings every setting that was looked at
   * @param notices what the user should be told
   */
  public ResolvedSettings {
    settings = List.copyOf(settings);
    notices = List.copyOf(notices);
  }
}
