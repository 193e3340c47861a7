package dev.statectl.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A command that runs as a child process, with all that it started in turn: a shell that is ended
 * would leave behind what works for it. Standard input and outputs are this process's own.
 */
final class RunningCommand {
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final Pattern SYSTEM_ERROR =
      Pattern.compile(".*error[=:] ?([0-9]+)", Pattern.DOTALL);
  private static final Duration GLANCE = Duration.ofMillis(50);

  private final Process process;

  // Everything that was sent a signal; descendants are known only while their parent lives.
  private final Set<ProcessHandle> signalled = new LinkedHashSet<>();

  private RunningCommand(Process process) {
    this.process = process;
  }

  /** A command cannot be started. */
  static final class NotStarted extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    NotStarted(String message, int exitCode) {
      super(message);
      this.exitCode = exitCode;
    }

    /** As a shell's: 126 for what is there and may not be run, 127 for what is not. */
    int exitCode() {
      return exitCode;
    }
  }

  /**
   * Starts a command.
   *
   * @param command the program and its arguments
   * @param environment all its variables
   * @param directory where it runs
   */
  static RunningCommand start(List<String> command, Map<String, String> environment, Path directory)
      throws NotStarted {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile()).inheritIO();
    builder.environment().clear();
    builder.environment().putAll(environment);
    try {
      return new RunningCommand(builder.start());
    } catch (IOException e) {
      throw notStarted(command.get(0), String.valueOf(e.getMessage()));
    }
  }

  // The JDK has no types for these, only the number of the system's error, behind the program's
  // name, which may hold anything.
  private static NotStarted notStarted(String program, String message) {
    Matcher matcher = SYSTEM_ERROR.matcher(message);
    String error = matcher.find() ? matcher.group(1) : "unknown";
    String what = "cannot start '" + program + "': ";
    return switch (error) {
      case "2" -> new NotStarted(what + "no such command", 127);
      case "13" -> new NotStarted(what + "not allowed to run it", 126);
      default -> new NotStarted(what + "the system refuses it (error " + error + ")", 126);
    };
  }

  /** Waits for a short while; tells whether the command has ended. */
  boolean hasEndedSoon() throws InterruptedException {
    return process.waitFor(GLANCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** The exit code of the command, once it has ended; 128 and the signal's number if one did. */
  int exitCode() {
    return process.exitValue();
  }

  /** Sends a signal to the command and all that it started. */
  synchronized void send(StopSignal signal) {
    List<ProcessHandle> targets = targets();
    signalled.addAll(targets);
    if (signal == StopSignal.TERM) {
      targets.forEach(ProcessHandle::destroy);
      return;
    }
    // The shell's own kill: not every machine has the program.
    List<String> kill = new ArrayList<>(List.of("sh", "-c", "kill -s \"$0\" \"$@\" 2>&-"));
    kill.add(signal.name());
    targets.forEach(target -> kill.add(String.valueOf(target.pid())));
    try {
      new ProcessBuilder(kill).start();
    } catch (IOException e) {
      targets.forEach(ProcessHandle::destroy);
    }
  }

  /**
   * Waits for what the command had started when it was sent a signal, up to ten seconds.
   *
   * @return the pids of what still runs
   */
  List<Long> awaitSignalled() throws InterruptedException {
    long deadline = System.nanoTime() + GRACE.toNanos();
    while (anyAlive() && System.nanoTime() - deadline < 0) {
      Thread.sleep(GLANCE.toMillis());
    }
    synchronized (this) {
      return signalled.stream().filter(ProcessHandle::isAlive).map(ProcessHandle::pid).toList();
    }
  }

  /** Ends the command and all that it started: asks, waits up to ten seconds, then kills. */
  void end() throws InterruptedException {
    send(StopSignal.TERM);
    awaitSignalled();
    synchronized (this) {
      signalled.addAll(targets());
      signalled.forEach(ProcessHandle::destroyForcibly);
    }
    process.waitFor();
  }

  private List<ProcessHandle> targets() {
    List<ProcessHandle> targets = new ArrayList<>();
    if (process.isAlive()) {
      targets.add(process.toHandle());
      process.descendants().forEach(targets::add);
    }
    return targets;
  }

  private synchronized boolean anyAlive() {
    return signalled.stream().anyMatch(ProcessHandle::isAlive);
  }
}
