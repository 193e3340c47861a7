package dev.statectl.clickhouse;

import dev.statectl.port.Finding;
import dev.statectl.port.Mend;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Judges what the user may do against what statectl needs. */
final class RightsFindings {
  private static final String CHECK = "rights";

  private final TableNames names;
  private final int readonly;
  private final Map<Right, Boolean> held;
  private final LockPeers peers;
  private final String user;
  private final List<Finding> findings = new ArrayList<>();

  /**
   * For a user.
   *
   * @param user his name
   * @param readonly the setting of that name in his profile: 0 when he may write
   * @param held which rights he has; those that matter, with or without
   */
  RightsFindings(
      TableNames names, String user, int readonly, Map<Right, Boolean> held, LockPeers peers) {
    this.names = names;
    this.readonly = readonly;
    this.held = held;
    this.peers = peers;
    this.user = new Identifier(user).readable();
  }

  /**
   * A right on one table.
   *
   * @param privilege one privilege
   * @param target the table
   */
  record Right(String privilege, Operation.Target target) {
    /** The rights that are needed on tables that exist. */
    static List<Right> ofWriter(boolean withHistory) {
      return Stream.of(Operation.values())
          .filter(operation -> operation.reads() || operation.changesRows())
          .filter(operation -> !operation.migrates())
          .filter(operation -> operation.target() != Operation.Target.CLAIMS)
          .filter(operation -> withHistory || operation.target() != Operation.Target.HISTORY)
          .flatMap(
              operation ->
                  Arrays.stream(operation.privilege().split(", "))
                      .map(privilege -> new Right(privilege, operation.target())))
          .distinct()
          .toList();
    }
  }

  List<Finding> all() {
    List<Right> lacking =
        held.entrySet().stream().filter(e -> !e.getValue()).map(Map.Entry::getKey).toList();
    List<Right> writing =
        held.keySet().stream().filter(right -> !right.privilege().equals("SELECT")).toList();
    if (readonly != 0) {
      add(
          Finding.Level.INFO,
          "may only read: the profile says readonly = " + readonly,
          "enough for list, get, export and check; a pipeline with this user cannot store its"
              + " state, whatever is granted",
          Mend.sql("ALTER USER " + user + " SETTINGS readonly = 0"));
      judgeReading(lacking);
    } else if (lacking.containsAll(writing)) {
      if (!lacking.contains(new Right("SELECT", Operation.Target.STATES))) {
        add(
            Finding.Level.INFO,
            "may only read: nothing else is granted",
            "enough for list, get, export and check; a pipeline with this user cannot store its"
                + " state",
            grants(writing));
      }
      judgeReading(lacking);
    } else {
      judgeWriting(lacking);
    }
    if (findings.isEmpty()) {
      findings.add(
          Finding.ok(
              CHECK,
              "the user " + user,
              "has every right to read and write "
                  + (held.keySet().stream().anyMatch(r -> r.target() == Operation.Target.HISTORY)
                      ? "states, locks and history"
                      : "states and locks")));
    }
    return findings;
  }

  private void judgeReading(List<Right> lacking) {
    lack(
        Finding.Level.ERROR,
        of(lacking, Operation.Target.STATES, "SELECT"),
        "may not read",
        "nothing can be shown");
    lack(
        Finding.Level.INFO,
        of(lacking, Operation.Target.LOCKS, "SELECT"),
        "may not read",
        "lock list and lock show are refused");
    lack(
        Finding.Level.INFO,
        of(lacking, Operation.Target.HISTORY, "SELECT"),
        "may not read",
        "history and diff are refused");
  }

  private void judgeWriting(List<Right> lacking) {
    lack(
        Finding.Level.ERROR,
        of(lacking, Operation.Target.STATES, "SELECT"),
        "may not read",
        "nothing can be shown, and nothing stored, since each write reads first");
    lack(
        Finding.Level.ERROR,
        of(lacking, Operation.Target.STATES, "INSERT"),
        "may not insert into",
        "no state can be stored");
    lack(
        Finding.Level.ERROR,
        Stream.of("SELECT", "INSERT")
            .flatMap(privilege -> of(lacking, Operation.Target.LOCKS, privilege).stream())
            .toList(),
        "may not read or insert into",
        "no lock can be taken, so nothing stored");
    if (peers == LockPeers.PLUGIN) {
      lack(
          Finding.Level.ERROR,
          of(lacking, Operation.Target.LOCKS, "ALTER DELETE"),
          "may take locks, but not delete from",
          "no lock can be released: everybody else waits until it is stale, and what was stored"
              + " under it is reported as of unknown outcome");
    }
    lack(
        Finding.Level.WARNING,
        of(lacking, Operation.Target.STATES, "ALTER DELETE"),
        "may store states, but not delete from",
        "clear and move are refused");
    lack(
        Finding.Level.INFO,
        of(lacking, Operation.Target.STATES, "TRUNCATE"),
        "may not truncate",
        "only clear --all needs it");
    lack(
        Finding.Level.WARNING,
        lacking.stream().filter(right -> right.target() == Operation.Target.HISTORY).toList(),
        "may not read or insert into",
        "clear and move are refused, since removals are recorded by who removes; so are history,"
            + " diff and undo");
  }

  private void lack(Finding.Level level, List<Right> rights, String what, String why) {
    if (!rights.isEmpty()) {
      add(level, what + " " + shown(rights.get(0).target()), why, grants(rights));
    }
  }

  private void add(Finding.Level level, String what, String why, Mend mend) {
    findings.add(new Finding(level, CHECK, "the user " + user, what, why, Optional.of(mend)));
  }

  private static List<Right> of(List<Right> rights, Operation.Target target, String privilege) {
    return rights.stream().filter(new Right(privilege, target)::equals).toList();
  }

  private Mend grants(List<Right> rights) {
    return new Mend(
        Mend.Means.SQL,
        rights.stream()
            .map(Right::target)
            .distinct()
            .map(
                target ->
                    "GRANT "
                        + rights.stream()
                            .filter(right -> right.target() == target)
                            .map(Right::privilege)
                            .collect(Collectors.joining(", "))
                        + " ON "
                        + shown(target)
                        + " TO "
                        + user)
            .toList(),
        false);
  }

  private String shown(Operation.Target target) {
    return switch (target) {
      case LOCKS -> names.lockShown();
      case CLAIMS -> names.claimShown();
      case HISTORY -> names.historyShown();
      default -> names.stateShown();
    };
  }
}
