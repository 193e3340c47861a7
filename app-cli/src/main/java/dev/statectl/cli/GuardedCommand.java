package dev.statectl.cli;

/** What the commands have in common that store what somebody wrote. */
final class GuardedCommand {
  /** A paragraph of their help. */
  static final String EXPLAINED =
      "A change is doubtful when nothing is left of the state, streams or bookmarks disappear,"
          + " bookmarks go backwards, or the state becomes ten times as long or longer than max_state_bytes. On a"
          + " terminal you are told, and asked; else it is refused. --force does it all the same.";

  private GuardedCommand() {}
}
