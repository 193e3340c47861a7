package dev.statectl.clickhouse;

import com.clickhouse.client.api.ClientException;
import com.clickhouse.client.api.ServerException;
import dev.statectl.port.StateFailure;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.HttpHostConnectException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.NoHttpResponseException;

/**
 * Turns what the driver throws into the failures of the ports. Only codes and kinds of failures are
 * looked at, and none of their texts is passed on: the server's may quote what was bound.
 *
 * <p>A read that fails changed nothing. A write that fails changed nothing only if the request was
 * never sent, or if the server is known to refuse in this way before it begins; otherwise its
 * outcome is unknown. (A materialized view that fails does so after its table took the row.)
 */
final class ClickHouseErrors {
  private static final int UNKNOWN_TABLE = 60;
  private static final int UNKNOWN_DATABASE = 81;
  private static final int ACCESS_DENIED = 497;
  private static final int READONLY = 164;
  private static final int UNFINISHED = 341;
  private static final int SETTING_CONSTRAINT_VIOLATION = 452;

  /**
   * An answer of the server.
   *
   * @param kind what it means
   * @param beforeTheStart whether the server answers so only before it changes anything
   * @param passing whether the same statement may have another answer a moment later
   * @param reason the answer in words, with {@code <user>} for the user's name
   * @param advice what to do
   */
  private record Answer(
      StateFailure.Kind kind,
      boolean beforeTheStart,
      boolean passing,
      String reason,
      String advice) {
    Answer(StateFailure.Kind kind, boolean beforeTheStart, String reason, String advice) {
      this(kind, beforeTheStart, false, reason, advice);
    }
  }

  /**
   * Why there was no answer.
   *
   * @param text the reason in words
   * @param advice what to do
   * @param passing whether the same statement may be answered a moment later
   */
  record Reason(String text, String advice, boolean passing) {
    Reason(String text, String advice) {
      this(text, advice, false);
    }
  }

  // src/Storages/MergeTree/ReplicatedMergeTreeSink
  private static final String INACTIVE_REPLICA = "Replica is not active right now";

  private static final String CHECK_PLACE = "check host, port and secure (%s)";

  private static final String STATE_COLUMNS =
      "compare it with the columns state_id String, partial_state Nullable(String),"
          + " completed_state Nullable(String), updated_at DateTime64(3), and the engine"
          + " ReplacingMergeTree(updated_at) ORDER BY state_id";
  private static final String LOCK_COLUMNS =
      "compare it with the columns state_id String, lock_id String, locked_at DateTime, candidate"
          + " String DEFAULT lock_id, holder String, released UInt8, and the engine ReplacingMergeTree(locked_at)"
          + " ORDER BY (state_id, candidate)";

  /** What the history table must have; a table of its name may be somebody else's. */
  static final String HISTORY_COLUMNS =
      "compare it with the columns state_id String, updated_at DateTime64(3), recorded_at"
          + " DateTime64(6), deleted UInt8, author String, account String, reverted_to"
          + " DateTime64(3), completed_bytes UInt64, partial_bytes UInt64, fingerprint UInt64,"
          + " completed_state Nullable(String), partial_state Nullable(String); if it is not a"
          + " history of states, rename it, or keep states in a table of another name";

