/** What a state says about each stream, and what changed between two states. */
@NullMarked
package dev.statectl.stream;

import org.jspecify.annotations.NullMarked;
