package dev.statectl.cli;

import dev.statectl.lock.LockTerms;
import dev.statectl.usecase.Pause;
import java.time.Duration;

/**
 * How a command takes locks.
 *
 * @param terms the times that all keep to, with this command's own time to wait
 * @param storeWait how long it waits for a store that another program holds as a whole
 * @param holder who takes them, for people
 * @param pause how to wait
 * @param waiting is told before each pause who is in the way, and tells a person
 */
record Locking(
    LockTerms terms, Duration storeWait, String holder, Pause pause, WaitingNotice waiting) {}