  private static final Answer NOT_OUR_TABLE =
      new Answer(
          StateFailure.Kind.WRONG_SCHEMA,
          true,
          "the table is not of the expected form",
          STATE_COLUMNS);
  private static final Answer NOT_OUR_LOCK_TABLE =
      new Answer(
          StateFailure.Kind.WRONG_SCHEMA,
          true,
          "the table is not of the expected form",
          LOCK_COLUMNS);
  // Error 36 is also what a server answers that has no place in Keeper for tables.
  private static final Answer NO_CLAIM_TABLE =
      new Answer(
          StateFailure.Kind.WRONG_SCHEMA,
          true,
          "the server offers no tables in Keeper, or keeps another table at this one's place there",
          "set keeper_map_path_prefix in the configuration of every server of the cluster, or set"
              + " lock_mode to immediate, so that the rows of the lock table decide; a table of"
              + " this name must have the columns state_id String, lock_id String, holder String,"
              + " locked_at DateTime, and the engine KeeperMap");
  private static final Answer NOT_OUR_HISTORY =
      new Answer(
          StateFailure.Kind.WRONG_SCHEMA,
          true,
          "the table is not of the expected form",
          HISTORY_COLUMNS);
  private static final Answer NOT_ACCEPTED =
      new Answer(
          StateFailure.Kind.DENIED,
          true,
          "the server does not accept the user <user> with this password",
          "check user and password");
  private static final Answer BUSY =
      new Answer(
          StateFailure.Kind.UNAVAILABLE,
          true,
          true,
          "the server has too much to do",
          "try again later, or ask its administrator");
  private static final Answer BEYOND_LIMITS =
      new Answer(
          StateFailure.Kind.UNAVAILABLE,
          false,
          "the server's limits of memory or of rows are too low for this",
          "ask its administrator to raise them for this user");
  private static final Answer CANCELLED =
      new Answer(
          StateFailure.Kind.UNAVAILABLE,
          false,
          true,
          "it was cancelled on the server, by a shutdown or by another change of the table",
          "try again");
  private static final Answer LEFT_UNFINISHED =
      new Answer(
          StateFailure.Kind.UNAVAILABLE,
          false,
          true,
          "the server did not finish it, for a shutdown, another change of the table, or a replica"
              + " that is down",
          "try again");
  private static final Answer UNSTEADY =
      new Answer(
          StateFailure.Kind.UNAVAILABLE,
          false,
          true,
          "the server lost its connection to another server",
          "try again later, or ask its administrator");
  private static final Answer WITHOUT_KEEPER =
      new Answer(
          StateFailure.Kind.UNAVAILABLE,
          false,
          true,
          "the server does not reach its Keeper, or its session there has ended",
          "try again later, or ask its administrator");
  private static final Answer NOT_CONFIGURED =
      new Answer(
          StateFailure.Kind.WRONG_SCHEMA,
          true,
          "the server's configuration lacks what tables on several servers need",
          "an administrator sets up the cluster, its Keeper, macros and distributed_ddl on each"
              + " server (https://clickhouse.com/docs/architecture/replication)");
  private static final Answer READ_ONLY_REPLICA =
      new Answer(
          StateFailure.Kind.UNAVAILABLE,
          true,
          true,
          "the replica is read-only at the moment: it has lost its Keeper",
          "try again later, use another host, or ask the administrator");
  private static final Answer BEHIND =
      new Answer(
          StateFailure.Kind.UNAVAILABLE,
          true,
          "the replica did not catch up with the others in time",
          "try again, or use another host; with consistency=eventual reads show what has arrived");
  private static final Answer SYNC_IN_READONLY =
      new Answer(
          StateFailure.Kind.DENIED,
          true,
          "the user <user> may only read (its profile says readonly), and so may not have a replica"
              + " catch up with the others",
          "use another user, or set consistency to eventual");
  private static final Answer NOT_REPLICATED =
      new Answer(
          StateFailure.Kind.WRONG_SCHEMA,
          true,
          "the table is not replicated any more",
          "start again, so that it is looked at anew");
  private static final Answer TOOK_TOO_LONG =
      new Answer(
          StateFailure.Kind.UNAVAILABLE,
          false,
          "the server gave up because it took too long",
          "try again later");

