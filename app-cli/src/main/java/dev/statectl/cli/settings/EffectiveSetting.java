package dev.statectl.cli.settings;

import org.jspecify.annotations.Nullable;

/**
 * A setting, the value that won, and where it came from. Immutable. Only what may be shown of the
 * value is kept.
 *
 * @param setting the setting
 * @param shown the value as it may be shown, secrets masked; null if it has none
 * @param origin where the value came from
 */
public record EffectiveSetting(Setting setting, @Nullable String shown, Origin origin) {}
