package dev.statectl.cli;

import dev.statectl.lock.LockId;
import dev.statectl.state.StateId;

/** The commands by which a person looks at a lock that is in the way, and breaks it. */
final class LockAdvice {
  private final ConnectionOptions connection;

  LockAdvice(ConnectionOptions connection) {
    this.connection = connection;
  }

  /** The command that shows a lock. */
  String show(StateId id) {
    return "statectl lock show" + connection.shown() + " " + ShellQuoting.operand(id.text());
  }

  /** The command that breaks a lock if the same candidate still holds it. */
  String breakIt(StateId id, LockId lockId) {
    return "statectl lock break"
        + connection.shown()
        + " --lock-id "
        + ShellQuoting.quoted(lockId.text())
        + " "
        + ShellQuoting.operand(id.text());
  }
}
