package dev.statectl.clickhouse;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an answer, one after the other, as the format {@code RowBinaryWithNamesAndTypes} has
 * them. The driver's own reader makes an object and a look-up of each value, which for lists of
 * many rows costs several times what the server needs for them. It knows the types that our
 * statements give. Not thread-safe.
 *
 * @see <a href="https://clickhouse.com/docs/interfaces/formats/RowBinaryWithNamesAndTypes">the
 *     format</a>
 */
final class Row {
  private static final int BUFFER_BYTES = 64 * 1024;
  // Each wait for the server has a timer of its own, which costs as much as some hundred rows.
  private static final int LARGE_BUFFER_BYTES = 8 * BUFFER_BYTES;

  /** A value of a row is a text or a number of so many bytes; null where it may be. */
  private record Column(String name, boolean nullable, Kind kind, int bytes) {
    private static final String LOW_CARDINALITY = "LowCardinality(";
    private static final String NULLABLE = "Nullable(";

    static Column of(String name, String type) throws UnknownTypeException {
      // Written as its values are. https://clickhouse.com/docs/interfaces/formats/RowBinary
      String plain = without(LOW_CARDINALITY, type);
      String base = without(NULLABLE, plain);
      boolean nullable = !base.equals(plain);
      return switch (base) {
        case "String" -> new Column(name, nullable, Kind.TEXT, 0);
        case "UInt8", "Int8" -> new Column(name, nullable, Kind.NUMBER, 1);
        case "UInt16", "Int16" -> new Column(name, nullable, Kind.NUMBER, 2);
        case "UInt32", "Int32" -> new Column(name, nullable, Kind.NUMBER, 4);
        case "UInt64", "Int64" -> new Column(name, nullable, Kind.NUMBER, 8);
        default -> throw new UnknownTypeException(name, type);
      };
    }

    private static String without(String wrapper, String type) {
      return type.startsWith(wrapper) ? type.substring(wrapper.length(), type.length() - 1) : type;
    }
  }

  private enum Kind {
    TEXT,
    NUMBER
  }

  /** A column is of a type that no statement of ours gives on tables of the expected form. */
  static final class UnknownTypeException extends IOException {
    private static final long serialVersionUID = 1L;

    private UnknownTypeException(String column, String type) {
      super("the column " + column + " is of type " + type);
    }
  }

  private final InputStream in;
  private byte[] buffer = new byte[BUFFER_BYTES];
  private int position;
  private int limit;
  private Column[] columns = {};
  private @Nullable String[] texts = {};
  private long[] numbers = {};

  /**
   * Rows that are read from an answer.
   *
   * @param in the answer, without compression; it is read in large pieces, as large as it gives
   *     them, and not closed
   */
  Row(InputStream in) {
    this.in = in;
  }

  /**
   * Goes to the next row; the names and types of the columns come before the first.
   *
   * @return false when there is none
   * @throws EOFException when the answer ends within a row
   * @throws UnknownTypeException when a column is of a type that is not known here
   */
  boolean next() throws IOException {
    if (position == limit && !refill()) {
      if (columns.length == 0) {
        throw new EOFException("the answer has no columns");
      }
      return false;
    }
    if (columns.length == 0) {
      readColumns();
      if (position == limit && !refill()) {
        return false;
      }
    }
    for (int i = 0; i < columns.length; i++) {
      Column column = columns[i];
      boolean isNull = column.nullable && readNumber(1) == 1;
      if (column.kind == Kind.TEXT) {
        texts[i] = isNull ? null : readText();
      } else {
        numbers[i] = isNull ? 0 : readNumber(column.bytes);
      }
    }
    return true;
  }

  /** The text in a column of this row. */
  String text(String column) {
    String text = textOrNull(column);
    if (text == null) {
      throw new IllegalArgumentException("the column " + column + " is null");
    }
    return text;
  }

  /** The text in a column of this row, which may be null. */
  @Nullable String textOrNull(String column) {
    int i = indexOf(column);
    return columns[i].kind == Kind.TEXT ? texts[i] : Long.toString(numbers[i]);
  }

  /** The number in a column of this row; 0 for null. */
  long number(String column) {
    int i = indexOf(column);
    if (columns[i].kind != Kind.NUMBER) {
      throw new IllegalArgumentException("the column " + column + " is no number");
    }
    return numbers[i];
  }

  private int indexOf(String column) {
    for (int i = 0; i < columns.length; i++) {
      // Names are constants of the code, and those of the answer are interned, too.
      if (columns[i].name == column || columns[i].name.equals(column)) {
        return i;
      }
    }
    throw new IllegalArgumentException("the answer has no column " + column);
  }

  private void readColumns() throws IOException {
    int count = readLength();
    String[] names = new String[count];
    for (int i = 0; i < count; i++) {
      names[i] = readText().intern();
    }
    Column[] read = new Column[count];
    for (int i = 0; i < count; i++) {
      read[i] = Column.of(names[i], readText());
    }
    columns = read;
    texts = new String[count];
    numbers = new long[count];
  }

  private String readText() throws IOException {
    int length = readLength();
    if (length <= limit - position) {
      String text = new String(buffer, position, length, StandardCharsets.UTF_8);
      position += length;
      return text;
    }
    if (length <= BUFFER_BYTES) {
      require(length);
      String text = new String(buffer, position, length, StandardCharsets.UTF_8);
      position += length;
      return text;
    }
    return readLongText(length);
  }

  // Grows with what arrives, so that a length that is wrong takes no memory by itself.
  private String readLongText(int length) throws IOException {
    byte[] bytes = new byte[Math.min(length, 16 * BUFFER_BYTES)];
    int have = limit - position;
    System.arraycopy(buffer, position, bytes, 0, have);
    position = limit;
    while (have < length) {
      if (have == bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * bytes.length));
      }
      int read = in.read(bytes, have, bytes.length - have);
      if (read < 0) {
        throw endsWithinRow();
      }
      have += read;
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  // Little-endian; what is unsigned has no more than 63 bits in our statements.
  private long readNumber(int bytes) throws IOException {
    require(bytes);
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      number |= (buffer[position + i] & 0xFFL) << (8 * i);
    }
    position += bytes;
    return number;
  }

  // LEB128. A text has fewer than 2^31 bytes, so that it may become one of Java.
  private int readLength() throws IOException {
    long length = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      long next = readNumber(1);
      length |= (next & 0x7F) << shift;
      if (next < 0x80) {
        if (length > Integer.MAX_VALUE - 8) {
          break;
        }
        return (int) length;
      }
    }
    throw new IOException("the answer has a length that is too large");
  }

  private void require(int bytes) throws IOException {
    while (limit - position < bytes) {
      if (position > 0) {
        System.arraycopy(buffer, position, buffer, 0, limit - position);
        limit -= position;
        position = 0;
      }
      int read = in.read(buffer, limit, buffer.length - limit);
      if (read < 0) {
        throw endsWithinRow();
      }
      limit += read;
    }
  }

  private boolean refill() throws IOException {
    if (limit == buffer.length && buffer.length < LARGE_BUFFER_BYTES) {
      buffer = new byte[LARGE_BUFFER_BYTES];
    }
    position = 0;
    limit = 0;
    int read;
    do {
      read = in.read(buffer, 0, buffer.length);
    } while (read == 0);
    limit = Math.max(read, 0);
    return read > 0;
  }

  private static EOFException endsWithinRow() {
    return new EOFException("the answer ends within a row");
  }
}
