package dev.statectl.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static dev.statectl.architecture.ProductClasses.violations;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * {@code domain <- ports <- {contract, inmemory, clickhouse} <- cli}, and each layer with its
 * libraries only.
 */
class DirectionTest {
  private static final ArchRule EVERY_CLASS_HAS_A_LAYER =
      classes()
          .should()
          .resideInAnyPackage(
              Arrays.stream(Layer.values())
                  .flatMap(layer -> Stream.of(layer.packages()))
                  .toArray(String[]::new))
          .as("every class belongs to a layer");

  private static final ArchRule ONLY_THE_COMMAND_LOGS =
      noClasses()
          .that(DescribedPredicate.not(Layer.CLI.classes()))
          .should()
          .dependOnClassesThat(Forbidden.LOGGING)
          .as("only the command logs");

  private static final ArchRule ONLY_THE_COMMAND_USES_THE_TERMINAL =
      noClasses()
          .that(Layer.DOMAIN.classes())
          .or(Layer.PORTS.classes())
          .or(Layer.INMEMORY.classes())
          .or(Layer.CLICKHOUSE.classes())
          .should()
          .accessTargetWhere(Forbidden.TERMINAL)
          .as("only the command uses the terminal and ends the process");

  private static final ArchRule NO_PACKAGE_CYCLES =
      slices().matching("dev.statectl.(**)").should().beFreeOfCycles();

  @ParameterizedTest
  @EnumSource
  void aLayerHasClasses(Layer layer) {
    assertThat(ProductClasses.ALL.that(layer.classes()))
        .as("classes that are in %s; a rule over none holds nothing", layer)
        .isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aLayerUsesTheLayersBelowAndItsLibraries(Layer layer) {
    directions(layer).check(ProductClasses.ALL);
  }

  @ParameterizedTest
  @EnumSource
  void aLayerIsInItsModule(Layer layer) {
    home(layer).check(ProductClasses.ALL);
  }

  @Test
  void everyClassHasALayer() {
    EVERY_CLASS_HAS_A_LAYER.check(ProductClasses.ALL);
  }

  @Test
  void onlyTheCommandLogs() {
    ONLY_THE_COMMAND_LOGS.check(ProductClasses.ALL);
  }

  @Test
  void onlyTheCommandUsesTheTerminal() {
    ONLY_THE_COMMAND_USES_THE_TERMINAL.check(ProductClasses.ALL);
  }

  @Test
  void noPackagesNeedEachOther() {
    NO_PACKAGE_CYCLES.check(ProductClasses.ALL);
  }

  @ParameterizedTest
  @CsvSource({
    "DOMAIN, state.planted.UsesPort, dev.statectl.port.StateStore",
    "DOMAIN, state.planted.UsesUseCase, dev.statectl.usecase.GetState",
    "DOMAIN, state.planted.UsesDatabind, com.fasterxml.jackson.databind.ObjectMapper",
    "DOMAIN, state.planted.UsesSql, java.sql.Connection",
    "PORTS, port.planted.UsesJackson, com.fasterxml.jackson.core.JsonParser",
    "PORTS, port.planted.UsesAdapter, dev.statectl.clickhouse.ClickHouseSettings",
    "CONTRACT, contract.planted.UsesAdapter, dev.statectl.clickhouse.ClickHouseSettings",
    "INMEMORY, inmemory.planted.UsesOtherAdapter, dev.statectl.clickhouse.ClickHouseSettings",
    "INMEMORY, inmemory.planted.UsesContract, dev.statectl.contract.planted.UsesAdapter",
    "INMEMORY, inmemory.planted.UsesJdbi, org.jdbi.v3.core.Jdbi",
    "CLICKHOUSE, clickhouse.planted.UsesOtherAdapter, dev.statectl.inmemory.planted.UsesJdbi",
    "CLICKHOUSE, clickhouse.planted.UsesPicocli, picocli.CommandLine",
    "CLICKHOUSE, clickhouse.planted.UsesDagger, dagger.Module",
    "CLI, cli.planted.UsesContract, dev.statectl.contract.planted.UsesAdapter",
    "CLI, cli.planted.UsesTestLibrary, org.assertj.core.api.Assert",
  })
  void aWrongDirectionIsReported(Layer layer, String planted, String used) {
    assertThat(violations(directions(layer), planted))
        .containsExactly("Field <dev.statectl." + planted + ".used> has type <" + used + ">");
  }

  @Test
  void aClassInAnotherModuleIsReported() {
    assertThat(violations(home(Layer.DOMAIN), "state.planted.UsesPort"))
        .containsExactly("dev.statectl.state.planted.UsesPort is not in the module state-domain");
  }

  @Test
  void aClassWithoutALayerIsReported() {
    assertThat(violations(EVERY_CLASS_HAS_A_LAYER, "planted.BelongsNowhere"))
        .singleElement()
        .asString()
        .startsWith("Class <dev.statectl.planted.BelongsNowhere> does not reside in any package");
  }

  @ParameterizedTest
  @CsvSource({
    "UsesJdkLogging, java.util.logging.Logger",
    "UsesSystemLogger, java.lang.System$Logger",
    "UsesSlf4j, org.slf4j.Logger",
  })
  void loggingIsReported(String planted, String used) {
    assertThat(violations(ONLY_THE_COMMAND_LOGS, "clickhouse.planted." + planted))
        .containsExactly(
            "Field <dev.statectl.clickhouse.planted." + planted + ".used> has type <" + used + ">");
  }

  @Test
  void useOfTheTerminalIsReported() {
    String planted = "dev.statectl.inmemory.planted.UsesTerminal";
    assertThat(violations(ONLY_THE_COMMAND_USES_THE_TERMINAL, "inmemory.planted.UsesTerminal"))
        .containsExactlyInAnyOrder(
            "Method <" + planted + ".console()> calls method <java.lang.System.console()>",
            "Method <" + planted + ".err()> gets field <java.lang.System.err>",
            "Method <" + planted + ".exit()> calls method <java.lang.System.exit(int)>",
            "Method <" + planted + ".in()> gets field <java.lang.System.in>",
            "Method <" + planted + ".out()> gets field <java.lang.System.out>",
            "Method <"
                + planted
                + ".trace(java.lang.Exception)> calls method <java.lang.Exception.printStackTrace()>");
  }

  @Test
  void aCycleOfPackagesIsReported() {
    assertThat(
            violations(NO_PACKAGE_CYCLES, "state.planted.there.There", "state.planted.back.Back"))
        .singleElement()
        .asString()
        .startsWith("Cycle detected: Slice state.planted.back -> ")
        .contains("Slice state.planted.there -> ");
  }

  private static ArchRule directions(Layer layer) {
    return classes()
        .that(layer.classes())
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(layer.mayUse());
  }

  private static ArchRule home(Layer layer) {
    return classes().that(layer.classes()).should(beIn(layer.module()));
  }

  private static ArchCondition<JavaClass> beIn(String module) {
    return new ArchCondition<>("be in the module " + module) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        String source = type.getSource().orElseThrow().getUri().toString();
        if (!source.contains("/" + module + "/")) {
          events.add(
              SimpleConditionEvent.violated(
                  type, type.getFullName() + " is not in the module " + module));
        }
      }
    };
  }
}
