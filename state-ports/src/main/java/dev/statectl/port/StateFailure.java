package dev.statectl.port;

import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockTerms;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import dev.statectl.stream.Doubt;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Why a store did not do what it was asked. The family is closed; {@link #kind()} lets a caller
 * switch over it. Messages are for people: they say what was wrong, where, and what to do next, and
 * hold no secret and no part of a state.
 */
public abstract sealed class StateFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What to do next, or null. */
  private final @Nullable String advice;

  private StateFailure(String message, @Nullable Throwable cause) {
    this(message, null, cause);
  }

  private StateFailure(String message, @Nullable String advice, @Nullable Throwable cause) {
    super(message, cause);
    this.advice = advice;
  }

  /** The members of the family. */
  public enum Kind {
    /** {@link Unavailable}. */
    UNAVAILABLE,
    /** {@link Denied}. */
    DENIED,
    /** {@link WrongSchema}. */
    WRONG_SCHEMA,
    /** {@link UnreadableState}. */
    UNREADABLE_STATE,
    /** {@link TooLarge}. */
    TOO_LARGE,
    /** {@link OutcomeUnknown}. */
    OUTCOME_UNKNOWN,
    /** {@link NotFound}. */
    NOT_FOUND,
    /** {@link NoHistory}. */
    NO_HISTORY,
    /** {@link Conflict}. */
    CONFLICT,
    /** {@link Doubtful}. */
    DOUBTFUL,
    /** {@link LockHeld} or {@link StoreHeld}. */
    LOCK_HELD,
    /** {@link LockLost}. */
    LOCK_LOST
  }

  /**
   * Tells which member of the family this is.
   *
   * @return the kind
   */
  public abstract Kind kind();

  /**
   * Gives the next step apart, for programs that show it so. The message names it as well.
   *
   * @return what to do next, or empty where the message names nothing of its own
   */
  public Optional<String> advice() {
    return Optional.ofNullable(advice);
  }

  /** The store did not answer, or not in time, or not as itself. Nothing was changed. */
  public static final class Unavailable extends StateFailure {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the failure.
     *
     * @param message what did not answer, where, and what to do
     * @param cause the failure below, or null
     */
    public Unavailable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }

    /**
     * Makes the failure with its advice apart.
     *
     * @param message what did not answer, where, and what to do
     * @param advice what to do, as the message says it, too
     * @param cause the failure below, or null
     */
    public Unavailable(String message, String advice, @Nullable Throwable cause) {
      super(message, advice, cause);
    }

    @Override
    public Kind kind() {
      return Kind.UNAVAILABLE;
    }
  }

  /** The store knows the user and refuses, or does not know the user. Nothing was changed. */
  public static final class Denied extends StateFailure {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the failure.
     *
     * @param message who may not do what, and which right is missing
     * @param cause the failure below, or null
     */
    public Denied(String message, @Nullable Throwable cause) {
      super(message, cause);
    }

    /**
     * Makes the failure with its advice apart.
     *
     * @param message who may not do what, and which right is missing
     * @param advice what to do, as the message says it, too
     * @param cause the failure below, or null
     */
    public Denied(String message, String advice, @Nullable Throwable cause) {
      super(message, advice, cause);
    }

    @Override
    public Kind kind() {
      return Kind.DENIED;
    }
  }

  /** The store's database, tables or file are not there or not of the expected form. */
  public static final class WrongSchema extends StateFailure {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the failure.
     *
     * @param message what was expected, what was found, and how to mend it
     * @param cause the failure below, or null
     */
    public WrongSchema(String message, @Nullable Throwable cause) {
      super(message, cause);
    }

    /**
     * Makes the failure with its advice apart.
     *
     * @param message what was expected, what was found, and how to mend it
     * @param advice what to do, as the message says it, too
     * @param cause the failure below, or null
     */
    public WrongSchema(String message, String advice, @Nullable Throwable cause) {
      super(message, advice, cause);
    }

    @Override
    public Kind kind() {
      return Kind.WRONG_SCHEMA;
    }
  }

  /** What is stored under an id is not a state. It stays as it is until it is set or removed. */
  public static final class UnreadableState extends StateFailure {
    private static final long serialVersionUID = 1L;

    private final transient StateId id;

    /** The column that cannot be read. */
    private final String column;

    /** What is wrong with it, without any of its content. */
    private final String reason;

    /**
     * Makes the failure.
     *
     * @param id the id of the row
     * @param column the column that cannot be read
     * @param reason what is wrong with it, without any of its content
     * @param cause the failure below, or null
     */
    public UnreadableState(StateId id, String column, String reason, @Nullable Throwable cause) {
      super(
          "the state of '"
              + id
              + "' cannot be read: column "
              + column
              + ": "
              + reason
              + " (nothing was changed; set the state anew or clear it)",
          cause);
      this.id = id;
      this.column = column;
      this.reason = reason;
    }

    /**
     * Gives the id of the row.
     *
     * @return the id
     */
    public StateId id() {
      return id;
    }

    /**
     * Names the column.
     *
     * @return the column that cannot be read
     */
    public String column() {
      return column;
    }

    /**
     * Tells what is wrong.
     *
     * @return the reason, without any of the column's content
     */
    public String reason() {
      return reason;
    }

    @Override
    public Kind kind() {
      return Kind.UNREADABLE_STATE;
    }
  }

  /** A state is larger than may be written. Nothing was changed. */
  public static final class TooLarge extends StateFailure {
    private static final long serialVersionUID = 1L;

    private final transient StateId id;

    /** How large the state is. */
    private final long bytes;

    /** How large it may be. */
    private final long limit;

    /**
     * Makes the failure.
     *
     * @param id whose state it is
     * @param bytes how large the state is
     * @param limit how large it may be
     */
    public TooLarge(StateId id, long bytes, long limit) {
      super(
          "the state of '"
              + id
              + "' has "
              + bytes
              + " bytes, more than the "
              + limit
              + " that may be written; nothing was changed",
          null);
      this.id = id;
      this.bytes = bytes;
      this.limit = limit;
    }

    /**
     * Tells whose state it is.
     *
     * @return the id
     */
    public StateId id() {
      return id;
    }

    /**
     * Tells how large the state is.
     *
     * @return bytes of UTF-8
     */
    public long bytes() {
      return bytes;
    }

    /**
     * Tells how large a state may be.
     *
     * @return bytes of UTF-8
     */
    public long limit() {
      return limit;
    }

    @Override
    public Kind kind() {
      return Kind.TOO_LARGE;
    }
  }

  /** A change was sent and no answer came: it may have been made or not. Look before you repeat. */
  public static final class OutcomeUnknown extends StateFailure {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the failure.
     *
     * @param message what was sent where, and how to see whether it happened
     * @param cause the failure below, or null
     */
    public OutcomeUnknown(String message, @Nullable Throwable cause) {
      super(message, cause);
    }

    @Override
    public Kind kind() {
      return Kind.OUTCOME_UNKNOWN;
    }
  }

  /** There is no state under an id, or no such version of it in its history. */
  public static final class NotFound extends StateFailure {
    private static final long serialVersionUID = 1L;

    private final transient StateId id;

    /**
     * Makes the failure.
     *
     * @param id the id that was looked for
     */
    public NotFound(StateId id) {
      this(id, "no state with the id '" + id + "'");
    }

    /**
     * Makes the failure for a version that the history of an id does not have.
     *
     * @param id whose history it is
     * @param version the version that was looked for
     */
    public NotFound(StateId id, StateVersion version) {
      this(
          id,
          "the history of '"
              + id
              + "' has no version "
              + version
              + "; to see which it has: statectl history",
          "to see which it has: statectl history");
    }

    /**
     * Makes the failure for what is not in the history of an id.
     *
     * @param id whose state it is
     * @param message what was looked for, and what to do
     */
    public NotFound(StateId id, String message) {
      super(message, null);
      this.id = id;
    }

    /**
     * Makes the failure for what is not in the history of an id, with its advice apart.
     *
     * @param id whose state it is
     * @param message what was looked for, and what to do
     * @param advice what to do, as the message says it, too
     */
    public NotFound(StateId id, String message, String advice) {
      super(message, advice, null);
      this.id = id;
    }

    /**
     * Tells what was looked for.
     *
     * @return the id
     */
    public StateId id() {
      return id;
    }

    @Override
    public Kind kind() {
      return Kind.NOT_FOUND;
    }
  }

  /** What is stored is not what the change was planned for: somebody else changed it meanwhile. */
  public static final class Conflict extends StateFailure {
    private static final long serialVersionUID = 1L;

    private final transient StateId id;

    /**
     * Makes the failure.
     *
     * @param id whose state it is
     * @param message what was planned, what was found, and what was changed
     */
    public Conflict(StateId id, String message) {
      super(message, null);
      this.id = id;
    }

    /**
     * Tells whose state it is.
     *
     * @return the id
     */
    public StateId id() {
      return id;
    }

    @Override
    public Kind kind() {
      return Kind.CONFLICT;
    }
  }

  /** There are doubts whether a change is meant, and nobody insisted on it. Nothing was changed. */
  public static final class Doubtful extends StateFailure {
    private static final long serialVersionUID = 1L;

    private final transient StateId id;
    private final transient List<Doubt> doubts;

    /**
     * Makes the failure; the list is copied.
     *
     * @param id whose state it is
     * @param doubts what speaks against the change; at least one
     */
    public Doubtful(StateId id, List<Doubt> doubts) {
      super(
          "the state of '"
              + id
              + "' was not changed: "
              + doubts.stream().map(Doubt::message).collect(Collectors.joining("; ")),
          null);
      this.id = id;
      this.doubts = List.copyOf(doubts);
    }

    /**
     * Tells whose state it is.
     *
     * @return the id
     */
    public StateId id() {
      return id;
    }

    /**
     * Tells what speaks against the change.
     *
     * @return the doubts, at least one
     */
    public List<Doubt> doubts() {
      return doubts;
    }

    @Override
    public Kind kind() {
      return Kind.DOUBTFUL;
    }
  }

  /** No history was ever recorded in this place. */
  public static final class NoHistory extends StateFailure {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the failure.
     *
     * @param target the place, as {@link Backend#target()} names it
     */
    public NoHistory(String target) {
      super(
          "no history was ever recorded at "
              + target
              + "; from now on it is recorded after: statectl history enable",
          null);
    }

    @Override
    public Kind kind() {
      return Kind.NO_HISTORY;
    }
  }

  /** Somebody else holds the lock, and did so until the time to wait was over. */
  public static final class LockHeld extends StateFailure {
    private static final long serialVersionUID = 1L;

    private final transient StateId id;
    private final transient @Nullable LockCandidate candidate;
    private final transient LockTerms terms;

    /**
     * Makes the failure.
     *
     * @param id whose lock it is
     * @param candidate who is in the way, or null when those who were have gone meanwhile
     * @param terms the times that all keep to
     */
    public LockHeld(StateId id, @Nullable LockCandidate candidate, LockTerms terms) {
      super(message(id, candidate, terms), null);
      this.id = id;
      this.candidate = candidate;
      this.terms = terms;
    }

    private static String message(StateId id, @Nullable LockCandidate candidate, LockTerms terms) {
      if (candidate == null) {
        return "the lock of '" + id + "' could not be taken in time: others came and went";
      }
      return "the lock of '%s' is held by %s (lock id %s) since %s, %d s ago; unless it is renewed, it counts no more after %s"
          .formatted(
              id,
              candidate.who(),
              candidate.lockId(),
              candidate.since(),
              Duration.between(candidate.since(), candidate.seenAt()).toSeconds(),
              candidate.expires(terms));
    }

    /**
     * Tells whose lock it is.
     *
     * @return the id
     */
    public StateId id() {
      return id;
    }

    /**
     * Tells who is in the way.
     *
     * @return the candidate, or empty when those who were in the way have gone meanwhile
     */
    public Optional<LockCandidate> candidate() {
      return Optional.ofNullable(candidate);
    }

    /**
     * Tells by which times the candidate counts.
     *
     * @return the terms
     */
    public LockTerms terms() {
      return terms;
    }

    @Override
    public Kind kind() {
      return Kind.LOCK_HELD;
    }
  }

  /** Another program holds the whole store, and did so until the time to wait was over. */
  public static final class StoreHeld extends StateFailure {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the failure. Nothing was changed.
     *
     * @param message who holds which store, and what to do
     * @param advice what to do, as the message says it, too
     */
    public StoreHeld(String message, String advice) {
      super(message, advice, null);
    }

    @Override
    public Kind kind() {
      return Kind.LOCK_HELD;
    }
  }

  /** A lock was lost while it was held: what was to be done under it was not done. */
  public static final class LockLost extends StateFailure {
    private static final long serialVersionUID = 1L;

    private final transient StateId id;

    /** How the lock was lost. */
    private final String reason;

    /**
     * Makes the failure.
     *
     * @param id whose lock it was
     * @param reason how it was lost
     */
    public LockLost(StateId id, String reason) {
      super("the lock of '" + id + "' was lost: " + reason, null);
      this.id = id;
      this.reason = reason;
    }

    /**
     * Tells whose lock it was.
     *
     * @return the id
     */
    public StateId id() {
      return id;
    }

    /**
     * Tells how the lock was lost.
     *
     * @return the reason, as the message ends with it
     */
    public String reason() {
      return reason;
    }

    @Override
    public Kind kind() {
      return Kind.LOCK_LOST;
    }
  }
}
