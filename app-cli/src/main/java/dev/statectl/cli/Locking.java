package dev.statectl.cli;

import dev.statectl.lock.LockTerms;
import dev.statectl.usecase.Pause;

/**
 * How a command takes locks.
 *
 * @param terms the times that all keep to, with this command's own time to wait
 * @param holder who takes them, for people
 * @param pause how to wait
 * @param waiting is told before each pause who is in the way, and tells a person
 */
record Locking(LockTerms terms, String holder, Pause pause, WaitingNotice waiting) {}
