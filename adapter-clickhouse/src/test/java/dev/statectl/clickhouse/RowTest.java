package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows as the engine writes them, in pieces of every size. */
class RowTest {
  private static final String TYPES =
      """
      SELECT
          concat('é', repeat('x', n)) AS text,
          if(n % 2 = 0, NULL, repeat('yz', n)) AS may_be_null,
          toLowCardinality(concat('low', toString(n % 3))) AS low,
          CAST(if(n % 2 = 0, NULL, 'x'), 'LowCardinality(Nullable(String))') AS low_null,
          toUInt8(n % 2) AS small,
          toNullable(toUInt8(n % 2)) AS small_null,
          toUInt32(n * 1000000) AS medium,
          toInt64(n) * -1000000000000 AS large
      FROM (SELECT arrayJoin(<numbers>) AS n)
      """;

  private static byte[] answer(String sql) throws Exception {
    ClickHouseEndpoint engine = TestClickHouse.shared().endpoint();
    String credentials = engine.user() + ":" + engine.password();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + engine.host() + ":" + engine.port() + "/"))
            .header("X-ClickHouse-Format", "RowBinaryWithNamesAndTypes")
            .header(
                "Authorization",
                "Basic "
                    + Base64.getEncoder()
                        .encodeToString(credentials.getBytes(StandardCharsets.UTF_8)))
            .POST(HttpRequest.BodyPublishers.ofString(sql))
            .build();
    HttpResponse<byte[]> response =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());
    assertThat(response.statusCode()).as(() -> new String(response.body())).isEqualTo(200);
    return response.body();
  }

  private static List<String> rows(InputStream in) throws IOException {
    Row row = new Row(in);
    List<String> rows = new ArrayList<>();
    while (row.next()) {
      rows.add(
          row.text("text")
              + ","
              + row.textOrNull("may_be_null")
              + ","
              + row.text("low")
              + ","
              + row.textOrNull("low_null")
              + ","
              + row.number("small")
              + ","
              + row.number("small_null")
              + ","
              + row.number("medium")
              + ","
              + row.number("large"));
    }
    return rows;
  }

  private static String expected(int n) {
    return "é"
        + "x".repeat(n)
        + ","
        + (n % 2 == 0 ? null : "yz".repeat(n))
        + ",low"
        + n % 3
        + ","
        + (n % 2 == 0 ? null : "x")
        + ","
        + n % 2
        + ","
        + n % 2
        + ","
        + n * 1_000_000L % 4_294_967_296L
        + ","
        + n * -1_000_000_000_000L;
  }

  @Test
  void everyTypeOfOurStatementsIsRead() throws Exception {
    byte[] answer = answer(TYPES.replace("<numbers>", "[0, 1, 2, 127, 128, 70000, 300001]"));
    assertThat(rows(new ByteArrayInputStream(answer)))
        .containsExactly(
            expected(0),
            expected(1),
            expected(2),
            expected(127),
            expected(128),
            expected(70_000),
            expected(300_001));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1000, 65_536})
  void thePiecesOfAnAnswerMayBeCutAnywhere(int most) throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    byte[] answer = answer(TYPES.replace("<numbers>", "range(300)"));
    List<String> expected = new ArrayList<>();
    for (int n = 0; n < 300; n++) {
      expected.add(expected(n));
    }
    assertThat(rows(inPieces(answer, random, most))).as("seed " + seed).isEqualTo(expected);
  }

  @Test
  void anAnswerWithoutRowsHasNone() throws Exception {
    assertThat(new Row(new ByteArrayInputStream(answer("SELECT 'a' AS x WHERE 0"))).next())
        .isFalse();
  }

  @Test
  void whatIsCutOffWithinARowIsNoEnd() throws Exception {
    byte[] answer = answer(TYPES.replace("<numbers>", "[1, 2, 200000]"));
    Random random = new Random(5);
    for (int length : new int[] {0, 1, 5, 40, 150, 170, 200, 1000, 100_000, answer.length - 1}) {
      byte[] cut = new byte[length];
      System.arraycopy(answer, 0, cut, 0, length);
      assertThatThrownBy(() -> rows(inPieces(cut, random, 65_536)))
          .as("length " + length)
          .isInstanceOf(EOFException.class);
    }
  }

  @Test
  void aTypeThatIsNotKnownIsNamed() throws Exception {
    Row row = new Row(new ByteArrayInputStream(answer("SELECT toDate(0) AS x")));
    assertThatThrownBy(row::next)
        .isInstanceOf(Row.UnknownTypeException.class)
        .hasMessage("the column x is of type Date");
  }

  @Test
  void aLengthWithoutItsBytesTakesNoMemory() throws Exception {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    answer.write(new byte[] {1, 1, 'x', 6});
    answer.writeBytes("String".getBytes(StandardCharsets.UTF_8));
    answer.write(new byte[] {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 6});
    answer.writeBytes(new byte[100]);
    Row row = new Row(new ByteArrayInputStream(answer.toByteArray()));
    assertThatThrownBy(row::next)
        .isInstanceOf(EOFException.class)
        .hasMessage("the answer ends within a row");
  }

  @Test
  void aColumnThatIsNotThereIsNamed() throws Exception {
    Row row = new Row(new ByteArrayInputStream(answer("SELECT 'a' AS x, 7 AS y")));
    assertThat(row.next()).isTrue();
    assertThat(row.text("y")).isEqualTo("7");
    assertThatThrownBy(() -> row.text("z"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the answer has no column z");
    assertThatThrownBy(() -> row.number("x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the column x is no number");
  }

  private static InputStream inPieces(byte[] bytes, Random random, int most) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] into, int offset, int length) {
        return super.read(into, offset, Math.min(length, 1 + random.nextInt(most)));
      }
    };
  }
}
