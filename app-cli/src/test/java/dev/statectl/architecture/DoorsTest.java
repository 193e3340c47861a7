package dev.statectl.architecture;

import static com.tngtech.archunit.core.domain.JavaModifier.ABSTRACT;
import static com.tngtech.archunit.core.domain.JavaModifier.FINAL;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static dev.statectl.architecture.ProductClasses.violations;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An adapter has one public door; all else of it can change without anybody's notice. */
class DoorsTest {
  private static final Set<String> DOORS =
      Set.of(
          "dev.statectl.inmemory.InMemoryBackend",
          "dev.statectl.clickhouse.ClickHouseBackend",
          "dev.statectl.clickhouse.ClickHouseDdl",
          "dev.statectl.clickhouse.ClickHouseSettings",
          "dev.statectl.clickhouse.ServerAddress",
          "dev.statectl.clickhouse.TlsSettings",
          "dev.statectl.clickhouse.LockPeers",
          "dev.statectl.clickhouse.ReplicationSettings",
          "dev.statectl.clickhouse.Replicated",
          "dev.statectl.clickhouse.Consistency",
          "dev.statectl.clickhouse.KeeperLocks");

  private static final DescribedPredicate<JavaClass> ADAPTER =
      Layer.INMEMORY
          .classes()
          .or(Layer.CLICKHOUSE.classes())
          .and(DescribedPredicate.describe("are top-level", JavaClass::isTopLevelClass));

  private static final ArchRule ONLY_DOORS_ARE_PUBLIC =
      classes()
          .that(ADAPTER)
          .and(DescribedPredicate.describe("are no door", type -> !isDoor(type)))
          .should()
          .bePackagePrivate()
          .as("adapters' classes are package-private but for the door");

  private static final ArchRule CLASSES_ARE_FINAL =
      classes()
          .that(ADAPTER)
          .and()
          .areNotInterfaces()
          .and()
          .areNotEnums()
          .and()
          .doNotHaveModifier(ABSTRACT)
          .should()
          .haveModifier(FINAL)
          .as("adapters' classes are final");

  @Test
  void allButTheDoorsIsPackagePrivate() {
    ONLY_DOORS_ARE_PUBLIC.check(ProductClasses.ALL);
  }

  @Test
  void classesAreFinal() {
    CLASSES_ARE_FINAL.check(ProductClasses.ALL);
  }

  @Test
  void everyDoorIsThereAndPublic() {
    assertThat(ProductClasses.ALL.stream().filter(DoorsTest::isDoor))
        .allMatch(type -> type.getModifiers().toString().contains("PUBLIC"))
        .hasSameSizeAs(DOORS);
  }

  @Test
  void anotherPublicClassIsReported() {
    assertThat(violations(ONLY_DOORS_ARE_PUBLIC, "inmemory.planted.Opened"))
        .containsExactly("Class <dev.statectl.inmemory.planted.Opened> has modifier PUBLIC");
  }

  @Test
  void aClassThatIsNotFinalIsReported() {
    assertThat(violations(CLASSES_ARE_FINAL, "clickhouse.planted.Extensible"))
        .containsExactly(
            "Class <dev.statectl.clickhouse.planted.Extensible> does not have modifier FINAL");
  }

  private static boolean isDoor(JavaClass type) {
    return DOORS.contains(type.getFullName());
  }
}