  /**
   * The codes that are known here. Names and numbers are those of ErrorCodes.cpp; what is said of
   * each stands where the server throws it.
   *
   * @see <a
   *     href="https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp">ErrorCodes.cpp</a>
   */
  private static final Map<Integer, Answer> ANSWERS =
      Map.ofEntries(
          // THERE_IS_NO_COLUMN, NO_SUCH_COLUMN_IN_TABLE, UNKNOWN_IDENTIFIER: src/Analyzer
          Map.entry(8, NOT_OUR_TABLE),
          Map.entry(16, NOT_OUR_TABLE),
          Map.entry(47, NOT_OUR_TABLE),
          // CANNOT_PARSE_TEXT, CANNOT_PARSE_INPUT_ASSERTION_FAILED, CANNOT_PARSE_DATETIME,
          // CANNOT_PARSE_NUMBER: a bound text does not fit the column; src/Formats
          Map.entry(6, NOT_OUR_TABLE),
          Map.entry(27, NOT_OUR_TABLE),
          Map.entry(41, NOT_OUR_TABLE),
          Map.entry(72, NOT_OUR_TABLE),
          // ILLEGAL_TYPE_OF_ARGUMENT, TYPE_MISMATCH, CANNOT_CONVERT_TYPE, NO_COMMON_TYPE,
          // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN: src/Functions, src/DataTypes
          Map.entry(43, NOT_OUR_TABLE),
          Map.entry(53, NOT_OUR_TABLE),
          Map.entry(70, NOT_OUR_TABLE),
          Map.entry(349, NOT_OUR_TABLE),
          Map.entry(386, NOT_OUR_TABLE),
          // BAD_ARGUMENTS, NOT_IMPLEMENTED, ILLEGAL_FINAL, SUPPORT_IS_DISABLED: the engine has no
          // FINAL, no DELETE or no TRUNCATE; src/Storages, src/Interpreters/InterpreterDeleteQuery
          Map.entry(36, NOT_OUR_TABLE),
          Map.entry(48, NOT_OUR_TABLE),
          Map.entry(181, NOT_OUR_TABLE),
          Map.entry(344, NOT_OUR_TABLE),
          Map.entry(
              UNKNOWN_TABLE,
              new Answer(
                  StateFailure.Kind.WRONG_SCHEMA,
                  true,
                  "the table, or one that a materialized view fills from it, does not exist",
                  "create what is missing, or try again if somebody just removed it")),
          Map.entry(
              UNKNOWN_DATABASE,
              new Answer(
                  StateFailure.Kind.WRONG_SCHEMA,
                  true,
                  "the database does not exist",
                  "create it, or try again if somebody just removed it")),
          // SYNTAX_ERROR: the statement was cut off at max_query_size, 256 KB unless changed.
          // https://clickhouse.com/docs/operations/settings/settings#max_query_size
          Map.entry(
              62,
              new Answer(
                  StateFailure.Kind.UNAVAILABLE,
                  true,
                  "the server did not take the whole statement",
                  "use a shorter id, or ask its administrator to raise max_query_size")),
          // READONLY. https://clickhouse.com/docs/operations/settings/permissions-for-queries
          Map.entry(
              164,
              new Answer(
                  StateFailure.Kind.DENIED,
                  true,
                  "the user <user> may only read (its profile says readonly)",
                  "use another user, or ask the administrator to change its profile")),
          // UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, AUTHENTICATION_FAILED: src/Access
          Map.entry(192, NOT_ACCEPTED),
          Map.entry(193, NOT_ACCEPTED),
          Map.entry(194, NOT_ACCEPTED),
          Map.entry(516, NOT_ACCEPTED),
          // IP_ADDRESS_NOT_ALLOWED: src/Access/AllowedClientHosts
          Map.entry(
              195,
              new Answer(
                  StateFailure.Kind.DENIED,
                  true,
                  "the server does not accept the user <user> from this address",
                  "ask the administrator to allow it")),
          // SETTING_CONSTRAINT_VIOLATION: src/Access/SettingsConstraints
          Map.entry(
              452,
              new Answer(
                  StateFailure.Kind.DENIED,
                  true,
                  "the user <user> may not change a setting that every write needs",
                  "ask the administrator to allow async_insert,"
                      + " input_format_values_interpret_expressions and lightweight_deletes_sync")),
          // UNKNOWN_SETTING: servers before 24.4 do not know lightweight_deletes_sync.
          Map.entry(
              115,
              new Answer(
                  StateFailure.Kind.UNAVAILABLE,
                  true,
                  "the server does not know a setting that every write needs",
                  "use ClickHouse 24.4 or later")),
          // QUOTA_EXCEEDED. https://clickhouse.com/docs/operations/quotas
          Map.entry(
              201,
              new Answer(
                  StateFailure.Kind.UNAVAILABLE,
                  true,
                  "the quota of the user <user> is used up",
                  "try again later, or ask the administrator to raise it")),
          // TOO_MANY_SIMULTANEOUS_QUERIES: src/Interpreters/ProcessList; TOO_MANY_PARTS:
          // src/Storages/MergeTree/MergeTreeData; CANNOT_SCHEDULE_TASK: src/Common/ThreadPool
          Map.entry(202, BUSY),
          Map.entry(252, BUSY),
          Map.entry(439, BUSY),
          // TABLE_IS_READ_ONLY: src/Storages/StorageReplicatedMergeTree
          Map.entry(242, READ_ONLY_REPLICA),
          // TOO_FEW_LIVE_REPLICAS, UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE: found out before the
          // write; src/Storages/MergeTree/ReplicatedMergeTreeSink
          Map.entry(
              285,
              new Answer(
                  StateFailure.Kind.UNAVAILABLE,
                  true,
                  true,
                  "too few replicas are alive: more than half of them must take a write",
                  "try again when they are back; with consistency=eventual one is enough")),
          Map.entry(
              286,
              new Answer(
                  StateFailure.Kind.UNAVAILABLE,
                  true,
                  true,
                  "an earlier write of this table still waits for more than half of the replicas",
                  "try again")),
          // REPLICA_IS_NOT_IN_QUORUM: src/Storages/StorageReplicatedMergeTree
          Map.entry(
              289,
              new Answer(
                  StateFailure.Kind.UNAVAILABLE,
                  true,
                  true,
                  "the replica does not have the last write yet that the others have",
                  "try again, or use another host")),
          // UNKNOWN_STATUS_OF_INSERT: this replica has it; whether others do is not known
          Map.entry(
              319,
              new Answer(
                  StateFailure.Kind.UNAVAILABLE,
                  false,
                  true,
                  "more than half of the replicas did not say in time that they took it, or the"
                      + " server lost its Keeper",
                  "try again later, or ask its administrator")),
          // ABORTED, QUERY_WAS_CANCELLED: src/Storages/MergeTree
          Map.entry(236, CANCELLED),
          Map.entry(394, CANCELLED),
          // UNFINISHED: somebody cancelled the mutation that a DELETE waits for, as dropping a part
          // or a partition does, or a replica is not there that should have run it, too;
          // src/Storages/StorageReplicatedMergeTree
          Map.entry(UNFINISHED, LEFT_UNFINISHED),
          // NETWORK_ERROR, ALL_CONNECTION_TRIES_FAILED: src/Client
          Map.entry(210, UNSTEADY),
          Map.entry(279, UNSTEADY),
          // NO_ELEMENTS_IN_CONFIG, CLUSTER_DOESNT_EXIST: src/Common/Macros.cpp, src/Interpreters;
          // QUERY_IS_PROHIBITED: where ON CLUSTER is not configured
          Map.entry(139, NOT_CONFIGURED),
          Map.entry(392, NOT_CONFIGURED),
          Map.entry(701, NOT_CONFIGURED),
          // NO_ZOOKEEPER, KEEPER_EXCEPTION: src/Common/ZooKeeper
          Map.entry(225, WITHOUT_KEEPER),
          Map.entry(999, WITHOUT_KEEPER),
          // INVALID_STATE: a server that did not find its Keeper when it started;
          // src/Storages/StorageKeeperMap
          Map.entry(
              668,
              new Answer(
                  StateFailure.Kind.UNAVAILABLE,
                  true,
                  true,
                  "the server has not found its Keeper since it was started",
                  "try again later, or ask its administrator")),
          // TOO_MANY_ROWS, MEMORY_LIMIT_EXCEEDED, TOO_MANY_BYTES, TOO_MANY_ROWS_OR_BYTES
          Map.entry(158, BEYOND_LIMITS),
          Map.entry(241, BEYOND_LIMITS),
          Map.entry(307, BEYOND_LIMITS),
          Map.entry(396, BEYOND_LIMITS),
          // NOT_ENOUGH_SPACE: src/Disks
          Map.entry(
              243,
              new Answer(
                  StateFailure.Kind.UNAVAILABLE,
                  false,
                  "the server's disk is full",
                  "ask its administrator")),
          // TIMEOUT_EXCEEDED, TOO_SLOW, SOCKET_TIMEOUT
          Map.entry(159, TOOK_TOO_LONG),
          Map.entry(160, TOOK_TOO_LONG),
          Map.entry(209, TOOK_TOO_LONG));

