package dev.statectl.cli.settings;

import dev.statectl.cli.settings.BackendLocation.ClickHouseLocation;
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

  /**
   * Gives what is dangerous in the way to the server, although it works.
   *
   * @return lines for stderr; mostly empty
   */
  public List<String> dangers() {
    return location instanceof ClickHouseLocation clickHouse
        ? TransportDangers.of(clickHouse.settings())
        : List.of();
  }
}
