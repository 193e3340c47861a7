package dev.statectl.cli.settings;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Percent-decoding of a part of a URI (<a
 * href="https://www.rfc-editor.org/rfc/rfc3986#section-2.1">RFC 3986, 2.1</a>): UTF-8, and a plus
 * sign is a plus sign.
 */
final class PercentDecoding {
  /** A percent sign that starts no encoded character. */
  static final class MalformedEncoding extends Exception {
    private static final long serialVersionUID = 1L;

    private final int index;

    private MalformedEncoding(int index) {
      super("malformed percent-encoding");
      this.index = index;
    }

    /** Where in the text the percent sign stands. */
    int index() {
      return index;
    }
  }

  private PercentDecoding() {}

  static String decode(String text) throws MalformedEncoding {
    StringBuilder result = new StringBuilder();
    int i = 0;
    while (i < text.length()) {
      if (text.charAt(i) != '%') {
        result.append(text.charAt(i));
        i++;
        continue;
      }
      int start = i;
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (; i < text.length() && text.charAt(i) == '%'; i += 3) {
        bytes.write(octet(text, i));
      }
      try {
        result.append(
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())));
      } catch (CharacterCodingException e) {
        throw new MalformedEncoding(start);
      }
    }
    return result.toString();
  }

  private static int octet(String text, int index) throws MalformedEncoding {
    int high = index + 2 < text.length() ? hexDigit(text.charAt(index + 1)) : -1;
    int low = index + 2 < text.length() ? hexDigit(text.charAt(index + 2)) : -1;
    if (high < 0 || low < 0) {
      throw new MalformedEncoding(index);
    }
    return high * 16 + low;
  }

  /** Only ASCII digits, unlike {@link Character#digit(char, int)}. */
  private static int hexDigit(char c) {
    return c < 128 ? Character.digit(c, 16) : -1;
  }
}
