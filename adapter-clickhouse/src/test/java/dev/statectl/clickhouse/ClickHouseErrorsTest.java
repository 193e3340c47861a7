package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import com.clickhouse.client.api.ClientException;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateFailure.Kind;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.HttpHostConnectException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ClickHouseErrorsTest {
  private final ClickHouseSettings settings =
      new ClickHouseSettings(
          "ch",
          8123,
          false,
          "default",
          "meltano",
          "marker-password",
          "meltano",
          "state",
          Duration.ofSeconds(60),
          Duration.ofSeconds(30));
  private final ClickHouseErrors errors = new ClickHouseErrors(settings, TableNames.of(settings));

  @ParameterizedTest
  @CsvSource({
    "6, WRONG_SCHEMA, WRONG_SCHEMA",
    "16, WRONG_SCHEMA, WRONG_SCHEMA",
    "36, WRONG_SCHEMA, WRONG_SCHEMA",
    "43, WRONG_SCHEMA, WRONG_SCHEMA",
    "47, WRONG_SCHEMA, WRONG_SCHEMA",
    "48, WRONG_SCHEMA, WRONG_SCHEMA",
    "53, WRONG_SCHEMA, WRONG_SCHEMA",
    "181, WRONG_SCHEMA, WRONG_SCHEMA",
    "344, WRONG_SCHEMA, WRONG_SCHEMA",
    "62, UNAVAILABLE, UNAVAILABLE",
    "115, UNAVAILABLE, UNAVAILABLE",
    "164, DENIED, DENIED",
    "192, DENIED, DENIED",
    "193, DENIED, DENIED",
    "194, DENIED, DENIED",
    "195, DENIED, DENIED",
    "452, DENIED, DENIED",
    "497, DENIED, DENIED",
    "516, DENIED, DENIED",
    "201, UNAVAILABLE, UNAVAILABLE",
    "202, UNAVAILABLE, UNAVAILABLE",
    "242, UNAVAILABLE, UNAVAILABLE",
    "285, UNAVAILABLE, UNAVAILABLE",
    "286, UNAVAILABLE, UNAVAILABLE",
    "289, UNAVAILABLE, UNAVAILABLE",
    "252, UNAVAILABLE, UNAVAILABLE",
    "439, UNAVAILABLE, UNAVAILABLE",
    "668, UNAVAILABLE, UNAVAILABLE",
    // What may come after the server began: a write is in doubt.
    "158, UNAVAILABLE, OUTCOME_UNKNOWN",
    "159, UNAVAILABLE, OUTCOME_UNKNOWN",
    "209, UNAVAILABLE, OUTCOME_UNKNOWN",
    "241, UNAVAILABLE, OUTCOME_UNKNOWN",
    "243, UNAVAILABLE, OUTCOME_UNKNOWN",
    "307, UNAVAILABLE, OUTCOME_UNKNOWN",
    "236, UNAVAILABLE, OUTCOME_UNKNOWN",
    "319, UNAVAILABLE, OUTCOME_UNKNOWN",
    "341, UNAVAILABLE, OUTCOME_UNKNOWN",
    "394, UNAVAILABLE, OUTCOME_UNKNOWN",
    "395, UNAVAILABLE, OUTCOME_UNKNOWN",
    "396, UNAVAILABLE, OUTCOME_UNKNOWN",
    "999, UNAVAILABLE, OUTCOME_UNKNOWN",
    "123456, UNAVAILABLE, OUTCOME_UNKNOWN",
  })
  void aCodeOfTheServer(int code, Kind read, Kind write) {
    assertThat(kindOf(Operation.READ, code)).isEqualTo(read);
    assertThat(kindOf(Operation.SAVE, code)).isEqualTo(write);
    assertThat(kindOf(Operation.DELETE, code)).isEqualTo(write);
    assertThat(kindOf(Operation.CLEAR, code)).isEqualTo(write);
    assertThat(kindOf(Operation.READ_LOCKS, code)).isEqualTo(read);
    assertThat(kindOf(Operation.LOCK, code)).isEqualTo(write);
    assertThat(kindOf(Operation.UNLOCK, code)).isEqualTo(write);
    assertThat(kindOf(Operation.UPGRADE_LOCKS, code)).isEqualTo(read);
    assertThat(kindOf(Operation.CREATE_TABLE, code)).isEqualTo(read);
  }

  @ParameterizedTest
  @CsvSource({
    "202, true",
    "210, true",
    "225, true",
    "236, true",
    "242, true",
    "252, true",
    "279, true",
    "285, true",
    "286, true",
    "289, true",
    "319, true",
    "341, true",
    "394, true",
    "439, true",
    "668, true",
    "999, true",
    "47, false",
    "60, false",
    "62, false",
    "159, false",
    "164, false",
    "201, false",
    "209, false",
    "241, false",
    "243, false",
    "395, false",
    "497, false",
    "516, false",
    "123456, false"
  })
  void someCodesMayPass(int code, boolean passing) {
    SQLException thrown = new SQLException("marker", "22000", code);
    assertThat(errors.mayPass(thrown, Progress.SENT)).isEqualTo(passing);
    if (errors.failureOf(Operation.SAVE, thrown, Progress.SENT)
        instanceof StateFailure.OutcomeUnknown unknown) {
      assertThat(ClickHouseErrors.isAnswerLost(unknown)).isEqualTo(passing);
    }
  }

  @Test
  void someFaultsMayPass() {
    for (Exception passing :
        List.of(
            new SocketException("marker"),
            new ConnectException("marker"),
            new HttpHostConnectException("marker"),
            new NoHttpResponseException("marker"),
            new ClientException("Server returned '502 Bad gateway'. Check network."),
            new ClientException("Unexpected result status 504"),
            new ClientException("marker"),
            new IllegalStateException("marker"))) {
      assertThat(errors.mayPass(passing, Progress.SENT)).as("%s", passing).isTrue();
      assertThat(errors.mayPass(passing, Progress.OUT_OF_TIME))
          .as("late %s", passing)
          .isEqualTo(passing instanceof HttpHostConnectException);
    }
    for (Exception staying :
        List.of(
            new SocketTimeoutException("marker"),
            new UnknownHostException("marker"),
            new NoRouteToHostException("marker"),
            new ConnectTimeoutException("marker"),
            new ConnectionRequestTimeoutException("marker"),
            new SSLHandshakeException("marker"))) {
      assertThat(errors.mayPass(staying, Progress.SENT)).as("%s", staying).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void whatWasNotSentLeavesNothingOpen(Operation operation) {
    assertThat(errors.failureOf(operation, new SocketException("marker"), Progress.NOT_SENT))
        .isInstanceOf(StateFailure.Unavailable.class);
  }

  @ParameterizedTest
  @CsvSource({
    "READ, true",
    "READ_LOCKS, true",
    "READ_HISTORY, true",
    "LOCK, true",
    "UNLOCK, true",
    "UPGRADE_LOCKS, true",
    "CREATE_DATABASE, true",
    "CREATE_TABLE, true",
    "CREATE_HISTORY, true",
    "CHANGE_HISTORY, true",
    "CREATE_VIEW, true",
    "DROP_VIEW, true",
    "SYNC_STATES, true",
    "SYNC_LOCKS, true",
    "SYNC_HISTORY, true",
    "SAVE, false",
    "DELETE, false",
    "CLEAR, false",
    "ANNOUNCE, false",
    "RECORD, false"
  })
  void someOperationsMayBeSentAgain(Operation operation, boolean repeatable) {
    assertThat(operation.isRepeatable()).isEqualTo(repeatable);
  }

  @Test
  void aReleaseThatWasCancelledSaysSo() {
    assertThat(
            errors.failureOf(
                Operation.UNLOCK, new SQLException("marker", "22000", 341), Progress.SENT))
        .isInstanceOf(StateFailure.OutcomeUnknown.class)
        .hasMessage(
            "whether deleting from meltano.state_lock at ch:8123 happened is unknown: the server"
                + " did not finish it, for a shutdown, another change of the table, or a replica"
                + " that is down (ClickHouse error 341); look at what is stored before you repeat"
                + " it");
  }

  @ParameterizedTest
  @CsvSource({"60", "81"})
  void aMissingTableIsForTheReaderToJudge(int code) {
    for (Operation read : new Operation[] {Operation.READ, Operation.READ_LOCKS}) {
      assertThat(errors.failureOf(read, new SQLException("marker", "22000", code), Progress.SENT))
          .isInstanceOf(TableMissingException.class);
    }
    assertThat(kindOf(Operation.SAVE, code)).isEqualTo(Kind.WRONG_SCHEMA);
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void aConnectionThatWasNeverMadeLeavesNothingOpen(Operation operation) {
    assertThat(errors.failureOf(operation, new HttpHostConnectException("marker"), Progress.SENT))
        .isInstanceOf(StateFailure.Unavailable.class);
    assertThat(
            errors.failureOf(
                operation, new ConnectionRequestTimeoutException("marker"), Progress.SENT))
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessageContaining(": all 64 connections are in use; ");
  }

  @ParameterizedTest
  @CsvSource({
    "READ, UNAVAILABLE",
    "CREATE_DATABASE, UNAVAILABLE",
    "CREATE_TABLE, UNAVAILABLE",
    "SAVE, OUTCOME_UNKNOWN",
    "DELETE, OUTCOME_UNKNOWN",
    "CLEAR, OUTCOME_UNKNOWN",
    "READ_LOCKS, UNAVAILABLE",
    "UPGRADE_LOCKS, UNAVAILABLE",
    "LOCK, OUTCOME_UNKNOWN",
    "UNLOCK, OUTCOME_UNKNOWN",
  })
  void aConnectionThatDiedLeavesWritesInDoubt(Operation operation, Kind kind) {
    for (Exception thrown :
        new Exception[] {
          new SocketException("marker"),
          // The driver's way to report status 503.
          new ConnectException("marker"),
          new IllegalStateException("marker")
        }) {
      assertThat(((StateFailure) errors.failureOf(operation, thrown, Progress.SENT)).kind())
          .isEqualTo(kind);
    }
  }

  @Test
  void theTextsBelowAreWithheld() {
    SQLException thrown =
        new SQLException("marker", "22000", 241, new IllegalStateException("marker"));
    RuntimeException failure = errors.failureOf(Operation.READ, thrown, Progress.SENT);
    assertThat(failure)
        .hasMessage(
            "cannot read meltano.state at ch:8123: the server's limits of memory or of rows are"
                + " too low for this (ClickHouse error 241); ask its administrator to raise them"
                + " for this user");
    assertThat(failure.getCause())
        .hasMessage(
            "java.sql.SQLException[22000/241], caused by java.lang.IllegalStateException (their"
                + " texts are withheld)")
        .hasNoCause();
    assertThat(failure.getCause().getStackTrace()).isEqualTo(thrown.getStackTrace());
  }

  private Kind kindOf(Operation operation, int code) {
    RuntimeException failure =
        errors.failureOf(operation, new SQLException("marker", "22000", code), Progress.SENT);
    assertThat(failure).hasMessageNotContaining("marker");
    return ((StateFailure) failure).kind();
  }
}
