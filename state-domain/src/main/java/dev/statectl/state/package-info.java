/** Pipeline state as values: its id, its two halves, its version, and the glob that picks ids. */
@NullMarked
package dev.statectl.state;

import org.jspecify.annotations.NullMarked;
