package dev.statectl.clickhouse.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two engines on one Keeper, and what claims of locks rely on there. */
final class TestKeeperTest {
  private static final String STRICT =
      " SETTINGS keeper_map_strict_mode = 1, keeper_max_retries = 0, insert_keeper_max_retries = 0";
  private static final int ROUNDS = 25;
  private static final int THREADS = 8;

  @TempDir static Path directory;

  private static TestKeeper keeper;
  private static LocalClickHouse one;
  private static LocalClickHouse two;

  @BeforeAll
  static void start() {
    keeper = TestKeeper.start(directory.resolve("keeper"));
    one = LocalClickHouse.start(directory.resolve("one"), EngineConfiguration.on(keeper));
    two = LocalClickHouse.start(directory.resolve("two"), EngineConfiguration.on(keeper));
    for (LocalClickHouse engine : List.of(one, two)) {
      engine
          .endpoint()
          .execute("CREATE TABLE m (k String, v String) ENGINE = KeeperMap('/m') PRIMARY KEY k");
    }
  }

  @AfterAll
  static void stop() {
    two.close();
    one.close();
    keeper.close();
  }

  @BeforeEach
  void empty() {
    one.endpoint().execute("TRUNCATE TABLE m");
  }

  @Test
  void whatOneEngineWritesTheOtherReads() {
    insert(one, "a", "1");

    assertThat(value(two, "a")).isEqualTo("1");
    QueryFailed failure = catchThrowableOfType(QueryFailed.class, () -> insert(two, "a", "2"));
    assertThat(failure.code()).isEqualTo(999);
    assertThat(failure).hasMessageContaining("Transaction failed (Node exists)");
  }

  @Test
  void withoutItNothingIsReadOrWrittenAndNobodyWaits() {
    insert(one, "a", "1");
    int port = keeper.port();

    keeper.close();

    try {
      long begin = System.nanoTime();
      for (LocalClickHouse engine : List.of(one, two)) {
        QueryFailed failure =
            catchThrowableOfType(QueryFailed.class, () -> insert(engine, "b", "1"));
        assertThat(failure.code()).isEqualTo(999);
      }
      assertThat(System.nanoTime() - begin).isLessThan(20_000_000_000L);
      assertThat(keeper.port()).isEqualTo(port);
      assertThatThrownBy(keeper::expireSessions)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("The Keeper for tests does not run");
    } finally {
      keeper.restart();
    }
    assertThat(keeper.port()).isEqualTo(port);
    assertThat(value(two, "a")).isEqualTo("1");
    assertThat(value(two, "b")).isEmpty();
  }

  @Test
  void theEndOfAllSessionsLeavesTheRows() {
    insert(one, "a", "1");
    insert(two, "b", "1");

    assertThat(keeper.expireSessions()).isEqualTo(2);

    assertThat(valueAfterAll(one, "b")).isEqualTo("1");
    assertThat(valueAfterAll(two, "a")).isEqualTo("1");
  }

  @Test
  void ofThoseWhoInsertARowAtOnceOneDoes() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String key = "insert-" + round;
      List<Integer> winners = atOnce(i -> isDone(() -> insert(engine(i), key, "by-" + i)));

      assertThat(winners).as(key).hasSize(1);
      assertThat(value(one, key)).isEqualTo("by-" + winners.get(0));
    }
  }

  @Test
  void ofThoseWhoTakeARowFromOneHolderOneDoes() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String key = "take-" + round;
      insert(one, key, "nobody");
      List<Integer> told =
          atOnce(
              i ->
                  isDone(
                      () ->
                          engine(i)
                              .endpoint()
                              .execute(
                                  "ALTER TABLE m UPDATE v = 'by-"
                                      + i
                                      + "' WHERE k = '"
                                      + key
                                      + "' AND v = 'nobody'"
                                      + STRICT)));

      // To be told nothing may also mean that there was nothing to take any more.
      assertThat(told).as(key).isNotEmpty();
      assertThat(two.endpoint().query("SELECT _version FROM m WHERE k = '" + key + "'"))
          .as("writes to %s", key)
          .isEqualTo("1");
      assertThat(told.stream().map(i -> "by-" + i)).contains(value(two, key));
    }
  }

  private static LocalClickHouse engine(int thread) {
    return thread % 2 == 0 ? one : two;
  }

  private static void insert(LocalClickHouse engine, String key, String value) {
    engine
        .endpoint()
        .execute("INSERT INTO m (k, v)" + STRICT + " VALUES ('" + key + "', '" + value + "')");
  }

  private static String value(LocalClickHouse engine, String key) {
    return engine.endpoint().query("SELECT v FROM m WHERE k = '" + key + "'");
  }

  /** The engine may answer a few times that its session has ended. */
  private static String valueAfterAll(LocalClickHouse engine, String key) {
    for (int tries = 1; ; tries++) {
      try {
        return value(engine, key);
      } catch (QueryFailed e) {
        assertThat(e.code()).isEqualTo(999);
        assertThat(tries).as("tries to read").isLessThan(100);
      }
    }
  }

  private static boolean isDone(Runnable statement) {
    try {
      statement.run();
      return true;
    } catch (QueryFailed e) {
      assertThat(e.code()).isEqualTo(999);
      return false;
    }
  }

  /** The numbers of the threads whose attempt was true. */
  private static List<Integer> atOnce(IntFunction<Boolean> attempt) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      CyclicBarrier start = new CyclicBarrier(THREADS);
      List<Callable<Boolean>> attempts = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        attempts.add(
            () -> {
              start.await();
              return attempt.apply(thread);
            });
      }
      List<Integer> done = new ArrayList<>();
      List<Future<Boolean>> outcomes = pool.invokeAll(attempts);
      for (int i = 0; i < THREADS; i++) {
        if (outcomes.get(i).get()) {
          done.add(i);
        }
      }
      return done;
    } finally {
      pool.shutdownNow();
    }
  }
}
