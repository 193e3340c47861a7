package dev.statectl.state.planted;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Planted: every way to wait. */
final class Waits {
  void sleep() throws InterruptedException {
    Thread.sleep(1);
  }

  void unit() throws InterruptedException {
    TimeUnit.SECONDS.sleep(1);
  }

  void park() {
    LockSupport.park();
  }

  void join(Thread thread) throws InterruptedException {
    thread.join();
  }

  synchronized void waitHere() throws InterruptedException {
    wait();
  }
}
