/** The rules of locks, as values and decisions: nothing here waits, reads a clock or does I/O. */
@NullMarked
package dev.statectl.lock;

import org.jspecify.annotations.NullMarked;
