package dev.statectl.clickhouse;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request or an answer.
 *
 * @param head the first line and the headers
 * @param raw all bytes as they came
 * @param body the body without the frames of its chunks
 */
record HttpMessage(String head, byte[] raw, byte[] body) {
  private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");
  private static final Pattern CHUNKED = Pattern.compile("(?i)\r\ntransfer-encoding: *chunked");

  /** Reads a whole message; null when there is none. */
  static @Nullable HttpMessage read(InputStream in) throws IOException {
    ByteArrayOutputStream raw = new ByteArrayOutputStream();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    String head = readUntil(in, raw, "\r\n\r\n");
    if (head.isEmpty()) {
      return null;
    }
    Matcher length = LENGTH.matcher(head);
    if (length.find()) {
      byte[] bytes = in.readNBytes(Integer.parseInt(length.group(1)));
      raw.write(bytes);
      body.write(bytes);
    } else if (CHUNKED.matcher(head).find()) {
      int size;
      do {
        size = Integer.parseInt(readUntil(in, raw, "\r\n").strip(), 16);
        byte[] bytes = in.readNBytes(size + 2);
        raw.write(bytes);
        body.write(bytes, 0, size);
      } while (size > 0);
    }
    return new HttpMessage(head, raw.toByteArray(), body.toByteArray());
  }

  /** The same with another body. */
  HttpMessage withText(String text) {
    byte[] changed = text.getBytes(StandardCharsets.UTF_8);
    String length = "\r\nContent-Length: " + changed.length;
    String changedHead =
        LENGTH.matcher(head).find()
            ? LENGTH.matcher(head).replaceFirst(length)
            : CHUNKED.matcher(head).replaceFirst(length);
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.writeBytes(changedHead.getBytes(StandardCharsets.ISO_8859_1));
    whole.writeBytes(changed);
    return new HttpMessage(changedHead, whole.toByteArray(), changed);
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  private static String readUntil(InputStream in, ByteArrayOutputStream copy, String end)
      throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.length() < end.length()
        || !text.substring(text.length() - end.length()).equals(end)) {
      int next = in.read();
      if (next < 0) {
        return "";
      }
      copy.write(next);
      text.append((char) next);
    }
    return text.toString();
  }
}
