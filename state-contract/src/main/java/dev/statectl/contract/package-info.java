/** The contract kit: the JUnit classes that every adapter passes, for ours and for yours. */
@NullMarked
package dev.statectl.contract;

import org.jspecify.annotations.NullMarked;
