package dev.statectl.cli;

import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Asks a person. A signal ends the question, as nothing else would: the thread that reads from a
 * terminal cannot be interrupted. So a daemon reads, and is left behind.
 */
final class Prompt {
  private final Terminal terminal;
  private final StopSignals signals;
  private final Diagnostics diagnostics;

  Prompt(Terminal terminal, StopSignals signals, Diagnostics diagnostics) {
    this.terminal = terminal;
    this.signals = signals;
    this.diagnostics = diagnostics;
  }

  /** Tells whether a person can be asked. */
  boolean isPossible() {
    return terminal.isInteractive();
  }

  /**
   * Asks a question and waits for the line that answers it.
   *
   * @param question what is asked, with all that stands in front of the answer
   * @return the line, or null at the end of input
   * @throws Stopped when a signal came first
   */
  @Nullable String ask(String question) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    StopSignals.Registration taken =
        signals.take(signal -> answer.completeExceptionally(new Stopped(signal)));
    try (taken) {
      Thread reader = new Thread(() -> read(question, answer), "prompt");
      reader.setDaemon(true);
      reader.start();
      return answer.join().line();
    } catch (CompletionException e) {
      if (e.getCause() instanceof Stopped stopped) {
        // The terminal shows ^C behind the question.
        diagnostics.endLine();
        throw stopped;
      }
      throw e;
    }
  }

  /**
   * Asks a question that is answered by yes or no.
   *
   * @param question what is asked, with all that stands in front of the answer
   * @param onEnter what an empty line means; the end of input means no
   * @return true for yes; anything else is a no
   * @throws Stopped when a signal came first
   */
  boolean agrees(String question, boolean onEnter) {
    String answer = ask(question);
    if (answer == null) {
      return false;
    }
    return switch (answer.strip().toLowerCase(Locale.ROOT)) {
      case "" -> onEnter;
      case "y", "yes" -> true;
      default -> false;
    };
  }

  private void read(String question, CompletableFuture<Answer> answer) {
    try {
      answer.complete(new Answer(terminal.ask(PrintableText.escaped(question))));
    } catch (RuntimeException | Error e) {
      answer.completeExceptionally(e);
    }
  }

  private record Answer(@Nullable String line) {}
}
