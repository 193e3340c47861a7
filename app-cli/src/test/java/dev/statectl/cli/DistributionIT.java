package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that the build packs, unpacked elsewhere. */
class DistributionIT {
  @TempDir private Path directory;

  @Test
  void itWorksInADirectoryWithSpacesBehindALinkAndReadOnly() throws Exception {
    Distribution distribution = Distribution.unpack(directory.resolve("a place of its own"));
    Tool.run(directory, Map.of(), "", "chmod", "-R", "a-w", distribution.home().toString());
    Path link = directory.resolve("linked");
    Files.createSymbolicLink(link, Path.of("a place of its own/bin/statectl"));

    Tool.Result set =
        distribution.runAs(link, Map.of(), "set", "dev:a-to-b", "{\"singer_state\": {\"n\": 1.0}}");
    Tool.Result get = distribution.runAs(link, Map.of(), "get", "dev:a-to-b");
    Tool.Result list = distribution.run(Map.of(), "list");

    assertThat(set.code()).as(set.output()).isZero();
    assertThat(get).isEqualTo(new Tool.Result(0, "{\"singer_state\": {\"n\": 1.0}}\n"));
    assertThat(list).isEqualTo(new Tool.Result(0, "dev:a-to-b\n"));
    Tool.run(directory, Map.of(), "", "chmod", "-R", "u+w", distribution.home().toString());
  }

  @Test
  void itHoldsTheCommandItsCompletionsItsManualAndItsLicence() throws Exception {
    Distribution distribution = Distribution.unpack(directory.resolve("here"));
    List<String> expected =
        new ArrayList<>(
            List.of("bin/statectl", "lib/statectl.jar", "lib/version", "LICENSE", "README.md"));
    ShareDirectory.files(ShareDirectory.model())
        .keySet()
        .forEach(file -> expected.add("share/" + file));

    assertThat(distribution.files()).containsAll(expected);
    assertThat(distribution.files()).noneMatch(file -> file.contains(".jsa"));
    for (Map.Entry<String, String> file : ShareDirectory.files(ShareDirectory.model()).entrySet()) {
      assertThat(distribution.home().resolve("share").resolve(file.getKey()))
          .hasContent(file.getValue());
    }
  }

  @Test
  void itsBillOfMaterialsNamesWhatIsInIt() throws Exception {
    Distribution distribution = Distribution.unpack(directory.resolve("here"));
    JsonNode bill =
        new ObjectMapper().readTree(distribution.home().resolve("statectl.cdx.json").toFile());
    List<String> named = new ArrayList<>();
    for (JsonNode component : bill.get("components")) {
      String version = component.get("version").asText();
      named.add("lib/" + component.get("name").asText() + "-" + version + ".jar");
    }

    assertThat(named)
        .containsExactlyInAnyOrderElementsOf(
            distribution.files().stream()
                .filter(file -> file.endsWith(".jar") && !file.equals("lib/statectl.jar"))
                .toList());
  }

  @Test
  void noLibraryLosesItsLicence() throws Exception {
    Distribution distribution = Distribution.unpack(directory.resolve("here"));
    for (String path : System.getProperty("java.class.path").split(":")) {
      Path shipped = distribution.home().resolve("lib").resolve(Path.of(path).getFileName());
      if (Files.exists(shipped)) {
        assertThat(notices(shipped)).as(path).containsAll(notices(Path.of(path)));
      }
    }
  }

  @Test
  void noClassIsTooOldForAnArchive() throws Exception {
    Distribution distribution = Distribution.unpack(directory.resolve("here"));
    for (String file : distribution.files()) {
      if (file.endsWith(".jar")) {
        try (JarFile jar = new JarFile(distribution.home().resolve(file).toFile())) {
          Enumeration<JarEntry> entries = jar.entries();
          while (entries.hasMoreElements()) {
            JarEntry entry = entries.nextElement();
            if (entry.getName().endsWith(".class")) {
              byte[] head = jar.getInputStream(entry).readNBytes(8);
              assertThat((int) head[7]).as(file + " " + entry).isGreaterThanOrEqualTo(50);
            }
          }
        }
      }
    }
  }

  private static List<String> notices(Path jar) throws Exception {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream()
          .map(JarEntry::getName)
          .filter(name -> name.matches("(?i).*(licen[cs]e|notice)[^/]*"))
          .filter(name -> !name.endsWith(".class"))
          .toList();
    }
  }
}
