package dev.statectl.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The layers of the product: one module each, known by its packages. */
enum Layer {
  DOMAIN(
      "state-domain",
      List.of(
          "dev.statectl.state..",
          "dev.statectl.json..",
          "dev.statectl.lock..",
          "dev.statectl.stream.."),
      List.of(),
      libraries(Jdk.PURE, "com.fasterxml.jackson.core..")),

  PORTS(
      "state-ports",
      List.of("dev.statectl.port..", "dev.statectl.usecase.."),
      List.of(DOMAIN),
      Jdk.PURE),

  CONTRACT(
      "state-contract",
      List.of("dev.statectl.contract.."),
      List.of(DOMAIN, PORTS),
      libraries(Jdk.ALL, "org.junit.jupiter..", "org.assertj..")),

  INMEMORY(
      "adapter-inmemory",
      List.of("dev.statectl.inmemory.."),
      List.of(DOMAIN, PORTS),
      libraries(Jdk.ALL, "com.fasterxml.jackson.core..")),

  CLICKHOUSE(
      "adapter-clickhouse",
      List.of("dev.statectl.clickhouse.."),
      List.of(DOMAIN, PORTS),
      // The driver's HTTP client, since it tells whether a request went, and which of LZ4's codecs
      // the driver uses, since its transport wants to know.
      libraries(Jdk.ALL, "com.clickhouse..", "net.jpountz.lz4..", "org.apache.hc..", "org.jdbi..")),

  CLI(
      "app-cli",
      List.of("dev.statectl.cli.."),
      List.of(DOMAIN, PORTS, INMEMORY, CLICKHOUSE),
      libraries(
          Jdk.ALL,
          "com.fasterxml.jackson..",
          "dagger..",
          "io.prometheus.metrics..",
          "jakarta.inject..",
          "javax.inject..",
          "org.slf4j..",
          "org.yaml.snakeyaml..",
          "picocli.."));

  private final String module;
  private final List<String> packages;
  private final List<Layer> below;
  private final List<String> libraries;

  Layer(String module, List<String> packages, List<Layer> below, List<String> libraries) {
    this.module = module;
    this.packages = packages;
    this.below = below;
    this.libraries = libraries;
  }

  /** The Maven module that holds the layer. */
  String module() {
    return module;
  }

  /** The packages of the layer, as ArchUnit's package identifiers. */
  String[] packages() {
    return packages.toArray(String[]::new);
  }

  /** Every package that the layer may use: its own, those of the layers below, its libraries. */
  String[] mayUse() {
    return Stream.of(packages, below.stream().flatMap(l -> l.packages.stream()).toList(), libraries)
        .flatMap(List::stream)
        .toArray(String[]::new);
  }

  /** Holds for the classes of the layer; a package's description is not one. */
  DescribedPredicate<JavaClass> classes() {
    return resideInAnyPackage(packages())
        .and(DescribedPredicate.not(simpleName("package-info")))
        .as("are in " + name().toLowerCase(Locale.ROOT));
  }

  private static List<String> libraries(List<String> jdk, String... others) {
    return Stream.concat(jdk.stream(), Stream.of(others)).toList();
  }

  /** What of the JDK a layer may use. */
  private static final class Jdk {
    static final List<String> ALL = List.of("java..", "javax..", "org.jspecify..");

    /** The packages of values and collections; java.io for the exceptions that Jackson declares. */
    static final List<String> PURE =
        List.of(
            "java.io",
            "java.lang",
            "java.math",
            "java.nio",
            "java.nio.charset",
            "java.text",
            "java.time..",
            "java.util",
            "java.util.concurrent..",
            "java.util.function",
            "java.util.random",
            "java.util.regex",
            "java.util.stream",
            "org.jspecify..");
  }
}
