package dev.statectl.cli.settings;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/**
 * The files that {@code include_paths} of meltano.yml name by globs, relative to the project's
 * root. See <a href="https://docs.meltano.com/concepts/project#multiple-yaml-files">Meltano's guide
 * to several YAML files</a>.
 */
final class IncludedFiles {
  /** Meltano's own directory: large, and never a place for configuration. */
  private static final Path SYSTEM_DIRECTORY = Path.of(".meltano");

  private IncludedFiles() {}

  /** Gives the files in order, without meltano.yml itself. */
  static Set<Path> find(Path root, YamlNode includePaths, Problems problems) {
    List<YamlNode> items = includePaths.items();
    List<PathMatcher> matchers =
        items == null
            ? List.of()
            : items.stream().flatMap(each -> matchers(each, problems)).toList();
    Set<Path> files = new TreeSet<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes about) {
              return SYSTEM_DIRECTORY.equals(directory.getFileName())
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes about) {
              Path relative = root.relativize(file);
              if (!relative.equals(Path.of(ProjectRoot.FILE))
                  && matchers.stream().anyMatch(matcher -> matcher.matches(relative))) {
                files.add(file);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      problems.add(
          includePaths.place() + " include_paths",
          "the project's directory cannot be searched",
          "check that you may read it");
    }
    return files;
  }

  /** Two for a pattern with {@code **}, since there it stands for no directory, too. */
  private static Stream<PathMatcher> matchers(YamlNode item, Problems problems) {
    String pattern = item.text() == null ? "" : item.text().replaceFirst("^(\\./)+", "");
    try {
      // Made here and not as the stream is read, where nobody would catch what a bad glob throws.
      return Stream.of(pattern, pattern.replace("**/", ""))
          .distinct()
          .map(each -> FileSystems.getDefault().getPathMatcher("glob:" + each))
          .toList()
          .stream();
    } catch (PatternSyntaxException e) {
      problems.add(item.place() + " include_paths", "is no glob", "correct or remove it");
      return Stream.empty();
    }
  }
}
