package dev.statectl.benchmark;

import dev.statectl.clickhouse.engine.TestClickHouse;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures, prints one table on stdout, and writes it with the raw results and the plots below a
 * directory. What it is doing goes to stderr.
 */
final class Benchmarks {
  /** All there are, in the order of the table. */
  static final List<Group> GROUPS =
      List.of(
          new StatesGroup(),
          new CheckpointsGroup(),
          new ListsGroup(),
          new TransfersGroup(),
          new LocksGroup(),
          new GrowthGroup());

  private Benchmarks() {}

  /**
   * Arguments: the directory for documents, then {@code --quick} (or {@code --smoke}) and names of
   * groups.
   */
  public static void main(String[] arguments) throws Exception {
    List<String> names = new ArrayList<>(List.of(arguments));
    Path docs = Path.of(names.remove(0));
    Scale scale = names.remove("--quick") ? Scale.QUICK : Scale.FULL;
    scale = names.remove("--smoke") ? Scale.SMOKE : scale;
    for (String name : names) {
      if (GROUPS.stream().noneMatch(group -> group.name().equals(name))) {
        System.err.println(
            "There is no group '"
                + name
                + "'. There are: "
                + String.join(", ", GROUPS.stream().map(Group::name).toList())
                + ", json, start");
        System.exit(2);
      }
    }
    List<Group> chosen =
        GROUPS.stream().filter(g -> names.isEmpty() || names.contains(g.name())).toList();
    Report report = run(scale, chosen, System.err);
    System.out.print(report.markdown());
    report.write(docs);
    System.exit(0);
  }

  /** Runs groups one after the other. */
  static Report run(Scale scale, List<Group> groups, PrintStream progress) throws Exception {
    TestClickHouse clickHouse = TestClickHouse.shared();
    Report report = new Report(environment(clickHouse, scale), progress);
    long start = System.nanoTime();
    for (Group group : groups) {
      report.begin(group);
      long begun = System.nanoTime();
      group.run(new Bench(clickHouse, scale, report));
      report.end(group, Math.round((System.nanoTime() - begun) / 1e9));
    }
    report.environment("seconds", Math.round((System.nanoTime() - start) / 1e9));
    return report;
  }

  private static Map<String, Object> environment(TestClickHouse clickHouse, Scale scale) {
    Map<String, Object> environment = new LinkedHashMap<>();
    environment.put("ClickHouse", clickHouse.version());
    environment.put("clickhouse-jdbc", BareDriver.version(clickHouse.endpoint()));
    environment.put("Java", Runtime.version().toString());
    environment.put("on", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    environment.put("processors", Runtime.getRuntime().availableProcessors());
    environment.put("GB of memory", gigabytes());
    environment.put(
        "load",
        String.format(
            Locale.ROOT,
            "%.1f",
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
    environment.put("commit", System.getProperty("statectl.commit", "unknown"));
    environment.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    environment.put("scale", scale.name().toLowerCase(Locale.ROOT));
    return environment;
  }

  private static long gigabytes() {
    return Math.round(
        ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getTotalMemorySize()
            / 1e9);
  }
}
