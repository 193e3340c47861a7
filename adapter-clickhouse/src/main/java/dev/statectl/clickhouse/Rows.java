package dev.statectl.clickhouse;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an insert, which are written one after the other while they are sent, so that no
 * statement has to hold them. They are text, which a column of another type takes as far as it can
 * be that; a binary format would have to be of the table's very types. May be asked more than once,
 * and writes the same then.
 *
 * @see <a href="https://clickhouse.com/docs/interfaces/formats/TabSeparated">TabSeparated</a>
 */
@FunctionalInterface
interface Rows {

  /** Gives each row to the writer, value by value. */
  void write(Writer writer) throws IOException;

  /** Writes the rows in the format {@code TabSeparated}. */
  default void writeTo(OutputStream out) throws IOException {
    BufferedOutputStream buffered = new BufferedOutputStream(out, 64 * 1024);
    write(new Writer(buffered));
    buffered.flush();
  }

  /** Writes values as the format has them. */
  final class Writer {
    private static final byte[] NULL = {'\\', 'N'};

    private final OutputStream out;
    private boolean inRow;

    private Writer(OutputStream out) {
      this.out = out;
    }

    /** A text, or null. */
    Writer text(@Nullable String text) throws IOException {
      separate();
      if (text == null) {
        out.write(NULL);
      } else {
        escape(text.getBytes(StandardCharsets.UTF_8));
      }
      return this;
    }

    /** A time, in seconds since 1970 with three decimals, so that no time zone has a say. */
    Writer time(Instant time) throws IOException {
      separate();
      long millis = time.toEpochMilli();
      String fraction = Long.toString(1000 + Math.floorMod(millis, 1000L)).substring(1);
      String seconds = Long.toString(Math.floorDiv(millis, 1000L));
      out.write((seconds + "." + fraction).getBytes(StandardCharsets.US_ASCII));
      return this;
    }

    /** Ends a row. */
    void end() throws IOException {
      out.write('\n');
      inRow = false;
    }

    private void separate() throws IOException {
      if (inRow) {
        out.write('\t');
      }
      inRow = true;
    }

    private void escape(byte[] bytes) throws IOException {
      int from = 0;
      for (int i = 0; i < bytes.length; i++) {
        byte letter =
            switch (bytes[i]) {
              case '\\' -> '\\';
              case '\t' -> 't';
              case '\n' -> 'n';
              case '\r' -> 'r';
              default -> 0;
            };
        if (letter != 0) {
          out.write(bytes, from, i - from);
          out.write('\\');
          out.write(letter);
          from = i + 1;
        }
      }
      out.write(bytes, from, bytes.length - from);
    }
  }
}
