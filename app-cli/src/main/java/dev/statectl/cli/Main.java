package dev.statectl.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;

/** The process {@code statectl}. */
public final class Main {
  private Main() {}

  /**
   * Runs a command line and ends the JVM with its exit code.
   *
   * @param args the command line, without the command's own name
   */
  public static void main(String[] args) {
    // Always UTF-8: what is piped into another program must not depend on the locale.
    PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    ConsoleTerminal terminal = new ConsoleTerminal(System.in, err);
    int code =
        Launcher.run(
            args,
            new ProcessContext(
                System.in,
                new FileOutputStream(FileDescriptor.out),
                err,
                System.getenv(),
                Path.of("").toAbsolutePath(),
                terminal,
                new JvmStopSignals(),
                ProcessOwner.describe(),
                Clock.systemUTC()));
    err.flush();
    terminal.restore();
    // Not System.exit: from Java 21 on it first sets up logging, to tell of it.
    Runtime.getRuntime().halt(code);
  }
}
