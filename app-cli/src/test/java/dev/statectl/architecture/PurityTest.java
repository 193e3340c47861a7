package dev.statectl.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.statectl.architecture.ProductClasses.violations;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.ClassesShould;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The domain and the ports give the same answer to the same question: all else is passed in. */
class PurityTest {
  private static final ArchRule NO_CLOCK =
      pure().accessTargetWhere(Forbidden.CLOCK).as("the domain and the ports read no clock");

  private static final ArchRule NO_RANDOM =
      pure().accessTargetWhere(Forbidden.RANDOM).as("the domain and the ports make no randomness");

  private static final ArchRule NO_WAITING =
      pure().accessTargetWhere(Forbidden.WAITING).as("the domain and the ports do not wait");

  private static final ArchRule NO_ENVIRONMENT =
      pure()
          .accessTargetWhere(Forbidden.ENVIRONMENT)
          .as("the domain and the ports do not read the environment");

  private static final ArchRule NO_INPUT_AND_OUTPUT =
      pure()
          .dependOnClassesThat(Forbidden.INPUT_AND_OUTPUT)
          .as("the domain and the ports do no input or output");

  static final List<ArchRule> RULES =
      List.of(NO_CLOCK, NO_RANDOM, NO_WAITING, NO_ENVIRONMENT, NO_INPUT_AND_OUTPUT);

  @ParameterizedTest
  @FieldSource("RULES")
  void theDomainAndThePortsArePure(ArchRule rule) {
    rule.check(ProductClasses.ALL);
  }

  @ParameterizedTest
  @FieldSource("RULES")
  void whatIsPassedInIsPure(ArchRule rule) {
    assertThat(violations(rule, "state.planted.TakesItsSurroundings")).isEmpty();
  }

  @Test
  void aClockIsReported() {
    assertThat(violations(NO_CLOCK, "state.planted.ReadsClock"))
        .containsExactlyInAnyOrder(
            by("state.planted.ReadsClock.calendar()", "calls", "java.util.Calendar.getInstance()"),
            by("state.planted.ReadsClock.clock()", "calls", "java.time.Clock.systemUTC()"),
            "Method <dev.statectl.state.planted.ReadsClock.date()> calls constructor"
                + " <java.util.Date.<init>()>",
            by("state.planted.ReadsClock.instant()", "calls", "java.time.Instant.now()"),
            by("state.planted.ReadsClock.localDate()", "calls", "java.time.LocalDate.now()"),
            by(
                "state.planted.ReadsClock.millis()",
                "calls",
                "java.lang.System.currentTimeMillis()"),
            by("state.planted.ReadsClock.nanos()", "calls", "java.lang.System.nanoTime()"),
            by("state.planted.ReadsClock.reference()", "references", "java.time.Instant.now()"),
            by(
                "state.planted.ReadsClock.ticks(java.time.ZoneId)",
                "calls",
                "java.time.Clock.tickSeconds(java.time.ZoneId)"),
            by(
                "state.planted.ReadsClock.zoned(java.time.ZoneId)",
                "calls",
                "java.time.ZonedDateTime.now(java.time.ZoneId)"));
  }

  @Test
  void aClockInAPortIsReported() {
    assertThat(violations(NO_CLOCK, "usecase.planted.ReadsClock"))
        .containsExactly(
            by("usecase.planted.ReadsClock.instant()", "calls", "java.time.Instant.now()"));
  }

  @Test
  void randomnessIsReported() {
    assertThat(violations(NO_RANDOM, "state.planted.MakesRandomness"))
        .containsExactlyInAnyOrder(
            by(
                "state.planted.MakesRandomness.generator()",
                "calls",
                "java.util.random.RandomGenerator.getDefault()"),
            by("state.planted.MakesRandomness.math()", "calls", "java.lang.Math.random()"),
            "Method <dev.statectl.state.planted.MakesRandomness.random()> calls constructor"
                + " <java.util.Random.<init>()>",
            "Method <dev.statectl.state.planted.MakesRandomness.secure()> calls constructor"
                + " <java.security.SecureRandom.<init>()>",
            by(
                "state.planted.MakesRandomness.shuffle(java.util.List)",
                "calls",
                "java.util.Collections.shuffle(java.util.List)"),
            by(
                "state.planted.MakesRandomness.threadLocal()",
                "calls",
                "java.util.concurrent.ThreadLocalRandom.current()"),
            by("state.planted.MakesRandomness.uuid()", "calls", "java.util.UUID.randomUUID()"),
            by(
                "state.planted.MakesRandomness.uuidReference()",
                "references",
                "java.util.UUID.randomUUID()"));
  }

  @Test
  void waitingIsReported() {
    assertThat(violations(NO_WAITING, "state.planted.Waits"))
        .containsExactlyInAnyOrder(
            by("state.planted.Waits.join(java.lang.Thread)", "calls", "java.lang.Thread.join()"),
            by(
                "state.planted.Waits.park()",
                "calls",
                "java.util.concurrent.locks.LockSupport.park()"),
            by("state.planted.Waits.sleep()", "calls", "java.lang.Thread.sleep(long)"),
            by("state.planted.Waits.unit()", "calls", "java.util.concurrent.TimeUnit.sleep(long)"),
            by("state.planted.Waits.waitHere()", "calls", "java.lang.Object.wait()"));
  }

  @Test
  void theEnvironmentIsReported() {
    assertThat(violations(NO_ENVIRONMENT, "state.planted.ReadsEnvironment"))
        .containsExactlyInAnyOrder(
            by(
                "state.planted.ReadsEnvironment.charset()",
                "calls",
                "java.nio.charset.Charset.defaultCharset()"),
            by("state.planted.ReadsEnvironment.locale()", "calls", "java.util.Locale.getDefault()"),
            by(
                "state.planted.ReadsEnvironment.property()",
                "calls",
                "java.lang.System.getProperty(java.lang.String)"),
            by(
                "state.planted.ReadsEnvironment.variable()",
                "calls",
                "java.lang.System.getenv(java.lang.String)"),
            by(
                "state.planted.ReadsEnvironment.zone()",
                "calls",
                "java.time.ZoneId.systemDefault()"));
  }

  @Test
  void inputAndOutputAreReported() {
    String planted = "dev.statectl.state.planted.DoesInputAndOutput";
    assertThat(violations(NO_INPUT_AND_OUTPUT, "state.planted.DoesInputAndOutput"))
        .containsExactlyInAnyOrder(
            "Field <" + planted + ".channel> has type <java.nio.channels.FileChannel>",
            "Field <" + planted + ".path> has type <java.nio.file.Path>",
            "Field <" + planted + ".process> has type <java.lang.ProcessBuilder>",
            "Field <" + planted + ".socket> has type <java.net.Socket>",
            "Field <" + planted + ".stream> has type <java.io.InputStream>",
            "Method <"
                + planted
                + ".print()> calls method <java.io.PrintStream.println(java.lang.String)>");
  }

  private static ClassesShould pure() {
    return noClasses().that(Layer.DOMAIN.classes()).or(Layer.PORTS.classes()).should();
  }

  private static String by(String method, String verb, String target) {
    return "Method <dev.statectl." + method + "> " + verb + " method <" + target + ">";
  }
}
