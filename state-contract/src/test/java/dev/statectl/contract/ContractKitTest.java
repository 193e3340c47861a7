package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

class ContractKitTest {
  private static final Path CONTRACT = Path.of("..", "CONTRACT.md");
  private static final Pattern DISPLAYED = Pattern.compile("([HLRS]-\\d\\d) (.+)");
  private static final Pattern LISTED = Pattern.compile("\\| ([HLRS]-\\d\\d) \\| (.+) \\|");

  @ParameterizedTest(name = "{0}")
  @MethodSource("brokenAdapters")
  void brokenAdapterFailsItsRuleReadably(BrokenAdapter adapter) {
    Map<String, Throwable> failures = failuresOf(adapter);

    assertThat(failures).as("the failed rules").containsKey(adapter.rule());
    if (!adapter.breaksMuch()) {
      Set<String> expected = new TreeSet<>(adapter.alsoBroken());
      expected.add(adapter.rule());
      assertThat(failures.keySet()).as("the failed rules").isEqualTo(expected);
    }
    Throwable failure = failures.get(adapter.rule());
    assertThat(failure).hasMessageContaining(adapter.message());
    for (@Nullable Throwable t = failure; t != null; t = t.getCause()) {
      assertThat(t)
          .as("a cause that tells a reader nothing")
          .isNotInstanceOf(NullPointerException.class);
    }
  }

  static Stream<BrokenAdapter> brokenAdapters() {
    return BrokenAdapters.all();
  }

  @Test
  void everyRuleHasOneTestThatSaysWhatContractMdSays() throws IOException {
    Map<String, String> listed = new TreeMap<>();
    for (String line : Files.readAllLines(CONTRACT)) {
      Matcher rule = LISTED.matcher(line);
      if (rule.matches()) {
        assertThat(listed.put(rule.group(1), rule.group(2))).as(rule.group(1)).isNull();
      }
    }
    Map<String, String> tested = new TreeMap<>();
    tests()
        .forEach(
            test -> {
              Matcher rule = DISPLAYED.matcher(test.getDisplayName());
              assertThat(rule.matches()).as(test.getDisplayName()).isTrue();
              assertThat(tested.put(rule.group(1), rule.group(2))).as(rule.group(1)).isNull();
            });

    assertThat(tested).isEqualTo(listed).isNotEmpty();
  }

  @Test
  void everyRuleHasOneBrokenAdapter() {
    Set<String> tested =
        tests().map(ContractKitTest::ruleOf).flatMap(Optional::stream).collect(Collectors.toSet());

    assertThat(brokenAdapters().map(BrokenAdapter::rule).toList())
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(tested);
  }

  @Test
  void noTestCanBeOverridden() {
    assertThat(
            tests()
                .map(test -> test.getSource().orElseThrow())
                .map(org.junit.platform.engine.support.descriptor.MethodSource.class::cast)
                .map(org.junit.platform.engine.support.descriptor.MethodSource::getJavaMethod)
                .toList())
        .isNotEmpty()
        .allMatch(method -> Modifier.isFinal(method.getModifiers()), "is final");
  }

  /** The tests of the kit, parameterised ones as one each. */
  private static Stream<TestDescriptor> tests() {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(
            selectClass(ReferenceBackendTest.class),
            selectClass(ReferenceLockTableTest.class),
            selectClass(ReferenceHistoryTest.class))
        .discover()
        .getEngineDescriptor()
        .getDescendants()
        .stream()
        .filter(test -> test.getChildren().isEmpty())
        .map(TestDescriptor.class::cast);
  }

  private static Map<String, Throwable> failuresOf(BrokenAdapter adapter) {
    Map<String, Throwable> failures = new TreeMap<>();
    EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(adapter.contract()))
        .configurationParameter(BrokenAdapterContract.RULE, adapter.rule())
        .execute()
        .allEvents()
        .failed()
        .stream()
        .forEach(event -> failures.putIfAbsent(ruleOf(event), thrownBy(event)));
    return failures;
  }

  private static Throwable thrownBy(Event failed) {
    return failed.getRequiredPayload(TestExecutionResult.class).getThrowable().orElseThrow();
  }

  private static String ruleOf(Event event) {
    return ruleOf(event.getTestDescriptor()).orElse(event.toString());
  }

  /** The rule that a test stands for, itself or as one call of a parameterised test. */
  private static Optional<String> ruleOf(TestDescriptor test) {
    Matcher rule = DISPLAYED.matcher(test.getDisplayName());
    return rule.matches()
        ? Optional.of(rule.group(1))
        : test.getParent().flatMap(ContractKitTest::ruleOf);
  }
}
