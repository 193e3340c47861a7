/**
 * The ports in two ClickHouse tables, the same that the Meltano plugin for ClickHouse uses. {@link
 * dev.statectl.clickhouse.ClickHouseSettings} says where they are.
 */
@NullMarked
package dev.statectl.clickhouse;

import org.jspecify.annotations.NullMarked;
