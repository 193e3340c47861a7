package dev.statectl.cli;

import java.io.IOException;
import java.util.Locale;

/** Standard output takes no more. */
final class OutputFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean readerGone;

  OutputFailure(IOException cause) {
    super("cannot write to standard output: " + cause.getMessage(), cause);
    // The JDK has no type for it; the text is that of the C library, translated ones keep the words
    // in brackets.
    this.readerGone =
        String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT).contains("broken pipe");
  }

  /** The program at the other end of the pipe has read what it wanted and is gone. */
  boolean readerGone() {
    return readerGone;
  }
}
