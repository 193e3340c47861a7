package dev.statectl.cli.settings;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A setting, the value that won, where it came from and what it won over. Immutable. Only what may
 * be shown of the value is kept.
 *
 * @param setting the setting
 * @param shown the value as it may be shown, secrets masked; null if it has none, or if it refers
 *     to a variable that is not set
 * @param origin where the value came from
 * @param overridden the weaker places that say something, too, the strongest first; without the
 *     default
 */
public record EffectiveSetting(
    Setting setting, @Nullable String shown, Origin origin, List<Origin> overridden) {
  /**
   * Copies the list.
   *
   * @param setting the setting
   * @param shown the value as it may be shown
   * @param origin where the value came from
   * @param overridden the weaker places that say something, too
   */
  public EffectiveSetting {
    overridden = List.copyOf(overridden);
  }
}
