package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ReplicaConsistencyTest {
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
  private static final Map<String, String> QUORUM =
      Map.of(
          "insert_quorum", "auto",
          "insert_quorum_parallel", "1",
          "insert_quorum_timeout", "27000",
          "insert_keeper_max_retries", "5");
  private static final ReplicaConsistency.Sync STATES =
      new ReplicaConsistency.Sync(Operation.SYNC_STATES, "SYSTEM SYNC REPLICA <table> LIGHTWEIGHT");
  private static final ReplicaConsistency.Sync LOCKS =
      new ReplicaConsistency.Sync(
          Operation.SYNC_LOCKS, "SYSTEM SYNC REPLICA <lock_table> LIGHTWEIGHT");
  private static final ReplicaConsistency.Sync HISTORY =
      new ReplicaConsistency.Sync(
          Operation.SYNC_HISTORY, "SYSTEM SYNC REPLICA <history_table> LIGHTWEIGHT");

  /** A statement of ours. */
  record Constant(String name, String sql) {
    @Override
    public String toString() {
      return name;
    }

    boolean begins(String... words) {
      return Arrays.stream(words).anyMatch(word -> sql.strip().startsWith(word));
    }
  }

  static List<Constant> statements() throws Exception {
    Stream.Builder<Constant> all = Stream.builder();
    for (Class<?> type : DeduplicationTest.statementClasses()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getType() == String.class) {
          field.setAccessible(true);
          all.add(
              new Constant(type.getSimpleName() + "." + field.getName(), (String) field.get(null)));
        }
      }
    }
    return all.build().toList();
  }

  @ParameterizedTest
  @MethodSource("statements")
  void whatReadsReplicatedTablesWaitsForEachOfThem(Constant statement) {
    List<ReplicaConsistency.Sync> before = all(TableKind.REPLICATED).before(statement.sql());
    if (statement.begins("SELECT", "INSERT", "DELETE")) {
      String rest = statement.sql().replaceFirst("^\\s*(DELETE FROM|INSERT INTO) <\\w+>", "");
      assertThat(before.contains(STATES)).isEqualTo(rest.contains("FROM <table>"));
      assertThat(before.contains(LOCKS)).isEqualTo(rest.contains("FROM <lock_table>"));
      assertThat(before.contains(HISTORY)).isEqualTo(rest.contains("FROM <history_table>"));
      assertThat(before).doesNotHaveDuplicates();
    } else {
      assertThat(before).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("statements")
  void everyInsertIsAcknowledgedByMostReplicas(Constant statement) {
    assertThat(all(TableKind.REPLICATED).besides(statement.sql()))
        .isEqualTo(
            statement.begins(
                    "INSERT INTO <table> ",
                    "INSERT INTO <lock_table> ",
                    "INSERT INTO <history_table> ")
                ? QUORUM
                : Map.of());
  }

  @ParameterizedTest
  @MethodSource("statements")
  void whatReadsOneStorageReadsItsNewestParts(Constant statement) {
    String rest = statement.sql().replaceFirst("^\\s*(DELETE FROM|INSERT INTO) <\\w+>", "");
    boolean reads =
        statement.begins("SELECT", "INSERT", "DELETE")
            && rest.matches("(?s).*FROM <(table|lock_table|history_table)>.*");
    assertThat(all(TableKind.SHARED).before(statement.sql())).isEmpty();
    assertThat(all(TableKind.SHARED).besides(statement.sql()))
        .isEqualTo(reads ? Map.of("select_sequential_consistency", "1") : Map.of());
  }

  @ParameterizedTest
  @MethodSource("statements")
  void nothingIsDoneOnPlainTables(Constant statement) {
    for (Consistency wanted : Consistency.values()) {
      ReplicaConsistency plain =
          new ReplicaConsistency(wanted, REQUEST_TIMEOUT, table -> TableKind.PLAIN);
      assertThat(plain.before(statement.sql())).isEmpty();
      assertThat(plain.besides(statement.sql())).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(TableKind.class)
  void nothingIsDoneNorLookedAtWhereEventuallyIsEnough(TableKind kind) throws Exception {
    ReplicaConsistency eventual =
        new ReplicaConsistency(
            Consistency.EVENTUAL,
            REQUEST_TIMEOUT,
            table -> {
              throw new AssertionError("asked for " + table + ", " + kind);
            });
    for (Constant statement : statements()) {
      assertThat(eventual.before(statement.sql())).isEmpty();
      assertThat(eventual.besides(statement.sql())).isEmpty();
    }
  }

  @Test
  void eachTableIsTakenAsItIs() {
    ReplicaConsistency mixed =
        new ReplicaConsistency(
            Consistency.AUTO,
            REQUEST_TIMEOUT,
            table -> table.equals("lock_table") ? TableKind.REPLICATED : TableKind.PLAIN);
    assertThat(mixed.before(StateTableSql.FIND)).isEmpty();
    assertThat(mixed.before(StateTableSql.INSERT_IF_HELD_AND_NEWER)).containsExactly(LOCKS);
    assertThat(mixed.besides(StateTableSql.INSERT_IF_HELD_AND_NEWER)).isEmpty();
    assertThat(mixed.besides(LockTableSql.ANNOUNCE)).isEqualTo(QUORUM);
  }

  @Test
  void catchingUpHasNineTenthsOfTheTime() {
    assertThat(all(TableKind.REPLICATED).besides(STATES.sql()))
        .isEqualTo(Map.of("receive_timeout", "27"));
    assertThat(
            new ReplicaConsistency(
                    Consistency.STRONG, Duration.ofMillis(300), table -> TableKind.REPLICATED)
                .besides(STATES.sql()))
        .isEqualTo(Map.of("receive_timeout", "1"));
  }

  private static ReplicaConsistency all(TableKind kind) {
    return new ReplicaConsistency(Consistency.AUTO, REQUEST_TIMEOUT, table -> kind);
  }
}
