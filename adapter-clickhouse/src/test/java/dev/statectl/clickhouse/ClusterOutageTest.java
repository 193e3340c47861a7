package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.statectl.clickhouse.engine.ClickHouseCluster;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.ClusterNode;
import dev.statectl.lock.LockMode;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import dev.statectl.usecase.StateLock;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What happens on a cluster when a replica hangs and when Keeper is gone. */
@OnCluster
final class ClusterOutageTest {
  private static final StateId ID = ReplicaPairRules.ID;
  private static final Duration TIMEOUT = Duration.ofSeconds(15);
  // A write that got no answer is looked for, which may take as long again.
  private static final Duration IN_TIME = TIMEOUT.multipliedBy(2).plusSeconds(10);

  private final ClickHouseCluster cluster = ClickHouseCluster.shared();
  private final ReplicaPair replicas = ReplicaPair.ofCluster();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
  private final ClickHouseBackend first = opened(replicas.first());
  private final ClickHouseBackend second = opened(replicas.second());

  @AfterEach
  void close() {
    first.close();
    second.close();
    timer.shutdownNow();
  }

  @Test
  void whileAReplicaHangsNothingIsAcknowledgedThatOneAloneHas() {
    first.states().save(ReplicaPairRules.numbered(ID, 1));
    ClusterNode hanging = cluster.secondNode();
    hanging.freeze();
    try {
      // Keeper still believes that it is there, so the write waits for it.
      assertFailsInTime(() -> first.states().save(ReplicaPairRules.numbered(ID, 2)));
      awaitReplicas(replicas.first(), 1);
      StateFailure failure =
          assertFailsInTime(() -> first.states().save(ReplicaPairRules.numbered(ID, 3)));
      assertThat(failure).isInstanceOf(StateFailure.Unavailable.class);
      assertThat(failure).hasMessageContaining("replica");
    } finally {
      hanging.thaw();
    }
    awaitBoth();
    first.states().save(ReplicaPairRules.numbered(ID, 4));
    assertThat(ReplicaPairRules.number(second.states(), ID)).isEqualTo(4);
  }

  @Test
  void whileAReplicaHangsWhoWantsItSoGoesOnAlone() {
    ReplicationSettings eventual =
        new ReplicationSettings("", Replicated.AUTO, Consistency.EVENTUAL, KeeperLocks.AUTO);
    first.states().save(ReplicaPairRules.numbered(ID, 1));
    ClusterNode hanging = cluster.secondNode();
    hanging.freeze();
    try (ClickHouseBackend alone =
        ClickHouseBackend.open(
            replicas.impatient(replicas.first(), TIMEOUT).withReplication(eventual))) {
      awaitReplicas(replicas.first(), 1);
      alone.states().save(ReplicaPairRules.numbered(ID, 2));
      assertThat(ReplicaPairRules.number(alone.states(), ID)).isEqualTo(2);
    } finally {
      hanging.thaw();
    }
    awaitBoth();
    assertThat(ReplicaPairRules.number(second.states(), ID)).isEqualTo(2);
  }

  @Test
  void aLockThatIsReleasedWhileAReplicaHangsIsFreeOnBoth() {
    first.states().save(ReplicaPairRules.numbered(ID, 1));
    StateLock lock = locks(first, LockTerms.DEFAULT).acquire(ID);
    ClusterNode hanging = cluster.secondNode();
    hanging.freeze();
    try {
      awaitReplicas(replicas.first(), 1);
      lock.close();
    } finally {
      hanging.thaw();
    }
    awaitBoth();
    locks(second, LockTerms.DEFAULT).acquire(ID).close();
  }

  @Test
  void withoutKeeperNothingIsWrittenAndNoLockIsGiven() {
    first.states().save(ReplicaPairRules.numbered(ID, 1));
    ClusterNode keeper = cluster.keeper();
    keeper.stop();
    try {
      assertFailsInTime(() -> first.states().save(ReplicaPairRules.numbered(ID, 2)));
      assertFailsInTime(
          () -> locks(first, LockTerms.DEFAULT.withTimeout(Duration.ZERO)).acquire(ID).close());
    } finally {
      keeper.start();
    }
    awaitBoth();
    assertThat(ReplicaPairRules.number(second.states(), ID)).isIn(1, 2);
    first.states().save(ReplicaPairRules.numbered(ID, 3));
    assertThat(ReplicaPairRules.number(second.states(), ID)).isEqualTo(3);
    locks(second, LockTerms.DEFAULT).acquire(ID).close();
  }

  @Test
  void aLockIsLostWhenKeeperIsGoneForItsStaleTime() throws Exception {
    Duration stale = Duration.ofSeconds(12);
    LockTerms terms =
        new LockTerms(
            LockMode.IMMEDIATE, stale, Duration.ofSeconds(1), TIMEOUT, Duration.ofMillis(300));
    first.states().save(ReplicaPairRules.numbered(ID, 1));
    StateLock lock = locks(first, terms).acquire(ID);
    ClusterNode keeper = cluster.keeper();
    keeper.stop();
    try {
      long deadline = System.nanoTime() + stale.plusSeconds(30).toNanos();
      while (lock.isValid()) {
        assertThat(System.nanoTime()).as("time until the lock is lost").isLessThan(deadline);
        Thread.sleep(100);
      }
    } finally {
      keeper.start();
    }
    awaitBoth();
    try (StateLock next = locks(second, terms).acquire(ID)) {
      second.states().save(ReplicaPairRules.numbered(ID, 2), next.fence());
      assertThat(
              catchThrowableOfType(
                  StateFailure.LockLost.class,
                  () -> first.states().save(ReplicaPairRules.numbered(ID, 3), lock.fence())))
          .isNotNull();
    }
    assertThat(ReplicaPairRules.number(first.states(), ID)).isEqualTo(2);
  }

  /** Runs what cannot succeed now, and gives its failure, which says that it may do so later. */
  private static StateFailure assertFailsInTime(Runnable operation) {
    long began = System.nanoTime();
    StateFailure failure = catchThrowableOfType(StateFailure.class, operation::run);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(IN_TIME);
    assertThat(failure)
        .isInstanceOfAny(StateFailure.Unavailable.class, StateFailure.OutcomeUnknown.class);
    return failure;
  }

  private void awaitBoth() {
    awaitReplicas(replicas.first(), 2);
    awaitReplicas(replicas.second(), 2);
  }

  /** Waits until a server can write and sees so many replicas of each table that are alive. */
  private void awaitReplicas(ClickHouseEndpoint server, int alive) {
    String sql =
        "SELECT count() = 0 FROM system.replicas WHERE database = '"
            + replicas.schema()
            + "' AND (is_readonly OR active_replicas != "
            + alive
            + ")";
    long deadline = System.nanoTime() + Duration.ofSeconds(90).toNanos();
    while (!server.query(sql).equals("1")) {
      assertThat(System.nanoTime()).as("time to see %d replicas", alive).isLessThan(deadline);
      try {
        Thread.sleep(200);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }
  }

  private ClickHouseBackend opened(ClickHouseEndpoint endpoint) {
    return ClickHouseBackend.open(replicas.impatient(endpoint, TIMEOUT));
  }

  private AcquireLock locks(ClickHouseBackend backend, LockTerms terms) {
    return new AcquireLock(
        backend.locks(),
        terms,
        LockMeans.of(
            Clock.systemUTC(),
            RandomGenerator.getDefault(),
            System::nanoTime,
            duration -> Thread.sleep(duration.toMillis()),
            timer),
        "outage");
  }
}
