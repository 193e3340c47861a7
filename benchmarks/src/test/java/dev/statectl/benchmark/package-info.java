/** What statectl costs, in ratios to the same statements without it, measured in one run. */
@NullMarked
package dev.statectl.benchmark;

import org.jspecify.annotations.NullMarked;
