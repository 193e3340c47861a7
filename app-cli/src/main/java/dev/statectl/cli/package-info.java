/**
 * The command {@code statectl}: a class a subcommand, and what they share. {@link
 * dev.statectl.cli.Main} is the way in.
 */
@NullMarked
package dev.statectl.cli;

import org.jspecify.annotations.NullMarked;
