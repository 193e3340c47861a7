package dev.statectl.cli;

import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import dev.statectl.usecase.StateLock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code statectl lock run}. */
@Command(
    name = "run",
    customSynopsis = {
      "statectl lock run [--wait=DURATION] [--uri=URI] [--environment=NAME] ID -- COMMAND..."
    },
    header = "Holds a lock while a command runs.",
    description = {
      "No two commands that are run so for the same id run at the same time, on whatever machines."
          + " The lock is named @run:ID: the id's own lock is left to the command, which takes it"
          + " for each state that it saves. It is renewed while the command runs.",
      "The command finds STATECTL_LOCK_ID and STATECTL_STATE_ID in its environment. Its exit code"
          + " is statectl's; 126 and 127 say that it could not be started, 130 and 143 that"
          + " SIGINT or SIGTERM came: that is passed on to the command and what it started, and"
          + " the lock is held until they have ended; once the command has, the others have 10 s."
          + " If the lock is lost, they are ended (SIGTERM, after 10 s SIGKILL), and statectl ends"
          + " with 4.",
      "On the embedded store no other statectl can use the file meanwhile, the command's neither."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl lock run dev:tap-a-to-b -- meltano run tap-a target-b",
      "  statectl lock run --wait 0 nightly -- ./export.sh    # or not at all"
    })
final class LockRunCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final ProcessContext process;
  private final LockAdvice advice;
  private final Diagnostics diagnostics;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final WaitOption wait = new WaitOption();

  @Parameters(index = "0", paramLabel = "ID", description = "What is run: mostly a state's id.")
  private String id = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "The command and its arguments, behind --.")
  private List<String> command = List.of();

  LockRunCommand(
      BackendRunner backends, ProcessContext process, LockAdvice advice, Diagnostics diagnostics) {
    this.backends = backends;
    this.process = process;
    this.advice = advice;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    if (RunLock.isOne(id)) {
      throw UsageFault.of(
          spec, "give the id without @run:, which 'lock run' puts in front of it itself");
    }
    StateId stateId;
    try {
      stateId = StateId.of(id);
    } catch (IllegalArgumentException e) {
      throw UsageFault.of(spec, e.getMessage());
    }
    StateId run = RunLock.of(stateId);
    return backends.runLocking(
        "lock run",
        wait,
        (component, stop) -> {
          StateLock lock = component.acquireLock().acquire(run);
          component.locking().waiting().taken(run);
          int code;
          try {
            code = runUnder(lock, stop);
          } catch (RuntimeException | InterruptedException | Error e) {
            releaseAfter(e, lock);
            throw e;
          }
          return release(lock, code);
        });
  }

  private int runUnder(StateLock lock, StopRequest stop) throws InterruptedException {
    if (stop.signal().isPresent()) {
      return stop.signal().get().exitCode();
    }
    Map<String, String> environment = new HashMap<>(process.environment());
    environment.put("STATECTL_LOCK_ID", lock.lockId().text());
    environment.put("STATECTL_STATE_ID", id);
    RunningCommand running;
    try {
      running = RunningCommand.start(command, environment, process.workingDirectory());
    } catch (RunningCommand.NotStarted e) {
      diagnostics.say(e.getMessage());
      return e.exitCode();
    }
    stop.passTo(
        signal -> {
          if (!process.signals().reachesChildren(signal)) {
            running.send(signal);
          }
        });
    while (!running.hasEndedSoon()) {
      if (!lock.isValid()) {
        throw endedFor(lock, running);
      }
    }
    List<Long> left = running.awaitSignalled();
    if (!left.isEmpty()) {
      diagnostics.say(
          "of what the command started this runs on, although it was sent the signal 10 s ago: pid "
              + left.stream().map(String::valueOf).collect(Collectors.joining(" "))
              + "; the lock is released");
    }
    return stop.signal().map(StopSignal::exitCode).orElseGet(running::exitCode);
  }

  private CommandFailure endedFor(StateLock lock, RunningCommand running)
      throws InterruptedException {
    try {
      lock.fence();
    } catch (StateFailure.LockLost e) {
      diagnostics.say(e.getMessage() + "; ending the command");
    }
    running.end();
    return new CommandFailure(ExitCode.LOCKED, "the command was ended with " + running.exitCode());
  }

  private int release(StateLock lock, int code) {
    try {
      lock.close();
      return code;
    } catch (StateFailure.LockLost e) {
      diagnostics.say(e.getMessage() + "; the command had ended with " + code);
      return ExitCode.LOCKED.code();
    } catch (StateFailure e) {
      diagnostics.say(
          "the command had ended with "
              + code
              + ", but the lock of '"
              + lock.id()
              + "' could not be released and keeps others out until it is stale: "
              + e.getMessage());
      diagnostics.say("to break it: " + advice.breakIt(lock.id(), lock.lockId()));
      return code == 0 ? ExitCode.of(e.kind()).code() : code;
    }
  }

  private static void releaseAfter(Throwable failure, StateLock lock) {
    try {
      lock.close();
    } catch (StateFailure e) {
      failure.addSuppressed(e);
    }
  }
}
