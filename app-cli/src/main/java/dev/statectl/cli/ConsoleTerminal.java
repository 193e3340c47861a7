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
  private volatile boolean hiding;

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

  // Not by java.io.Console, which there is only where standard output is a terminal, too.
  @Override
  public @Nullable String askSecret(String question) {
    if (!isInteractive()) {
      throw new IllegalStateException("no terminal");
    }
    Thread restoring = new Thread(() -> stty("echo"), "echo");
    Runtime.getRuntime().addShutdownHook(restoring);
    hiding = true;
    if (!stty("-echo")) {
      hiding = false;
      throw new CommandFailure(
          ExitCode.FAILURE,
          "the terminal cannot be kept from showing what is typed: stty failed; nothing was"
              + " changed");
    }
    try {
      String line = ask(question);
      if (line != null) {
        err.print("\n");
      }
      return line;
    } finally {
      stty("echo");
      hiding = false;
      Runtime.getRuntime().removeShutdownHook(restoring);
    }
  }

  /** Shows again what is typed, if nobody waits any more for a secret that was asked for. */
  void restore() {
    if (hiding) {
      stty("echo");
    }
  }

  // https://pubs.opengroup.org/onlinepubs/9799919799/utilities/stty.html
  private static boolean stty(String setting) {
    try {
      return new ProcessBuilder("stty", setting)
              .redirectInput(ProcessBuilder.Redirect.INHERIT)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
