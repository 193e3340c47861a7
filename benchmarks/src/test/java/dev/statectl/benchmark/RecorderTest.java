package dev.statectl.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.json.JsonObject;
import dev.statectl.state.StateId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class RecorderTest {
  /** What belongs to a connection and not to what is asked. */
  private static final Set<String> OF_THE_CONNECTION =
      Set.of("connection", "content-length", "host", "transfer-encoding");

  private static final StateId ID = Documents.id(7);

  private final TestClickHouse clickHouse = TestClickHouse.shared();

  @Test
  void whatIsSentAgainIsWhatWasRecorded() {
    List<RecordedRequest> recorded = recordedSaves();
    assertThat(recorded).hasSizeGreaterThanOrEqualTo(3);

    try (Recorder second = Recorder.of(clickHouse.endpoint())) {
      BareHttp http = new BareHttp(second.endpoint());
      http.send(recorded.stream().map(http::prepared).toList());

      List<RecordedRequest> again = second.take();
      assertThat(again).hasSameSizeAs(recorded);
      for (int i = 0; i < again.size(); i++) {
        assertThat(again.get(i).target()).isEqualTo(recorded.get(i).target());
        assertThat(again.get(i).body()).isEqualTo(recorded.get(i).body());
        assertThat(headers(again.get(i))).isEqualTo(headers(recorded.get(i)));
      }
    }
  }

  @Test
  void theDriverRunsWhatWasRecorded() {
    String schema = clickHouse.freshSchema();
    JsonObject document = JsonObject.parse("{\"quote\": \"it's {fn now()} \\\\ ?\"}");
    List<BareDriver.Prepared> statements;
    try (Recorder recorder = Recorder.of(clickHouse.endpoint());
        Store store = Store.open(recorder.endpoint(), schema, Store.Way.NONE)) {
      store.states().save(Documents.completed(ID, document));
      recorder.take();
      store.states().save(Documents.completed(ID, document));
      statements = recorder.take().stream().map(r -> BareDriver.prepared(r).orElseThrow()).toList();
      store.states().delete(ID);
    }

    try (BareDriver driver = new BareDriver(clickHouse.endpoint());
        Store store = Store.open(clickHouse.endpoint(), schema, Store.Way.NONE)) {
      driver.run(statements);

      assertThat(store.get().get(ID).completed()).isEqualTo(document);
    }
  }

  @Test
  void bytesAreThoseOnTheWire() {
    List<RecordedRequest> recorded = recordedSaves();

    assertThat(recorded)
        .allSatisfy(
            request -> {
              assertThat(request.bytesSent()).isGreaterThan(request.body().length + 100);
              assertThat(request.bytesReceived()).isGreaterThan(100);
            });
  }

  @Test
  void aRequestThatIsRefusedIsAFailureAndNoTime() {
    RecordedRequest wrong = new RecordedRequest("/?query=SELEC", List.of(), new byte[0], "", 0, 0);
    BareHttp http = new BareHttp(clickHouse.endpoint());

    assertThatThrownBy(() -> http.send(List.of(http.prepared(wrong))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("ClickHouse answered a request that was recorded with 4");
  }

  private List<RecordedRequest> recordedSaves() {
    try (Recorder recorder = Recorder.of(clickHouse.endpoint());
        Store store = Store.open(recorder.endpoint(), clickHouse.freshSchema(), Store.Way.NONE)) {
      store.states().save(Documents.completed(ID, Documents.ofSize(1_000, 1)));
      recorder.take();
      store.states().save(Documents.completed(ID, Documents.ofSize(100_000, 2)));
      store.get().get(ID);
      return recorder.take();
    }
  }

  private static Map<String, String> headers(RecordedRequest request) {
    Map<String, String> headers = new TreeMap<>();
    request.headers().forEach(h -> headers.put(h.getKey().toLowerCase(Locale.ROOT), h.getValue()));
    headers.keySet().removeAll(OF_THE_CONNECTION);
    return headers;
  }
}
