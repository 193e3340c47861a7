package dev.statectl.clickhouse.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The part of a ClickHouse server's configuration file that a {@link LocalClickHouse} can be given:
 * macros, a Keeper, where {@code KeeperMap} tables live in it, and the clusters of {@code
 * system.clusters}. Immutable; each method gives another configuration.
 *
 * @see <a href="https://clickhouse.com/docs/operations/server-configuration-parameters/settings">
 *     Server settings</a>
 */
public final class EngineConfiguration {
  private static final String SERVER = "{server}";
  private static final EngineConfiguration NONE = new EngineConfiguration(List.of());

  /** One element of the file, by the section that it stands in; none for the file itself. */
  private record Element(String section, String text) {}

  private final List<Element> elements;

  private EngineConfiguration(List<Element> elements) {
    this.elements = elements;
  }

  /**
   * A server that knows of no Keeper and no cluster.
   *
   * @return the empty configuration
   */
  public static EngineConfiguration none() {
    return NONE;
  }

  /**
   * A server on that Keeper, on which {@code KeeperMap} tables can be made.
   *
   * @param keeper the Keeper; it need not run
   * @return the configuration
   */
  public static EngineConfiguration on(TestKeeper keeper) {
    return none().withKeeper(keeper, Duration.ofSeconds(30)).withKeeperMap("/statectl-tests");
  }

  /**
   * With a macro, such as {@code shard} or {@code replica}.
   *
   * @param name the macro's name
   * @param value what it stands for
   * @return the configuration
   */
  public EngineConfiguration withMacro(String name, String value) {
    return with("macros", element(name, value));
  }

  /**
   * With a Keeper.
   *
   * @param keeper the Keeper; it need not run
   * @param sessionTimeout how long a session lives without a sign of the engine; a server's default
   *     is 30 seconds; an operation is given up after a third of it
   * @return the configuration
   */
  public EngineConfiguration withKeeper(TestKeeper keeper, Duration sessionTimeout) {
    return with(
        "zookeeper",
        "<node><host>127.0.0.1</host>"
            + element("port", Integer.toString(keeper.port()))
            + "</node>"
            + element("session_timeout_ms", Long.toString(sessionTimeout.toMillis()))
            + element("operation_timeout_ms", Long.toString(sessionTimeout.toMillis() / 3))
            // A server notes its session under its id, and drops one that another server takes the
            // place of. Engines in a process all have the same id, of zeros.
            + element("sessions_path", "/clickhouse/sessions/" + SERVER));
  }

  /**
   * With {@code KeeperMap} tables; without this they are refused.
   *
   * @param prefix the path in Keeper below which they live
   * @return the configuration
   */
  public EngineConfiguration withKeeperMap(String prefix) {
    return withSetting("keeper_map_path_prefix", prefix);
  }

  /**
   * With a setting of the server.
   *
   * @param name the setting's name
   * @param value its value
   * @return the configuration
   */
  public EngineConfiguration withSetting(String name, String value) {
    return with("", element(name, value));
  }

  /**
   * With a cluster, for {@code system.clusters}. Its servers are not reached by making one of it.
   *
   * @param name the cluster's name
   * @param shards for each shard its replicas, each as {@code host:port} of the native protocol
   * @return the configuration
   */
  public EngineConfiguration withCluster(String name, List<List<String>> shards) {
    StringBuilder cluster = new StringBuilder("<" + name + ">");
    for (List<String> replicas : shards) {
      cluster.append("<shard><internal_replication>true</internal_replication>");
      for (String replica : replicas) {
        int colon = replica.lastIndexOf(':');
        cluster
            .append("<replica>")
            .append(element("host", replica.substring(0, colon)))
            .append(element("port", replica.substring(colon + 1)))
            .append("</replica>");
      }
      cluster.append("</shard>");
    }
    return with("remote_servers", cluster.append("</").append(name).append(">").toString());
  }

  /** The text of the configuration file of the server with that id. */
  String xml(UUID server) {
    // Of two sections of one name only the first would count.
    Map<String, String> sections =
        elements.stream()
            .collect(
                Collectors.groupingBy(
                    Element::section,
                    TreeMap::new,
                    Collectors.mapping(Element::text, Collectors.joining("\n"))));
    StringBuilder xml = new StringBuilder("<clickhouse>\n");
    sections.forEach(
        (section, text) ->
            xml.append(
                    section.isEmpty()
                        ? text
                        : "<" + section + ">\n" + text + "\n</" + section + ">")
                .append('\n'));
    return xml.append("</clickhouse>\n").toString().replace(SERVER, server.toString());
  }

  private EngineConfiguration with(String section, String text) {
    return new EngineConfiguration(
        Stream.concat(elements.stream(), Stream.of(new Element(section, text))).toList());
  }

  private static String element(String name, String value) {
    String text = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    return "<" + name + ">" + text + "</" + name + ">";
  }
}
