package dev.statectl.cli;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/**
 * Standard output, in UTF-8. Every method throws {@link OutputFailure} when it cannot write; after
 * that nothing more is written.
 */
final class DataOutput implements Appendable {
  private final Writer writer;
  private boolean failed;

  DataOutput(OutputStream out) {
    this.writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
  }

  @Override
  public DataOutput append(CharSequence text) {
    return append(text, 0, text.length());
  }

  @Override
  public DataOutput append(CharSequence text, int start, int end) {
    try {
      writer.append(text, start, end);
      return this;
    } catch (IOException e) {
      throw failure(e);
    }
  }

  @Override
  public DataOutput append(char c) {
    try {
      writer.append(c);
      return this;
    } catch (IOException e) {
      throw failure(e);
    }
  }

  void line(String text) {
    append(text).append('\n');
  }

  /** Writes what is kept back. Does nothing after a failure, which was reported then. */
  void flush() {
    if (failed) {
      return;
    }
    try {
      writer.flush();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private OutputFailure failure(IOException cause) {
    failed = true;
    return new OutputFailure(cause);
  }
}
