package dev.statectl.benchmark.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Reads and merges states of several sizes; {@link JsonBenchmarkRun} runs it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgs = "-Xmx2g")
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class JsonBenchmark {
  /** How long the state is, or what it holds. */
  @Param({"1 KB", "100 KB", "1 MB", "5 MB", "50 MB", "12,000 keys"})
  public String document = "";

  /** Who does it. */
  @Param({"STATECTL", "JACKSON"})
  public String by = "";

  private JsonWork work = JsonWork.STATECTL;
  private StateDocuments.Pair pair = new StateDocuments.Pair("", "");

  /** Makes the documents. */
  @Setup
  public void makeDocuments() {
    work = JsonWork.valueOf(by);
    pair = StateDocuments.named(document);
  }

  /** Reads one state. */
  @Benchmark
  public Object read() throws JsonProcessingException {
    return work.read(pair.stored());
  }

  /** Reads two states, merges them and gives the text. */
  @Benchmark
  public String merge() throws JsonProcessingException {
    return work.merge(pair.stored(), pair.written());
  }
}
