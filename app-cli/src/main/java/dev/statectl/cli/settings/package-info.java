/**
 * From flags, environment and working directory to the place where state is kept. {@link
 * dev.statectl.cli.settings.Settings#resolve} looks through the layers of a Meltano project's
 * settings, names what won and why, and reports all mistakes at once.
 */
@NullMarked
package dev.statectl.cli.settings;

import org.jspecify.annotations.NullMarked;