  /** What other answers mean when a replica is to catch up; src/Interpreters. */
  private static final Map<Integer, Answer> ANSWERS_TO_SYNC =
      Map.of(36, NOT_REPLICATED, 159, BEHIND, READONLY, SYNC_IN_READONLY);

  private final ClickHouseSettings settings;
  private final TableNames names;
  private final String place;

  ClickHouseErrors(ClickHouseSettings settings, TableNames names) {
    this(settings, names, settings.place());
  }

  private ClickHouseErrors(ClickHouseSettings settings, TableNames names, String place) {
    this.settings = settings;
    this.names = names;
    this.place = place;
  }

  /** The same for failures at one of several servers. */
  ClickHouseErrors at(String place) {
    return new ClickHouseErrors(settings, names, place);
  }

  /**
   * Turns a failure of a statement into ours.
   *
   * @return what to throw; of a read that met no table or no database a {@link
   *     TableMissingException}
   */
  RuntimeException failureOf(Operation operation, Throwable thrown, Progress progress) {
    WithheldException cause = WithheldException.of(thrown, mayPass(thrown, progress));
    int code = serverCode(thrown);
    if (has(thrown, Row.UnknownTypeException.class)) {
      Answer answer = ofTable(NOT_OUR_TABLE, operation);
      return new StateFailure.WrongSchema(
          text(operation, answer.reason() + "; " + answer.advice()), answer.advice(), cause);
    }
    if (code == 0) {
      return unanswered(operation, thrown, progress, cause);
    }
    if (code == ACCESS_DENIED) {
      return new StateFailure.Denied(text(operation, lackingRight(operation)), cause);
    }
    Answer answer =
        (operation.synchronizes() ? ANSWERS_TO_SYNC : ANSWERS)
            .getOrDefault(
                code,
                ANSWERS.getOrDefault(
                    code,
                    new Answer(
                        StateFailure.Kind.UNAVAILABLE,
                        false,
                        "the server answered with an error that is not known here",
                        "look it up in the server's log")));
    if (code == READONLY && isInactiveReplica(thrown)) {
      answer = READ_ONLY_REPLICA;
    }
    answer = ofTable(answer, operation);
    if (code == UNKNOWN_TABLE && mayMissHistory(operation)) {
      answer = withoutHistory(answer);
    }
    String reason = answer.reason().replace("<user>", user()) + " (ClickHouse error " + code + ")";
    if (operation.changesRows() && !answer.beforeTheStart()) {
      return outcomeUnknown(operation, reason, cause);
    }
    String text = text(operation, reason + "; " + answer.advice());
    StateFailure failure =
        switch (answer.kind()) {
          case DENIED -> new StateFailure.Denied(text, answer.advice(), cause);
          case WRONG_SCHEMA -> new StateFailure.WrongSchema(text, answer.advice(), cause);
          default -> new StateFailure.Unavailable(text, answer.advice(), cause);
        };
    boolean missing = code == UNKNOWN_TABLE || code == UNKNOWN_DATABASE;
    return missing && operation.reads() ? new TableMissingException(failure) : failure;
  }

