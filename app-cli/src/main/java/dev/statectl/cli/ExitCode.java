package dev.statectl.cli;

import dev.statectl.port.StateFailure;
import java.util.LinkedHashMap;
import java.util.Map;

/** How a command ends, for scripts. The help of every command lists these. */
enum ExitCode {
  OK(0, "done"),
  FAILURE(1, "failed, or declined at the prompt; nothing was changed unless the message says so"),
  USAGE(2, "wrong command line or settings; --yes or --force missing; nothing was done"),
  NOT_FOUND(3, "no such state, stream or value, or nobody holds its lock"),
  LOCKED(4, "somebody else holds the lock, or it was lost"),
  CONFLICT(5, "somebody else changed what this command was to change"),
  DENIED(6, "the server does not know the user or does not allow it"),
  UNREACHABLE(7, "the store cannot be reached or did not answer in time"),
  PARTLY(8, "only a part was done; the messages say which");

  private final int code;
  private final String meaning;

  ExitCode(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  int code() {
    return code;
  }

  /** How a command ends when the store did not do what it was asked. */
  static ExitCode of(StateFailure.Kind kind) {
    return switch (kind) {
      case UNAVAILABLE, OUTCOME_UNKNOWN -> UNREACHABLE;
      case DENIED -> ExitCode.DENIED;
      case WRONG_SCHEMA, UNREADABLE_STATE, TOO_LARGE, NO_HISTORY -> FAILURE;
      case DOUBTFUL -> USAGE;
      case NOT_FOUND -> ExitCode.NOT_FOUND;
      case CONFLICT -> ExitCode.CONFLICT;
      case LOCK_HELD, LOCK_LOST -> LOCKED;
    };
  }

  /** All codes with their meanings, in order, as the help shows them. */
  static Map<String, String> table() {
    Map<String, String> table = new LinkedHashMap<>();
    for (ExitCode exitCode : values()) {
      table.put(String.valueOf(exitCode.code), exitCode.meaning);
    }
    table.put("130", "ended by Ctrl-C (143: by SIGTERM); its locks were released");
    table.put("141", "the reader of its output went away, as in '| head -1'");
    return table;
  }
}
