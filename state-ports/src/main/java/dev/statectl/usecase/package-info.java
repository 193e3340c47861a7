/** What a user does with state: one class a verb, over the ports. */
@NullMarked
package dev.statectl.usecase;

import org.jspecify.annotations.NullMarked;