  /** An answer about a table's form, with the columns of the table that was used. */
  private static Answer ofTable(Answer answer, Operation operation) {
    if (answer != NOT_OUR_TABLE) {
      return answer;
    }
    return switch (operation.target()) {
      case LOCKS -> NOT_OUR_LOCK_TABLE;
      case CLAIMS -> NO_CLAIM_TABLE;
      case HISTORY -> NOT_OUR_HISTORY;
      default -> NOT_OUR_TABLE;
    };
  }

  /** Tells whether the same statement may go better a moment later. */
  boolean mayPass(Throwable thrown, Progress progress) {
    int code = serverCode(thrown);
    if (code != 0) {
      return isPassing(code) || code == READONLY && isInactiveReplica(thrown);
    }
    return neverSent(thrown).orElseGet(() -> lost(thrown, progress)).passing();
  }

  /**
   * Tells whether the outcome of a write is unknown because its answer got lost, and not because
   * the server said that something went wrong in the middle of it.
   */
  static boolean isAnswerLost(StateFailure.OutcomeUnknown failure) {
    return failure.getCause() instanceof WithheldException cause
        && (cause.serverCode() == 0 || cause.mayPass());
  }

  /** Tells whether the same write may go better a moment later. */
  static boolean mayPass(StateFailure.OutcomeUnknown failure) {
    return failure.getCause() instanceof WithheldException cause && cause.mayPass();
  }

  /**
   * Tells whether the server did not see the end of a change: it was stopped, or is done on every
   * replica but those that are down, which do it later. So one looks before it is made again.
   */
  static boolean isUnfinished(Throwable thrown) {
    return serverCode(thrown) == UNFINISHED
        || thrown.getCause() instanceof WithheldException cause && cause.serverCode() == UNFINISHED;
  }

