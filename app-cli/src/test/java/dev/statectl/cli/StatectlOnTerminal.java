package dev.statectl.cli;

import java.nio.file.Path;
import java.time.Clock;

/** The process {@code statectl} with a person who watches it and gives no answer. */
final class StatectlOnTerminal {
  private StatectlOnTerminal() {}

  public static void main(String[] args) {
    Terminal watched =
        new Terminal() {
          @Override
          public boolean isInteractive() {
            return true;
          }

          @Override
          public String ask(String question) {
            return "";
          }

          @Override
          public String askSecret(String question) {
            return ask(question);
          }
        };
    System.exit(
        Launcher.run(
            args,
            new ProcessContext(
                System.in,
                System.out,
                System.err,
                System.getenv(),
                Path.of("").toAbsolutePath(),
                watched,
                new JvmStopSignals(),
                ProcessOwner.describe(),
                Clock.systemUTC())));
  }
}
