package dev.statectl.cli.settings;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.reader.ReaderException;

/**
 * A node of a YAML file that knows its line. Nothing is constructed from the text, so no tag can do
 * harm, and aliases stay references, so a small file cannot become a large tree.
 */
final class YamlNode {
  /** Aliases cost nothing here, and large projects have many. */
  private static final int MOST_ALIASES = 100_000;

  private static final Set<Tag> TEXTUAL =
      Set.of(Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.TIMESTAMP);

  private final String file;
  private final Node node;

  private YamlNode(String file, Node node) {
    this.file = file;
    this.node = node;
  }

  /**
   * Reads a file. Neither the parser's message nor its excerpt is passed on: both may show a value.
   *
   * @param shown how to call the file in messages
   * @return the root, or null if the file is empty or was reported as a problem
   */
  static @Nullable YamlNode read(Path path, String shown, Problems problems) {
    LoaderOptions options = new LoaderOptions();
    options.setMaxAliasesForCollections(MOST_ALIASES);
    String text = "";
    try {
      text = Files.readString(path);
      Node root = new Yaml(options).compose(new StringReader(text));
      return root == null ? null : new YamlNode(shown, root);
    } catch (CharacterCodingException e) {
      problems.add(shown, "is not encoded in UTF-8", "save the file as UTF-8");
    } catch (IOException e) {
      problems.add(shown, "cannot be read", "check that it is a file and that you may read it");
    } catch (MarkedYAMLException e) {
      problems.add(
          e.getProblemMark() == null
              ? shown
              : shown
                  + ":%d:%d"
                      .formatted(
                          e.getProblemMark().getLine() + 1, e.getProblemMark().getColumn() + 1),
          "is no valid YAML",
          "mend it there or just before: check indentation, brackets and quotes");
    } catch (ReaderException e) {
      int line = 1 + (int) text.codePoints().limit(e.getPosition()).filter(c -> c == '\n').count();
      problems.add(
          shown + ":" + line, "holds a character that YAML does not allow", "remove or escape it");
    } catch (YAMLException e) {
      problems.add(shown, "is too large or nested too deeply", "check the file");
    }
    return null;
  }

  /** The file and line, as {@code meltano.yml:7}. */
  String place() {
    return file + ":" + (node.getStartMark().getLine() + 1);
  }

  boolean isNull() {
    return node.getTag().equals(Tag.NULL);
  }

  boolean isMapping() {
    return node instanceof MappingNode;
  }

  /** The text of a scalar as it is written there, or null if the node is none. */
  @Nullable String text() {
    return node instanceof ScalarNode scalar && TEXTUAL.contains(node.getTag())
        ? scalar.getValue()
        : null;
  }

  /** The items of a sequence, or null if the node is none. */
  @Nullable List<YamlNode> items() {
    return node instanceof SequenceNode sequence
        ? sequence.getValue().stream().map(item -> new YamlNode(file, item)).toList()
        : null;
  }

  /** The entries of a mapping that must be one, if it is there at all; else reports a problem. */
  Map<String, YamlNode> mapping(String key, Problems problems) {
    if (!isMapping() && !isNull()) {
      problems.add(
          place() + " " + key,
          "must hold entries by name",
          "write them beneath it, each on a line of its own");
    }
    return entries(problems);
  }

  /**
   * The entries of a mapping with those that {@code <<} brings in, in order. A key that stands
   * twice is a problem, as it is for Meltano.
   */
  Map<String, YamlNode> entries(Problems problems) {
    Map<String, YamlNode> entries = new LinkedHashMap<>();
    collect(node, entries, Collections.newSetFromMap(new IdentityHashMap<>()), problems);
    return entries;
  }

  private void collect(
      Node mapping, Map<String, YamlNode> entries, Set<Node> visited, Problems problems) {
    if (!(mapping instanceof MappingNode) || !visited.add(mapping)) {
      return;
    }
    Map<String, YamlNode> own = new LinkedHashMap<>();
    List<Node> merged = new ArrayList<>();
    for (NodeTuple tuple : ((MappingNode) mapping).getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        continue;
      }
      if (key.getTag().equals(Tag.MERGE)) {
        merged.addAll(
            tuple.getValueNode() instanceof SequenceNode sequence
                ? sequence.getValue()
                : List.of(tuple.getValueNode()));
        continue;
      }
      YamlNode first = own.putIfAbsent(key.getValue(), new YamlNode(file, tuple.getValueNode()));
      if (first != null) {
        problems.add(
            new YamlNode(file, key).place() + " " + key.getValue(),
            "is set twice, the first time at " + first.place(),
            "remove one of the two");
      }
    }
    own.forEach(entries::putIfAbsent);
    merged.forEach(each -> collect(each, entries, visited, problems));
  }
}