  /** Tells whether a table or its database does not exist. */
  static boolean isOfMissingTable(StateFailure failure) {
    return failure.getCause() instanceof WithheldException cause
        && (cause.serverCode() == UNKNOWN_TABLE || cause.serverCode() == UNKNOWN_DATABASE);
  }

  /** Tells whether the server itself reported that something went wrong. */
  static boolean isOfTheServer(StateFailure.OutcomeUnknown failure) {
    return failure.getCause() instanceof WithheldException cause && cause.serverCode() != 0;
  }

  private static boolean isPassing(int code) {
    Answer answer = ANSWERS.get(code);
    return answer != null && answer.passing();
  }

  /** The server has one code for this and for users who may only read; its text has no values. */
  private static boolean isInactiveReplica(Throwable thrown) {
    return causes(thrown)
        .anyMatch(cause -> String.valueOf(cause.getMessage()).contains(INACTIVE_REPLICA));
  }

  /** Whether the table that is missing may be the one that the view fills. */
  private static boolean mayMissHistory(Operation operation) {
    return operation == Operation.SAVE || operation.target() == Operation.Target.HISTORY;
  }

  private Answer withoutHistory(Answer missing) {
    return new Answer(
        missing.kind(),
        missing.beforeTheStart(),
        missing.passing(),
        missing.reason(),
        missing.advice()
            + "; if it is the history table "
            + names.schema().readable()
            + "."
            + names.history().readable()
            + ", make it anew with statectl history enable, or go on without it after statectl"
            + " history disable");
  }

  /** The failure of whoever finds another table or view under a name that history needs. */
  StateFailure otherUnder(Identifier name, String expected) {
    return new StateFailure.WrongSchema(
        "cannot keep history in "
            + names.schema().readable()
            + "."
            + name.readable()
            + " at "
            + place
            + ": something else has this name; "
            + expected,
        expected,
        null);
  }

  /** The failure of whoever writes where not all who look would meet it. */
  StateFailure refusedHere(String why, String advice) {
    return new StateFailure.WrongSchema(
        "cannot write to "
            + names.stateShown()
            + " at "
            + settings.place()
            + ": "
            + why
            + "; "
            + advice,
        advice,
        null);
  }

  /** The failure of whoever wants the tables in another form than they can have. */
  StateFailure notReplicable(String why, String advice) {
    return new StateFailure.WrongSchema(text(Operation.MIGRATE, why + "; " + advice), advice, null);
  }

  /** The failure of a conditional write that was sent, when asking whether it was done failed. */
  StateFailure unconfirmed(Operation operation, RuntimeException failure) {
    return new StateFailure.OutcomeUnknown(
        "whether "
            + operation.gerund()
            + " "
            + target(operation)
            + " happened is unknown: "
            + failure.getMessage()
            + "; look at what is stored before you repeat it",
        failure.getCause());
  }

  /** The failure of somebody whose own database, which every request names, does not exist. */
  StateFailure unknownDatabase(TableMissingException missing) {
    return new StateFailure.WrongSchema(
        "the database "
            + new Identifier(settings.database()).readable()
            + " to which the user "
            + user()
            + " connects does not exist at "
            + place
            + "; set the database to one that does (only the tables' own database, "
            + names.schema().readable()
            + ", is created when it is missing)",
        missing.failure().getCause());
  }

  private StateFailure unanswered(
      Operation operation, Throwable thrown, Progress progress, WithheldException cause) {
    Optional<Reason> neverSent = neverSent(thrown);
    Reason reason = neverSent.orElseGet(() -> lost(thrown, progress));
    if (neverSent.isEmpty() && progress != Progress.NOT_SENT && operation.changesRows()) {
      return outcomeUnknown(operation, reason.text(), cause);
    }
    return new StateFailure.Unavailable(
        text(operation, reason.text() + "; " + reason.advice()), reason.advice(), cause);
  }

