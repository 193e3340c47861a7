package dev.statectl.contract;

import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that begin their work together; nothing waits but for their end. */
final class Threads implements AutoCloseable {
  // Far more than any store needs; only one that blocks itself takes so long.
  private static final int PATIENCE_SECONDS = 120;

  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final ExecutorService pool = Executors.newCachedThreadPool(this::thread);
  private final CountDownLatch start = new CountDownLatch(1);
  private final List<Future<?>> work = new ArrayList<>();

  private Thread thread(Runnable worker) {
    Thread thread = new Thread(worker);
    threads.add(thread);
    return thread;
  }

  void add(Runnable task) {
    work.add(
        pool.submit(
            () -> {
              start.await();
              task.run();
              return null;
            }));
  }

  void start() {
    start.countDown();
  }

  boolean running() {
    return work.stream().anyMatch(task -> !task.isDone());
  }

  /** Waits until all have ended, and fails when one has failed. */
  void join() throws InterruptedException {
    try {
      for (Future<?> task : work) {
        task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
    } catch (TimeoutException e) {
      fail("a thread that uses the store has not ended after " + PATIENCE_SECONDS + " s", e);
    } catch (ExecutionException e) {
      fail("a thread that uses the store failed: " + e.getCause(), e.getCause());
    }
    close();
  }

  /** Ends what has not ended, so that the backend can be closed behind it. */
  @Override
  public void close() {
    pool.shutdownNow();
    try {
      pool.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
      for (Thread thread : threads) {
        thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
