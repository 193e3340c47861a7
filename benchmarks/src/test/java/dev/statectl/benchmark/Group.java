package dev.statectl.benchmark;

/** Benchmarks that belong together, and can be run alone. */
interface Group {
  /** What the command calls it: one word. */
  String name();

  /** What the table calls it. */
  String title();

  /** Measures, and adds rows to the report. */
  void run(Bench bench) throws Exception;
}
