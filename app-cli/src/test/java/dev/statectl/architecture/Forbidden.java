package dev.statectl.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** What only some layers may touch. Calls and method references are seen alike. */
final class Forbidden {
  /** Logging, of the JDK and of the usual libraries. */
  static final DescribedPredicate<JavaClass> LOGGING =
      resideInAnyPackage(
              "java.util.logging..",
              "org.slf4j..",
              "org.apache.logging..",
              "org.apache.commons.logging..")
          .or(nameMatching("java\\.lang\\.System\\$Logger.*"))
          .as("belong to logging");

  /** The standard streams and the end of the process. */
  static final DescribedPredicate<JavaAccess<?>> TERMINAL =
      access(
          "use the terminal or end the process",
          access ->
              isOneOf(
                      access,
                      Map.of(
                          "java.lang.System", Set.of("console", "err", "exit", "in", "out"),
                          "java.lang.Runtime", Set.of("exit", "halt")))
                  || access.getTargetOwner().isAssignableTo(Throwable.class)
                      && access.getName().equals("printStackTrace")
                      && parameters(access) == 0);

  /** A clock that was not passed in. */
  static final DescribedPredicate<JavaAccess<?>> CLOCK =
      access(
          "read a clock",
          access ->
              owner(access).startsWith("java.time.")
                      && access.getName().equals("now")
                      && !takes(access, "java.time.Clock")
                  || owner(access).equals("java.time.Clock")
                      && access.getName().startsWith("system")
                  || owner(access).equals("java.time.Clock")
                      && access.getName().startsWith("tick")
                      && !takes(access, "java.time.Clock")
                  || owner(access).equals("java.util.Date")
                      && isConstructor(access)
                      && parameters(access) == 0
                  || isOneOf(
                      access,
                      Map.of(
                          "java.lang.System", Set.of("currentTimeMillis", "nanoTime"),
                          "java.time.InstantSource", Set.of("system"),
                          "java.util.Calendar", Set.of("getInstance"))));

  /** Randomness that was not passed in. A generator that is passed in is an interface. */
  static final DescribedPredicate<JavaAccess<?>> RANDOM =
      access(
          "make randomness",
          access ->
              Set.of(
                          "java.security.SecureRandom",
                          "java.util.Random",
                          "java.util.SplittableRandom",
                          "java.util.concurrent.ThreadLocalRandom",
                          "java.util.random.RandomGeneratorFactory")
                      .contains(owner(access))
                  || owner(access).equals("java.util.Collections")
                      && access.getName().equals("shuffle")
                      && parameters(access) == 1
                  || isOneOf(
                      access,
                      Map.of(
                          "java.lang.Math", Set.of("random"),
                          "java.lang.StrictMath", Set.of("random"),
                          "java.util.UUID", Set.of("randomUUID"),
                          "java.util.random.RandomGenerator", Set.of("getDefault", "of"))));

  /** Waiting that was not passed in. */
  static final DescribedPredicate<JavaAccess<?>> WAITING =
      access(
          "wait",
          access ->
              access.getName().equals("wait") && parameters(access) <= 2
                  || owner(access).equals("java.util.concurrent.locks.LockSupport")
                      && access.getName().startsWith("park")
                  || isOneOf(
                      access,
                      Map.of(
                          "java.lang.Thread", Set.of("join", "onSpinWait", "sleep"),
                          "java.util.concurrent.TimeUnit",
                              Set.of("sleep", "timedJoin", "timedWait"))));

  /** What differs from one machine or user to the next. */
  static final DescribedPredicate<JavaAccess<?>> ENVIRONMENT =
      access(
          "read the environment",
          access ->
              isOneOf(
                  access,
                  Map.of(
                      "java.lang.System", Set.of("getenv", "getProperties", "getProperty"),
                      "java.nio.charset.Charset", Set.of("defaultCharset"),
                      "java.time.ZoneId", Set.of("systemDefault"),
                      "java.util.Locale", Set.of("getDefault"),
                      "java.util.TimeZone", Set.of("getDefault"))));

  /** Files, sockets, processes, databases. Jackson declares the exceptions that are let through. */
  static final DescribedPredicate<JavaClass> INPUT_AND_OUTPUT =
      resideInAnyPackage("java.io..")
          .and(
              DescribedPredicate.not(
                  nameMatching("java\\.io\\.(IOException|UncheckedIOException|Serializable)")))
          .or(
              resideInAnyPackage(
                  "java.net..", "java.nio.channels..", "java.nio.file..", "java.sql.."))
          .or(nameMatching("java\\.lang\\.(Process|ProcessBuilder|ProcessHandle|Runtime)"))
          .as("do input or output");

  private Forbidden() {}

  private static DescribedPredicate<JavaAccess<?>> access(
      String description, Predicate<JavaAccess<?>> predicate) {
    return DescribedPredicate.describe(description, predicate);
  }

  private static boolean isOneOf(JavaAccess<?> access, Map<String, Set<String>> membersByOwner) {
    return membersByOwner.getOrDefault(owner(access), Set.of()).contains(access.getName());
  }

  private static String owner(JavaAccess<?> access) {
    return access.getTargetOwner().getFullName();
  }

  private static boolean isConstructor(JavaAccess<?> access) {
    return access.getName().equals("<init>");
  }

  private static int parameters(JavaAccess<?> access) {
    return access.getTarget() instanceof CodeUnitAccessTarget target
        ? target.getRawParameterTypes().size()
        : -1;
  }

  private static boolean takes(JavaAccess<?> access, String type) {
    return access.getTarget() instanceof CodeUnitAccessTarget target
        && target.getRawParameterTypes().stream().anyMatch(p -> p.getFullName().equals(type));
  }
}