  /**
   * The failure of a user who may not change the settings that make all replicas as one server.
   *
   * @param failure what a statement with them met
   */
  RuntimeException refusingConsistency(
      Operation operation, RuntimeException failure, Set<String> settings) {
    if (!(failure instanceof StateFailure.Denied)
        || !(failure.getCause() instanceof WithheldException cause)
        || settings.isEmpty()) {
      return failure;
    }
    int code = cause.serverCode();
    // Whoever may only read is told so when it writes, or has a replica catch up.
    boolean toldSo = operation.changesRows() || operation.synchronizes();
    if (code != SETTING_CONSTRAINT_VIOLATION && (code != READONLY || toldSo)) {
      return failure;
    }
    String advice =
        "set consistency to eventual, or ask the administrator to allow it to change them";
    return new StateFailure.Denied(
        text(
            operation,
            "the user "
                + user()
                + " may not change one of these settings, by which replicas answer as one server: "
                + String.join(", ", settings)
                + " (ClickHouse error "
                + code
                + "); "
                + advice),
        advice,
        cause);
  }

  /** Tells whether no connection to the server could be made, so that another one may be asked. */
  static boolean isUnreachable(Throwable thrown) {
    return has(thrown, UnknownHostException.class)
        || has(thrown, ConnectTimeoutException.class)
        || has(thrown, HttpHostConnectException.class)
        || has(thrown, NoRouteToHostException.class);
  }

  /** Why the request did not leave; empty if it may have. */
  private Optional<Reason> neverSent(Throwable thrown) {
    if (has(thrown, UnknownHostException.class)) {
      return Optional.of(new Reason("the host name is not known", "check the host"));
    }
    if (tlsTimedOut(thrown)) {
      return Optional.of(
          new Reason(
              "no answer to TLS within " + readable(settings.requestTimeout()),
              CHECK_PLACE.formatted(settings.secure())));
    }
    if (has(thrown, ConnectTimeoutException.class)) {
      return Optional.of(
          new Reason(
              "no connection within " + readable(settings.connectTimeout()),
              CHECK_PLACE.formatted(settings.secure())
                  + ", and that nothing in between blocks them"));
    }
    // Not its parent ConnectException, which the driver also uses for an answer of status 503.
    if (has(thrown, HttpHostConnectException.class)) {
      return Optional.of(
          new Reason(
              "no connection, nobody listens there",
              "check host and port, and that the server runs",
              true));
    }
    if (has(thrown, NoRouteToHostException.class)) {
      return Optional.of(new Reason("no way leads to this host", "check host and network"));
    }
    if (has(thrown, ConnectionRequestTimeoutException.class)) {
      return Optional.of(
          new Reason(
              "all " + ClickHouseConnection.MAX_HTTP_CONNECTIONS + " connections are in use",
              "try again later, or use fewer threads"));
    }
    return new TlsFault(settings).of(thrown);
  }

  /** How the answer was lost. */
  private Reason lost(Throwable thrown, Progress progress) {
    if (progress == Progress.OUT_OF_TIME || has(thrown, SocketTimeoutException.class)) {
      return new Reason(
          "no answer within " + readable(settings.requestTimeout()),
          "try again, or raise the request timeout");
    }
    if (has(thrown, NoHttpResponseException.class)) {
      return new Reason(
          "the connection was closed without an answer",
          CHECK_PLACE.formatted(settings.secure()),
          true);
    }
    if (has(thrown, SSLException.class)) {
      return new Reason("TLS failed", CHECK_PLACE.formatted(settings.secure()));
    }
    if (has(thrown, ConnectException.class)) {
      return gateway(503);
    }
    if (isGatewayFailure(thrown, "Server returned '502 ")) {
      return gateway(502);
    }
    if (isGatewayFailure(thrown, "Unexpected result status 504")) {
      return gateway(504);
    }
    Optional<Reason> brokenOff = new TlsFault(settings).ofBreakOff(thrown);
    if (brokenOff.isPresent()) {
      return brokenOff.get();
    }
    Optional<Integer> status =
        causes(thrown)
            .filter(ServerException.class::isInstance)
            .map(link -> ((ServerException) link).getTransportProtocolCode())
            .findFirst();
    if (status.isPresent()) {
      return new Reason(
          "HTTP status " + status.get() + " instead of an answer from ClickHouse",
          "check host and port");
    }
    if (has(thrown, IOException.class) && !has(thrown, ClientProtocolException.class)) {
      return new Reason(
          "the connection broke off, or the answer is not one of ClickHouse",
          "check host and port, or try again",
          true);
    }
    // The head of an answer that broke off is taken for a whole one, so it may be that.
    return new Reason("the answer is not one of ClickHouse", "check host and port", true);
  }

