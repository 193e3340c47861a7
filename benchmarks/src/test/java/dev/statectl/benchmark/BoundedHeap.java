package dev.statectl.benchmark;

import com.sun.management.GarbageCollectionNotificationInfo;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.state.State;
import dev.statectl.state.StateIdGlob;
import dev.statectl.usecase.ImportStates;
import dev.statectl.usecase.StateSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** Work on very many states in a JVM with a heap of 64 MB. */
final class BoundedHeap {
  private static final String HEAP = "64m";
  private static final int MINUTES = 10;

  /** What is done there. */
  enum Work {
    LIST("list %s ids"),
    WALK("walk %s states of 1 KB"),
    EXPORT("export %s states of 1 KB"),
    IMPORT("import %s states of 1 KB");

    private final String name;

    Work(String name) {
      this.name = name;
    }
  }

  private BoundedHeap() {}

  /** Runs it in a JVM of its own, and adds its heap to the report; fails where the JVM does. */
  static void run(Bench bench, String schema, Work work, int ids) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + HEAP,
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                BoundedHeap.class.getName(),
                work.name(),
                schema,
                Integer.toString(ids))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    ClickHouseEndpoint server = bench.clickHouse().endpoint();
    try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
      for (Object part :
          new Object[] {
            server.host(), server.port(), server.user(), server.password(), server.database()
          }) {
        in.write(part + "\n");
      }
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IllegalStateException(
          work + " of " + ids + " states does not work with a heap of " + HEAP + ": " + said);
    }
    String[] words = said.strip().split(" ");
    double seconds = Double.parseDouble(words[0]);
    double used = Long.parseLong(words[1]) / 1e6;
    double live = Long.parseLong(words[2]) / 1e6;
    bench
        .report()
        .add(
            Row.of(String.format(work.name, Bench.count(ids)) + ", heap of 64 MB")
                .value(Math.round(used) + " MB at most")
                .fact("MB live after a collection, at most", live)
                .fact("seconds", seconds)
                .fact("rows/s", Math.round(ids / seconds))
                .note("a JVM with -Xmx" + HEAP));
  }

  /** Arguments: the work, the schema, how many states. Stdin: where the server is, and as whom. */
  public static void main(String[] arguments) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String host = in.readLine();
    int port = Integer.parseInt(in.readLine());
    ClickHouseEndpoint server =
        new ClickHouseEndpoint(host, port, false, in.readLine(), in.readLine(), in.readLine());
    AtomicLong used = new AtomicLong();
    AtomicLong live = new AtomicLong();
    watch(used, live);
    long start = System.nanoTime();
    try (Store store = Store.open(server, arguments[1], Store.Way.NONE)) {
      long rows = work(store, Work.valueOf(arguments[0]), Integer.parseInt(arguments[2]));
      if (rows != Integer.parseInt(arguments[2])) {
        throw new IllegalStateException("met " + rows + " states, not " + arguments[2]);
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    used.accumulateAndGet(
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(), Math::max);
    System.gc();
    live.accumulateAndGet(
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(), Math::max);
    System.out.println(seconds + " " + used + " " + live);
    System.exit(0);
  }

  private static long work(Store store, Work work, int ids) {
    AtomicLong rows = new AtomicLong();
    switch (work) {
      case LIST -> store.list().list(StateIdGlob.ALL, id -> rows.incrementAndGet());
      case WALK -> store.states().forEachState(StateIdGlob.ALL, state -> rows.incrementAndGet());
      case EXPORT ->
          rows.set(
              store
                  .export()
                  .export(
                      StateIdGlob.ALL,
                      text -> {},
                      failure -> {
                        throw failure;
                      })
                  .exported());
      case IMPORT -> {
        StateSource source = action -> generate(ids, action);
        ImportStates.Result result =
            store
                .imports()
                .run(
                    source,
                    ImportStates.IfExists.OVERWRITE,
                    (id, failure) -> {
                      throw failure;
                    },
                    () -> false);
        rows.set(result.created() + result.updated());
      }
    }
    return rows.get();
  }

  private static void generate(int ids, java.util.function.Consumer<? super State> action) {
    for (int i = 0; i < ids; i++) {
      action.accept(Documents.completed(Documents.id(i), Documents.ofSize(1_000, i)));
    }
  }

  /** The heap is fullest right before a collection; what is left right after one is needed. */
  private static void watch(AtomicLong used, AtomicLong live) {
    Set<String> heap =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getName)
            .collect(Collectors.toSet());
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      ((NotificationEmitter) collector)
          .addNotificationListener(
              (notification, handback) -> {
                GarbageCollectionNotificationInfo info =
                    GarbageCollectionNotificationInfo.from(
                        (CompositeData) notification.getUserData());
                used.accumulateAndGet(
                    sum(info.getGcInfo().getMemoryUsageBeforeGc(), heap), Math::max);
                live.accumulateAndGet(
                    sum(info.getGcInfo().getMemoryUsageAfterGc(), heap), Math::max);
              },
              notification ->
                  notification
                      .getType()
                      .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION),
              null);
    }
  }

  private static long sum(Map<String, MemoryUsage> pools, Set<String> heap) {
    return pools.entrySet().stream()
        .filter(pool -> heap.contains(pool.getKey()))
        .mapToLong(pool -> pool.getValue().getUsed())
        .sum();
  }
}
