package dev.statectl.cli;

import dev.statectl.lock.LockTerms;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateIdGlob;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Unit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/**
 * The states and their locks as metrics in Prometheus' text format.
 *
 * @see <a href="https://prometheus.io/docs/instrumenting/exposition_formats/">Prometheus'
 *     exposition formats</a>
 */
final class StateMetrics {
  private final BackendComponent component;

  StateMetrics(BackendComponent component) {
    this.component = component;
  }

  void print(StateIdGlob glob, DataOutput out) throws IOException {
    Instant now = component.backend().now();
    GaugeSnapshot.Builder ages =
        gauge("statectl_state_age_seconds", "Time since the state was stored.").unit(Unit.SECONDS);
    GaugeSnapshot.Builder sizes =
        gauge("statectl_state_size_bytes", "Length of the state.").unit(Unit.BYTES);
    long[] counts = {0, 0};
    component
        .states()
        .forEachState(
            glob,
            stored -> {
              counts[0]++;
              if (stored instanceof StoredState.Readable readable) {
                State state = readable.state();
                Labels id = Labels.of("id", state.id().text());
                ages.dataPoint(point(id, age(state.version().updatedAt(), now)));
                sizes.dataPoint(point(id, state.utf8Length()));
              } else {
                counts[1]++;
              }
            });
    GaugeSnapshot.Builder lockAges =
        gauge("statectl_lock_age_seconds", "Time since the lock was taken or renewed.")
            .unit(Unit.SECONDS);
    LockTerms terms = component.locking().terms();
    long[] locks = {0};
    component
        .locks()
        .forEach(
            glob,
            row -> {
              if (!row.isStale(terms)) {
                locks[0]++;
                Labels labels = Labels.of("id", row.id().text(), "lock_id", row.lockId().text());
                lockAges.dataPoint(point(labels, row.age().toSeconds()));
              }
            });
    MetricSnapshots metrics =
        MetricSnapshots.of(
            total("statectl_states", "Number of states.", counts[0]),
            total("statectl_states_unreadable", "Number of states that cannot be read.", counts[1]),
            ages.build(),
            sizes.build(),
            total("statectl_locks_held", "Number of locks that are held or asked for.", locks[0]),
            lockAges.build());
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(text, metrics);
    out.append(text.toString(StandardCharsets.UTF_8));
  }

  private static GaugeSnapshot.Builder gauge(String name, String help) {
    return GaugeSnapshot.builder().name(name).help(help);
  }

  private static GaugeSnapshot total(String name, String help, long count) {
    return gauge(name, help).dataPoint(point(Labels.EMPTY, count)).build();
  }

  private static GaugeSnapshot.GaugeDataPointSnapshot point(Labels labels, double value) {
    return GaugeSnapshot.GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
  }

  private static double age(Instant since, Instant now) {
    return Math.max(0, Duration.between(since, now).toMillis() / 1000.0);
  }
}
