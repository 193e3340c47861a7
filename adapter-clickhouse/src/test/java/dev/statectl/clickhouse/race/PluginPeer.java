package dev.statectl.clickhouse.race;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * A process that locks as the Meltano plugin for ClickHouse does, over plain HTTP: removes stale
 * rows, inserts a candidate with a random UUID, waits the settle time, reads all rows; the smallest
 * wins, any other removes its own row and tries again. Nothing of the product is used.
 *
 * <p>What the plugin takes for granted is kept: who wins holds the lock for less than the settle
 * time. With the plugin's stale time of 300 s a peer's row never becomes stale while it waits; with
 * the short one of a race it could on a busy machine, so a peer that took too long gives up and
 * tries again.
 */
final class PluginPeer {
  private final ClickHouseEndpoint endpoint;
  private final String states;
  private final String locks;
  private final int staleSeconds;
  private final Witness witness;
  private final Random random;

  private PluginPeer(RaceSetup setup, String name) {
    this.endpoint = setup.endpoint();
    this.states = "`" + setup.schema() + "`.`state`";
    this.locks = "`" + setup.schema() + "`.`state_lock`";
    this.staleSeconds = setup.staleSeconds();
    this.witness = new Witness(setup.directory(), name);
    this.random = new Random(setup.seed());
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    PluginPeer peer = new PluginPeer(RaceSetup.of(arguments), arguments[RaceSetup.ARGUMENTS]);
    Stdin stdin = Stdin.watched();
    while (!stdin.hasEnded()) {
      peer.round();
    }
  }

  /** Makes both tables as the plugin does, in a database that may not exist yet. */
  static void createTables(ClickHouseEndpoint endpoint, String schema) {
    endpoint.execute(
        "CREATE DATABASE IF NOT EXISTS `" + schema + "`",
        "CREATE TABLE IF NOT EXISTS `"
            + schema
            + "`.`state` (state_id String, partial_state Nullable(String),"
            + " completed_state Nullable(String), updated_at DateTime64(3) DEFAULT now64(3))"
            + " ENGINE = ReplacingMergeTree(updated_at) ORDER BY state_id",
        "CREATE TABLE IF NOT EXISTS `"
            + schema
            + "`.`state_lock` (state_id String, lock_id String, locked_at DateTime DEFAULT now())"
            + " ENGINE = ReplacingMergeTree(locked_at) ORDER BY state_id"
            + " TTL locked_at + INTERVAL 300 SECOND");
  }

  private void round() throws IOException, InterruptedException {
    delete("locked_at < now() - " + staleSeconds);
    String lockId = UUID.randomUUID().toString();
    long before = System.nanoTime();
    endpoint.query(
        "INSERT INTO "
            + locks
            + " (state_id, lock_id) SETTINGS async_insert = 0 VALUES ('"
            + RaceSetup.ID
            + "', '"
            + lockId
            + "')");
    Thread.sleep(RaceSetup.SETTLE.toMillis());
    String smallest =
        endpoint.query(
            "SELECT lock_id FROM "
                + locks
                + " WHERE state_id = '"
                + RaceSetup.ID
                + "' ORDER BY lock_id LIMIT 1");
    boolean late = System.nanoTime() - before > (staleSeconds - 1) * 1_000_000_000L;
    if (smallest.equals(lockId) && !late) {
      section(lockId);
    }
    delete("lock_id = '" + lockId + "'");
    Thread.sleep(1000 + random.nextInt(4000));
  }

  private void section(String lockId) throws IOException, InterruptedException {
    List<String> counted = witness.begin(lockId);
    String document =
        endpoint.query(
            "SELECT completed_state FROM "
                + states
                + " FINAL WHERE state_id = '"
                + RaceSetup.ID
                + "' FORMAT TSVRaw");
    long n = document.isEmpty() ? 0 : Contestant.number(document);
    // Less than the settle time with all that comes before and after.
    Thread.sleep(200 + random.nextInt(400));
    endpoint.query(
        "INSERT INTO "
            + states
            + " (state_id, completed_state, updated_at) SETTINGS async_insert = 0 VALUES ('"
            + RaceSetup.ID
            + "', '"
            + Contestant.counting(n + 1, lockId).completed().text()
            + "', now64(3))");
    witness.end(lockId, counted);
  }

  private void delete(String condition) {
    endpoint.query(
        "DELETE FROM " + locks + " WHERE state_id = '" + RaceSetup.ID + "' AND " + condition);
  }
}
