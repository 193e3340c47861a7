package dev.statectl.lock;

import dev.statectl.state.StateId;
import java.time.Duration;

/**
 * What a write under a lock hands to the store: the write lands only if, in the same statement, the
 * holder's row is there and not stale. So a holder that was paused for longer than it knows cannot
 * overwrite what its successor wrote.
 *
 * @param lock whose lock it is; not always the id of the state that is written
 * @param lockId the holder's candidate
 * @param stale how old the holder's row may be, whole seconds
 */
public record Fence(StateId lock, LockId lockId, Duration stale) {}
