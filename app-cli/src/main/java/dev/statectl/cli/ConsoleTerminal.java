package dev.statectl.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The terminal of the process, if it has one. Questions go to standard error: standard output is
 * for data, and may be a file while somebody sits at the terminal.
 */
final class ConsoleTerminal implements Terminal {
  private final PrintStream err;
  private final BufferedReader lines;
  private @Nullable Boolean interactive;

  ConsoleTerminal(InputStream in, PrintStream err) {
    this.err = err;
    this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  // Asked once, and only by who needs to know.
  @Override
  public synchronized boolean isInteractive() {
    if (interactive == null) {
      interactive = StandardStream.IN.isTerminal() && StandardStream.ERR.isTerminal();
    }
    return interactive;
  }

  @Override
  public boolean showsOutput() {
    return StandardStream.OUT.isTerminal();
  }

  @Override
  public boolean showsMessages() {
    return StandardStream.ERR.isTerminal();
  }

  @Override
  public @Nullable String ask(String question) {
    if (!isInteractive()) {
      throw new IllegalStateException("no terminal");
    }
    err.print(question);
    err.flush();
    try {
      String line = lines.readLine();
      if (line == null) {
        // Ctrl-D leaves the cursor behind the question.
        err.print("\n");
      }
      return line;
    } catch (IOException e) {
      return null;
    }
  }
}
