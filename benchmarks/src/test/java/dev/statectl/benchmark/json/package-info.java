/** What reading and merging states costs beside a tree of Jackson's. */
@NullMarked
package dev.statectl.benchmark.json;

import org.jspecify.annotations.NullMarked;
