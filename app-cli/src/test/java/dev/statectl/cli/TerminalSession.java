package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.pty4j.PtyProcess;
import com.pty4j.PtyProcessBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A program on a pseudo-terminal, with somebody who types. What the terminal shows is kept as text;
 * lines end as they do in a file.
 */
final class TerminalSession implements AutoCloseable {
  /** Ctrl-C. */
  static final String INTERRUPT = "\u0003";

  /** Ctrl-D. */
  static final String END_OF_INPUT = "\u0004";

  private static final long SECONDS = 60;

  private final PtyProcess process;
  private final StringBuilder shown = new StringBuilder();
  private final Thread reader;
  private final List<ProcessHandle> children = new ArrayList<>();

  private TerminalSession(PtyProcess process) {
    this.process = process;
    this.reader = new Thread(this::read, "terminal");
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts statectl itself. */
  static TerminalSession statectl(Path directory, Map<String, String> environment, String... args)
      throws IOException {
    return program(Main.class, directory, environment, args);
  }

  /** Starts a class. */
  static TerminalSession program(
      Class<?> main, Path directory, Map<String, String> environment, String... args)
      throws IOException {
    List<String> command = new ArrayList<>(java(main));
    command.addAll(List.of(args));
    return start(directory, environment, command);
  }

  /** Starts a shell's command, for which {@code statectl} is on the path. */
  static TerminalSession shell(Path directory, Map<String, String> environment, String script)
      throws IOException {
    return start(directory, environment, List.of("bash", "--norc", "--noprofile", "-c", script));
  }

  /** How statectl is started. */
  static List<String> java() {
    return java(Main.class);
  }

  private static List<String> java(Class<?> main) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Djdk.console=java.base",
        "-cp",
        System.getProperty("java.class.path"),
        main.getName());
  }

  private static TerminalSession start(
      Path directory, Map<String, String> environment, List<String> command) throws IOException {
    Map<String, String> variables = new HashMap<>();
    variables.put("LC_ALL", "C.UTF-8");
    variables.put("TERM", "xterm");
    variables.put("PATH", System.getenv("PATH"));
    variables.putAll(environment);
    return new TerminalSession(
        new PtyProcessBuilder(command.toArray(String[]::new))
            .setDirectory(directory.toString())
            .setEnvironment(variables)
            .setInitialColumns(200)
            .setInitialRows(50)
            .start());
  }

  private void read() {
    byte[] buffer = new byte[4096];
    try (InputStream in = process.getInputStream()) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        synchronized (shown) {
          shown.append(new String(buffer, 0, n, StandardCharsets.UTF_8));
          shown.notifyAll();
        }
      }
    } catch (IOException e) {
      // The end of a terminal is an error on some systems.
      return;
    }
  }

  long pid() {
    return process.pid();
  }

  /** Types keys. */
  TerminalSession type(String keys) {
    try {
      process.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until the terminal shows a text. */
  TerminalSession awaits(String text) throws InterruptedException {
    return awaits(text, 1);
  }

  /** Waits until the terminal shows a text so many times. */
  TerminalSession awaits(String text, int times) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    synchronized (shown) {
      while (shown.toString().split(Pattern.quote(text), -1).length <= times) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        assertThat(left).as("waiting for '%s', shown is: %s", text, shown).isPositive();
        shown.wait(left);
      }
    }
    return this;
  }

  /** Sends a signal by the shell's kill. */
  void send(String signal) throws Exception {
    rememberChildren();
    Process kill =
        new ProcessBuilder("sh", "-c", "kill -s " + signal + " " + process.pid()).start();
    assertThat(kill.waitFor()).isZero();
  }

  /** Waits for the end and gives the exit code; 128 and the number of a signal that ended it. */
  int end() throws InterruptedException {
    assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS))
        .as("the program ends, shown is: %s", shown())
        .isTrue();
    reader.join(TimeUnit.SECONDS.toMillis(SECONDS));
    return process.exitValue();
  }

  /** What the terminal has shown, with what was typed, as far as it is echoed. */
  String shown() {
    synchronized (shown) {
      return shown.toString().replace("\r\n", "\n");
    }
  }

  /** What the terminal has shown, without what changes from run to run. */
  String shownPlainly(Path directory) {
    return Pattern.compile(Pattern.quote(directory.toString()))
        .matcher(shown())
        .replaceAll("DIRECTORY");
  }

  private void rememberChildren() {
    ProcessHandle.of(process.pid())
        .ifPresent(handle -> handle.descendants().forEach(children::add));
  }

  @Override
  public void close() {
    rememberChildren();
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
  }
}
