/**
 * Locks between processes on the real engine: processes of ours and peers that lock as the Meltano
 * plugin does, stopped and killed at random; what it costs; and a peer in Python.
 */
@NullMarked
package dev.statectl.clickhouse.race;

import org.jspecify.annotations.NullMarked;