  /** What stands between us and the server could not reach it, or lost it. */
  private static Reason gateway(int status) {
    return new Reason(
        "HTTP status " + status + " instead of an answer from ClickHouse", "try again later", true);
  }

  /** The driver tells these statuses in the messages of its exceptions alone. */
  private static boolean isGatewayFailure(Throwable thrown, String beginning) {
    return causes(thrown)
        .filter(ClientException.class::isInstance)
        .anyMatch(cause -> String.valueOf(cause.getMessage()).startsWith(beginning));
  }

  private static String readable(Duration duration) {
    return duration.toMillisPart() == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
  }

  private StateFailure outcomeUnknown(Operation operation, String reason, Throwable cause) {
    return new StateFailure.OutcomeUnknown(
        "whether "
            + operation.gerund()
            + " "
            + target(operation)
            + " happened is unknown: "
            + reason
            + (operation.migrates()
                ? "; when system.processes does not show it any more, run it again, which goes on"
                    + " with what is there"
                : "; look at what is stored before you repeat it"),
        cause);
  }

  private String lackingRight(Operation operation) {
    String schema = names.schema().readable();
    String place =
        switch (operation.target()) {
          case DATABASE, TABLES -> schema + ".*";
          case STATES -> schema + "." + names.state().readable();
          case LOCKS -> schema + "." + names.lock().readable();
          case CLAIMS -> names.claimShown();
          case HISTORY -> schema + "." + names.history().readable();
          case HISTORY_VIEW -> schema + "." + names.historyView().readable();
          case SERVER -> "system.*";
          case MUTATIONS -> "system.mutations";
          case CLUSTERS -> "system.clusters";
        };
    String otherwise =
        switch (operation.target()) {
          case DATABASE -> "create it, or ";
          case TABLES -> "create them, or ";
          case STATES, LOCKS, CLAIMS, HISTORY, HISTORY_VIEW, SERVER, MUTATIONS, CLUSTERS -> "";
        };
    return "the user "
        + user()
        + " lacks a right; an administrator can "
        + otherwise
        + "grant it: GRANT "
        + operation.privilege()
        + " ON "
        + place
        + " TO "
        + user()
        + (operation.synchronizes() ? "; or set consistency to eventual" : "");
  }

  private String text(Operation operation, String reasonAndAdvice) {
    return "cannot " + operation.verb() + " " + target(operation) + ": " + reasonAndAdvice;
  }

  private String target(Operation operation) {
    String schema = names.schema().readable();
    String state = schema + "." + names.state().readable();
    String lock = schema + "." + names.lock().readable();
    String what =
        switch (operation.target()) {
          case DATABASE -> "the database " + schema;
          case TABLES -> "the tables " + state + " and " + lock;
          case STATES -> state;
          case LOCKS -> lock;
          case CLAIMS -> names.claimShown();
          case HISTORY -> schema + "." + names.history().readable();
          case HISTORY_VIEW -> schema + "." + names.historyView().readable();
          case SERVER -> "the server";
          case MUTATIONS -> "system.mutations";
          case CLUSTERS -> "system.clusters";
        };
    return what + " at " + place;
  }

  private String user() {
    return new Identifier(settings.user()).readable();
  }

  private static int serverCode(Throwable thrown) {
    return causes(thrown)
        .map(link -> link instanceof SQLException sql ? sql.getErrorCode() : 0)
        .filter(code -> code != 0)
        .findFirst()
        .orElse(0);
  }

  /**
   * Whether there was a connection, and nobody answered to TLS on it. The HTTP client gives both
   * the same exception; only the message tells that it waited for an answer.
   */
  private static boolean tlsTimedOut(Throwable thrown) {
    return causes(thrown)
        .filter(ConnectTimeoutException.class::isInstance)
        .anyMatch(cause -> String.valueOf(cause.getMessage()).endsWith("Read timed out"));
  }

  private static boolean has(Throwable thrown, Class<? extends Throwable> kind) {
    return causes(thrown).anyMatch(kind::isInstance);
  }

  private static Stream<Throwable> causes(Throwable thrown) {
    return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause);
  }
}
