package dev.statectl.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/** The classes that the rules look at: the product's own, or ones planted to break a rule. */
final class ProductClasses {
  /** Every class of the product that is not a test. */
  static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          // The other modules' tests come as directories in a build up to "test", else as jars.
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.statectl");

  private ProductClasses() {}

  /**
   * What a rule says against one planted class.
   *
   * @return the violations, without their places in the source
   */
  static List<String> violations(ArchRule rule, String... plantedClasses) {
    Class<?>[] planted = new Class<?>[plantedClasses.length];
    for (int i = 0; i < planted.length; i++) {
      try {
        planted[i] = Class.forName("dev.statectl." + plantedClasses[i]);
      } catch (ClassNotFoundException e) {
        throw new IllegalArgumentException(e);
      }
    }
    return rule
        .allowEmptyShould(true)
        .evaluate(new ClassFileImporter().importClasses(planted))
        .getFailureReport()
        .getDetails()
        .stream()
        .map(violation -> violation.replaceAll(" in \\(\\w+\\.java:\\d+\\)", ""))
        .toList();
  }
}
