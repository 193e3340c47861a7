/** What an adapter implements, the failures it may report, and the rules every write obeys. */
@NullMarked
package dev.statectl.port;

import org.jspecify.annotations.NullMarked;
