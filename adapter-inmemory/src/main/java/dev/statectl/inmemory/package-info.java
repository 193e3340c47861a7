/**
 * The ports in memory: sorted maps behind one lock, as strict as a database, and if wanted a
 * snapshot file behind them.
 */
@NullMarked
package dev.statectl.inmemory;

import org.jspecify.annotations.NullMarked;
