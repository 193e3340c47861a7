package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FailureReporterTest {
  private static final StateId ID = StateId.of("dev:a");

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @ParameterizedTest
  @MethodSource
  void everyKindOfFailureHasItsExitCodeAndOneLine(StateFailure failure, ExitCode expected) {
    assertThat(reporter(Map.of()).report(failure)).isEqualTo(expected.code());
    assertThat(said()).isEqualTo("statectl: " + failure.getMessage() + "\n");
  }

  static Stream<Arguments> everyKindOfFailureHasItsExitCodeAndOneLine() {
    return Stream.of(
        Arguments.of(new StateFailure.Unavailable("no answer", null), ExitCode.UNREACHABLE),
        Arguments.of(new StateFailure.OutcomeUnknown("cut off", null), ExitCode.UNREACHABLE),
        Arguments.of(new StateFailure.Denied("not allowed", null), ExitCode.DENIED),
        Arguments.of(new StateFailure.WrongSchema("no column", null), ExitCode.FAILURE),
        Arguments.of(
            new StateFailure.UnreadableState(ID, "partial_state", "no object", null),
            ExitCode.FAILURE),
        Arguments.of(new StateFailure.TooLarge(ID, 2, 1), ExitCode.FAILURE),
        Arguments.of(new StateFailure.NotFound(ID), ExitCode.NOT_FOUND),
        Arguments.of(new StateFailure.LockLost(ID, "expired"), ExitCode.LOCKED));
  }

  @Test
  void theCodesAreThoseThatScriptsKnow() {
    assertThat(ExitCode.values())
        .extracting(ExitCode::code)
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  void anUnexpectedFailureShowsNeitherItsMessageNorATrace() {
    RuntimeException failure = new RuntimeException("{\"token\":\"secret\"}");

    assertThat(reporter(Map.of()).report(failure)).isEqualTo(1);
    assertThat(said())
        .isEqualTo(
            "statectl: unexpected failure: java.lang.RuntimeException; please report it with what"
                + " STATECTL_DEBUG=1 shows\n");
  }

  @Test
  void aTraceIsShownToWhoAsksForIt() {
    reporter(Map.of("STATECTL_DEBUG", "1")).report(new RuntimeException("the message"));

    assertThat(said())
        .startsWith("java.lang.RuntimeException: the message\n\tat ")
        .contains("FailureReporterTest.aTraceIsShownToWhoAsksForIt")
        .endsWith("shows\n");
  }

  @Test
  void aLackOfMemoryIsNoMystery() {
    assertThat(reporter(Map.of()).report(new OutOfMemoryError("Java heap space"))).isEqualTo(1);
    assertThat(said())
        .isEqualTo(
            "statectl: out of memory; what was changed by then stays; give Java more, for example"
                + " STATECTL_JAVA_OPTS=-Xmx2g\n");
  }

  @Test
  void aReaderThatIsGoneEndsTheCommandSilentlyAsSigpipeWould() {
    assertThat(reporter(Map.of()).report(new OutputFailure(new IOException("Broken pipe"))))
        .isEqualTo(141);
    assertThat(said()).isEmpty();
  }

  @Test
  void aFullDiskIsAFailure() {
    assertThat(
            reporter(Map.of())
                .report(new OutputFailure(new IOException("No space left on device"))))
        .isEqualTo(1);
    assertThat(said())
        .isEqualTo("statectl: cannot write to standard output: No space left on device\n");
  }

  @Test
  void aMessageStaysOneLineWhateverItQuotes() {
    reporter(Map.of()).report(new StateFailure.NotFound(StateId.of("a\nstatectl: done\u001b[1A")));

    assertThat(said()).isEqualTo("statectl: no state with the id 'a\\nstatectl: done\\x1b[1A'\n");
  }

  private FailureReporter reporter(Map<String, String> environment) {
    return new FailureReporter(
        new Diagnostics(new PrintStream(err, true, StandardCharsets.UTF_8)),
        new LockAdvice(new ConnectionOptions()),
        environment);
  }

  private String said() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
