package dev.statectl.clickhouse.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file of the ClickHouse engine, {@code libchdb}, fetched by npm into a cache outside the build
 * directory: {@code $STATECTL_CACHE}, else {@code $XDG_CACHE_HOME/statectl}, else {@code
 * ~/.cache/statectl}.
 *
 * @see <a href="https://www.npmjs.com/package/chdb">the npm package whose platform parts are used
 *     here</a>
 */
final class EngineLibrary {
  /** The one platform whose package could be locked; the others are fetched by name and version. */
  private static final String LOCKED = "lib-linux-x64-gnu";

  private final Path cache;
  private final String npm;

  EngineLibrary() {
    this(defaultCache(), "npm");
  }

  /** With a cache and an npm of the caller's choice. */
  EngineLibrary(Path cache, String npm) {
    this.cache = cache;
    this.npm = npm;
  }

  /**
   * Finds the library, fetching it first if the cache has none. Safe to call from several processes
   * at once: one fetches, the others wait.
   *
   * @throws IllegalStateException if there is no package for this platform or npm fails
   */
  Path find() {
    String platform = platform();
    String version = version();
    Path home = cache.resolve(platform + "-" + version);
    Path library = home.resolve("node_modules/@chdb").resolve(platform).resolve("libchdb.so");
    if (Files.exists(library)) {
      return library;
    }
    // A file lock holds between processes only.
    synchronized (EngineLibrary.class) {
      fetchUnlessThere(platform, version, home, library);
    }
    if (!Files.exists(library)) {
      throw new IllegalStateException("The fetched package holds no " + library);
    }
    return library;
  }

  private void fetchUnlessThere(String platform, String version, Path home, Path library) {
    try {
      Files.createDirectories(cache);
      try (FileChannel file =
              FileChannel.open(
                  cache.resolve(home.getFileName() + ".lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock lock = file.lock()) {
        if (lock.isValid() && !Files.exists(library)) {
          fetch(platform, version, home);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(
          "The ClickHouse engine for tests cannot be kept in " + cache + ": " + e, e);
    }
  }

  private void fetch(String platform, String version, Path home) throws IOException {
    Path work = Files.createTempDirectory(cache, "fetch-");
    Path log = work.resolve("npm.log");
    try {
      System.out.println("Fetching the ClickHouse engine for tests into " + home);
      unpack(".npmrc", work);
      List<String> command;
      if (platform.equals(LOCKED)) {
        unpack("package.json", work);
        unpack("package-lock.json", work);
        command = List.of(npm, "ci");
      } else {
        command =
            List.of(
                npm,
                "install",
                "--no-save",
                // Else npm looks for a project in the directories above.
                "--prefix",
                work.toString(),
                "@chdb/" + platform + "@" + version);
      }
      run(command, work, log);
      Directories.delete(home);
      Files.move(work, home);
    } finally {
      Directories.delete(work);
    }
  }

  private static void run(List<String> command, Path directory, Path log) throws IOException {
    String shown = String.join(" ", command);
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
    } catch (IOException e) {
      throw new IllegalStateException(
          "The ClickHouse engine for tests is fetched by npm, which does not start ("
              + e.getMessage()
              + "). "
              + WHAT_TO_DO,
          e);
    }
    try {
      if (!process.waitFor(15, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new IllegalStateException(shown + " did not end in 15 minutes. " + WHAT_TO_DO);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted in " + shown, e);
    }
    if (process.exitValue() != 0) {
      throw new IllegalStateException(
          "The ClickHouse engine for tests could not be fetched: "
              + shown
              + " ended with "
              + process.exitValue()
              + ". "
              + WHAT_TO_DO
              + "\n"
              + Files.readString(log).strip());
    }
  }

  private static final String WHAT_TO_DO =
      "Install Node.js with npm and let it reach a registry, or start Docker, or name a server in"
          + " STATECTL_TEST_CLICKHOUSE_URL.";

  private static void unpack(String name, Path directory) throws IOException {
    Files.write(directory.resolve(name), resource(name));
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = EngineLibrary.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("No " + name + " on the class path beside EngineLibrary");
      }
      return in.readAllBytes();
    }
  }

  /** The version stands in package.json alone, where npm needs it. */
  static String version() {
    try {
      String json = new String(resource("package.json"), StandardCharsets.UTF_8);
      Matcher version = Pattern.compile("\"@chdb/[^\"]+\": \"([^\"]+)\"").matcher(json);
      if (!version.find()) {
        throw new IllegalStateException("package.json names no version of @chdb");
      }
      return version.group(1);
    } catch (IOException e) {
      throw new IllegalStateException("package.json cannot be read", e);
    }
  }

  private static String platform() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch =
        switch (System.getProperty("os.arch")) {
          case "amd64", "x86_64" -> "x64";
          case "aarch64", "arm64" -> "arm64";
          default -> "";
        };
    if (!arch.isEmpty() && os.contains("linux")) {
      return "lib-linux-" + arch + "-gnu";
    }
    if (!arch.isEmpty() && os.contains("mac")) {
      return "lib-darwin-" + arch;
    }
    throw new IllegalStateException(
        "There is no ClickHouse engine for tests on "
            + os
            + " "
            + System.getProperty("os.arch")
            + ". Start Docker, or name a server in STATECTL_TEST_CLICKHOUSE_URL.");
  }

  private static Path defaultCache() {
    String own = System.getenv("STATECTL_CACHE");
    if (own != null && !own.isBlank()) {
      return Path.of(own).toAbsolutePath();
    }
    String shared = System.getenv("XDG_CACHE_HOME");
    return shared != null && !shared.isBlank()
        ? Path.of(shared, "statectl")
        : Path.of(System.getProperty("user.home"), ".cache", "statectl");
  }
}
