/**
 * The ClickHouse that tests run against: a given server, a container, or the real engine as a local
 * process behind ClickHouse's HTTP protocol. Start at {@link
 * dev.statectl.clickhouse.engine.TestClickHouse}.
 */
@NullMarked
package dev.statectl.clickhouse.engine;

import org.jspecify.annotations.NullMarked;
