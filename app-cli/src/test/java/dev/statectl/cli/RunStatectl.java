package dev.statectl.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs the command within this JVM, as the process would, and returns all that comes of it. */
final class RunStatectl {
  /** Who holds the locks. */
  static final String OWNER = "etl@worker pid 7";

  private final SentSignals signals = new SentSignals();
  private final Path workingDirectory;
  private final Map<String, String> environment = new HashMap<>();
  private final List<String> questions = new ArrayList<>();
  private InputStream in = InputStream.nullInputStream();
  private @Nullable OutputStream out;
  private @Nullable Deque<String> answers;
  private Runnable meanwhile = () -> {};
  private Clock clock = Clock.fixed(Instant.parse("2026-11-29T12:00:00Z"), ZoneOffset.UTC);

  private RunStatectl(Path workingDirectory) {
    this.workingDirectory = workingDirectory;
  }

  /** What a run gave. */
  record Outcome(int code, String out, String err) {}

  /** In a directory, with an empty environment, empty input and no terminal. */
  static RunStatectl in(Path workingDirectory) {
    return new RunStatectl(workingDirectory);
  }

  RunStatectl variable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  RunStatectl input(InputStream stream) {
    in = stream;
    return this;
  }

  RunStatectl input(byte[] bytes) {
    return input(new ByteArrayInputStream(bytes));
  }

  RunStatectl input(String text) {
    return input(text.getBytes(StandardCharsets.UTF_8));
  }

  RunStatectl output(OutputStream stream) {
    out = stream;
    return this;
  }

  /** With a person at a terminal, who gives these answers and then ends the input. */
  RunStatectl answering(String... lines) {
    answers = new ArrayDeque<>(Arrays.asList(lines));
    return this;
  }

  /** Something that happens while the person thinks about each question. */
  RunStatectl meanwhile(Runnable event) {
    meanwhile = event;
    return this;
  }

  /** By another clock than the one that stands still at noon. */
  RunStatectl clock(Clock other) {
    clock = other;
    return this;
  }

  /** What the person was asked. */
  List<String> questions() {
    return questions;
  }

  Outcome run(String... args) {
    ByteArrayOutputStream taken = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Launcher.run(
            args,
            new ProcessContext(
                in,
                out == null ? taken : out,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Map.copyOf(environment),
                workingDirectory,
                new ScriptedTerminal(),
                signals,
                OWNER,
                clock));
    return new Outcome(
        code, taken.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** Sends the command a signal, once it takes signals. */
  void send(StopSignal signal) throws InterruptedException {
    signals.send(signal);
  }

  private static final class SentSignals implements StopSignals {
    private final BlockingQueue<Consumer<StopSignal>> taken = new LinkedBlockingQueue<>();

    @Override
    public Registration take(Consumer<StopSignal> handler) {
      taken.add(handler);
      return () -> taken.remove(handler);
    }

    @Override
    public boolean reachesChildren(StopSignal signal) {
      return false;
    }

    @Override
    public void end(StopSignal signal) {
      throw new AssertionError("ended by " + signal);
    }

    void send(StopSignal signal) throws InterruptedException {
      Consumer<StopSignal> handler = taken.take();
      taken.add(handler);
      handler.accept(signal);
    }
  }

  private final class ScriptedTerminal implements Terminal {
    @Override
    public boolean isInteractive() {
      return answers != null;
    }

    @Override
    public boolean showsOutput() {
      return answers != null;
    }

    @Override
    public @Nullable String ask(String question) {
      if (answers == null) {
        throw new IllegalStateException("no terminal");
      }
      questions.add(question);
      meanwhile.run();
      return answers.poll();
    }

    @Override
    public @Nullable String askSecret(String question) {
      return ask(question);
    }
  }
}
