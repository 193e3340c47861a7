package dev.statectl.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.statectl.architecture.ProductClasses.violations;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A class is called after what it is; these endings say only that somebody needed a place. */
class NamesTest {
  private static final ArchRule NO_EMPTY_NAMES =
      noClasses()
          .that(DescribedPredicate.describe("are written by people", type -> !isGenerated(type)))
          .should()
          .haveNameMatching(".*(Manager|Helper|Utils?|Impl)")
          .as("no class is called Manager, Helper, Util or Impl");

  @Test
  void namesSayWhatAClassIs() {
    NO_EMPTY_NAMES.check(ProductClasses.ALL);
  }

  @ParameterizedTest
  @ValueSource(strings = {"StateManager", "StateHelper", "StateUtil", "StateUtils", "StateImpl"})
  void anEmptyNameIsReported(String planted) {
    assertThat(violations(NO_EMPTY_NAMES, "state.planted." + planted))
        .containsExactly(
            "Class <dev.statectl.state.planted."
                + planted
                + "> has name matching '.*(Manager|Helper|Utils?|Impl)'");
  }

  /** Dagger names its nested classes as it likes. */
  private static boolean isGenerated(JavaClass type) {
    return type.isAnnotatedWith("dagger.internal.DaggerGenerated")
        || type.getEnclosingClass().map(NamesTest::isGenerated).orElse(false);
  }
}
