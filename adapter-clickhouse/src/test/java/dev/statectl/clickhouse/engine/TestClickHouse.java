package dev.statectl.clickhouse.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The ClickHouse that the tests of this JVM share, started with the first test that asks for it and
 * stopped when the JVM ends. Chosen in this order:
 *
 * <ol>
 *   <li>the server named in the environment variable {@code STATECTL_TEST_CLICKHOUSE_URL}, such as
 *       {@code http://user:password@host:8123/database}; the user must be allowed to create users
 *       and databases;
 *   <li>a container, if a Docker engine answers, of the image named in the system property {@code
 *       statectl.test.clickhouse.image} or the environment variable {@code
 *       STATECTL_TEST_CLICKHOUSE_IMAGE}, else {@link #LTS_IMAGE};
 *   <li>the real engine as a local process, see {@link LocalClickHouse}.
 * </ol>
 *
 * <p>Which one it is and its version are printed once on stdout. Thread-safe.
 */
public final class TestClickHouse {
  /**
   * The oldest release that the product supports, a long-term one.
   *
   * @see <a href="https://hub.docker.com/r/clickhouse/clickhouse-server/tags">its tags</a>
   */
  public static final String LTS_IMAGE = "clickhouse/clickhouse-server:25.8.33.6";

  /**
   * A newer release, in which inserts are asynchronous unless a client says otherwise.
   *
   * @see <a href="https://hub.docker.com/r/clickhouse/clickhouse-server/tags">its tags</a>
   */
  public static final String NEWER_IMAGE = "clickhouse/clickhouse-server:26.3.33.24";

  private static final String URL_VARIABLE = "STATECTL_TEST_CLICKHOUSE_URL";
  private static final String IMAGE_PROPERTY = "statectl.test.clickhouse.image";
  private static final String IMAGE_VARIABLE = "STATECTL_TEST_CLICKHOUSE_IMAGE";

  private static @Nullable TestClickHouse shared;
  private static @Nullable TestClickHouse withKeeper;
  private static @Nullable RuntimeException failure;

  private final ClickHouseEndpoint endpoint;
  private final String version;
  private final ConcurrentLinkedQueue<String> cleaning = new ConcurrentLinkedQueue<>();

  private TestClickHouse(String kind, ClickHouseEndpoint endpoint) {
    this.endpoint = endpoint;
    this.version = endpoint.query("SELECT version()");
    System.out.println("ClickHouse for tests: " + version + ", " + kind + ", " + endpoint);
  }

  /**
   * The ClickHouse of this JVM, started if this is the first call.
   *
   * @return always the same
   * @throws IllegalStateException if there is none, saying what to do; later calls fail in the same
   *     way at once
   */
  public static synchronized TestClickHouse shared() {
    if (failure != null) {
      throw failure;
    }
    if (shared == null) {
      try {
        shared = choose();
      } catch (RuntimeException e) {
        failure = new IllegalStateException("No ClickHouse for tests: " + e.getMessage(), e);
        throw failure;
      }
    }
    return shared;
  }

  /**
   * A local engine of this JVM that has a Keeper, started if this is the first call.
   *
   * @return always the same, and never {@link #shared()}
   * @throws IllegalStateException if the engine or its Keeper does not start
   */
  public static synchronized TestClickHouse withKeeper() {
    if (withKeeper == null) {
      Path directory = temporaryDirectory();
      TestKeeper keeper = TestKeeper.start(directory.resolve("keeper"));
      LocalClickHouse engine =
          LocalClickHouse.start(directory.resolve("engine"), EngineConfiguration.on(keeper));
      atExit(
          () -> {
            engine.close();
            keeper.close();
            Directories.delete(directory);
            return null;
          });
      withKeeper =
          new TestClickHouse(
              "local engine of libchdb " + EngineLibrary.version() + " with a Keeper",
              engine.endpoint());
    }
    return withKeeper;
  }

  /**
   * Where it listens, as a user who may do everything.
   *
   * @return its address, user, password and an existing database
   */
  public ClickHouseEndpoint endpoint() {
    return endpoint;
  }

  /**
   * What {@code SELECT version()} answers.
   *
   * @return such as {@code 26.5.1.1}
   */
  public String version() {
    return version;
  }

  /**
   * The URI of {@link #endpoint()} for the product.
   *
   * @return {@code clickhouse://user:password@host:port/database}
   */
  public String uri() {
    return endpoint.uri();
  }

  /**
   * Runs one statement as the user who may do everything, past the product.
   *
   * @param sql the statement
   * @return the result as tab-separated text, without the last line end
   * @throws QueryFailed if ClickHouse answers with an error
   */
  public String query(String sql) {
    return endpoint.query(sql);
  }

  /**
   * Runs statements as the user who may do everything, past the product.
   *
   * @param statements the statements
   * @throws QueryFailed if ClickHouse answers one with an error; the later ones are not run
   */
  public void execute(String... statements) {
    endpoint.execute(statements);
  }

  /**
   * A name for a database that nobody else uses. It is not created here; if it exists when the JVM
   * ends, it is dropped.
   *
   * @return a plain identifier
   */
  public String freshSchema() {
    String name = fresh("schema");
    cleaning.add("DROP DATABASE IF EXISTS " + name);
    return name;
  }

  /**
   * Creates a user who has only the given rights.
   *
   * @param grants what comes between GRANT and TO, such as {@code SELECT, INSERT ON schema.*}
   * @return {@link #endpoint()} as that user
   */
  public ClickHouseEndpoint createUser(String... grants) {
    return createUser("", List.of(grants));
  }

  /**
   * Creates a user whose profile says {@code readonly = 1}: nothing can be written and no setting
   * be changed, whatever the grants say.
   *
   * @param grants what comes between GRANT and TO, such as {@code SELECT, INSERT ON schema.*}
   * @return {@link #endpoint()} as that user
   */
  public ClickHouseEndpoint createReadOnlyUser(String... grants) {
    return createUser(" SETTINGS readonly = 1", List.of(grants));
  }

  /**
   * Creates a user with a password of one's own.
   *
   * @param password the password, without a line end
   * @param grants what comes between GRANT and TO, such as {@code SELECT, INSERT ON schema.*}
   * @return {@link #endpoint()} as that user
   */
  public ClickHouseEndpoint createUserWithPassword(String password, String... grants) {
    return createUser(fresh("user"), password, "", List.of(grants));
  }

  private ClickHouseEndpoint createUser(String settings, List<String> grants) {
    String name = fresh("user");
    return createUser(name, "password-of-" + name, settings, grants);
  }

  private ClickHouseEndpoint createUser(
      String name, String password, String settings, List<String> grants) {
    String literal = "'" + password.replace("\\", "\\\\").replace("'", "\\'") + "'";
    cleaning.add("DROP USER IF EXISTS " + name);
    execute("CREATE USER " + name + " IDENTIFIED BY " + literal + settings);
    for (String grant : grants) {
      execute("GRANT " + grant + " TO " + name);
    }
    return endpoint.as(name, password);
  }

  private static String fresh(String kind) {
    return kind + "_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
  }

  private static TestClickHouse choose() {
    String url = System.getenv(URL_VARIABLE);
    if (url != null && !url.isBlank()) {
      TestClickHouse server;
      try {
        server = new TestClickHouse("server of " + URL_VARIABLE, endpointOf(url));
      } catch (UncheckedIOException | QueryFailed e) {
        throw new IllegalStateException(
            e.getMessage()
                + ". Start or mend the server named in "
                + URL_VARIABLE
                + ", or unset it",
            e);
      }
      atExit(
          () -> {
            server.execute(server.cleaning.toArray(String[]::new));
            return null;
          });
      return server;
    }
    if (DockerEngine.answers()) {
      String image = image();
      DockerClickHouse docker = DockerClickHouse.start(image);
      atExit(
          () -> {
            docker.close();
            return null;
          });
      return new TestClickHouse("container of " + image, docker.endpoint());
    }
    return local();
  }

  /** The image of servers in containers. */
  static String image() {
    return Objects.requireNonNullElse(
        System.getProperty(IMAGE_PROPERTY, System.getenv(IMAGE_VARIABLE)), LTS_IMAGE);
  }

  private static Path temporaryDirectory() {
    try {
      return Files.createTempDirectory("statectl-clickhouse-");
    } catch (IOException e) {
      throw new UncheckedIOException("No temporary directory for the local engine", e);
    }
  }

  private static TestClickHouse local() {
    Path directory = temporaryDirectory();
    LocalClickHouse engine = LocalClickHouse.start(directory);
    atExit(
        () -> {
          engine.close();
          Directories.delete(directory);
          return null;
        });
    return new TestClickHouse(
        "local engine of libchdb " + EngineLibrary.version(), engine.endpoint());
  }

  static void atExit(Callable<@Nullable Void> action) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    action.call();
                  } catch (Exception e) {
                    System.err.println("The ClickHouse for tests was not cleaned up: " + e);
                  }
                }));
  }

  static ClickHouseEndpoint endpointOf(String url) {
    URI uri = URI.create(url);
    boolean secure = "https".equals(uri.getScheme());
    String[] user = Objects.requireNonNullElse(uri.getRawUserInfo(), "default").split(":", 2);
    String path = Objects.requireNonNullElse(uri.getRawPath(), "").replaceFirst("^/", "");
    int standard = secure ? 8443 : 8123;
    return new ClickHouseEndpoint(
        uri.getHost(),
        uri.getPort() < 0 ? standard : uri.getPort(),
        secure,
        decoded(user[0]),
        user.length < 2 ? "" : decoded(user[1]),
        path.isEmpty() ? "default" : decoded(path));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
