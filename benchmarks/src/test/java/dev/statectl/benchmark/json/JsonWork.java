package dev.statectl.benchmark.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.statectl.json.JsonObject;
import java.util.Map;

/** What is done with a state's text, in both ways. */
enum JsonWork {
  /** Our lossless objects, which keep slices of the text. */
  STATECTL {
    @Override
    Object read(String text) {
      return JsonObject.parse(text);
    }

    @Override
    String merge(String stored, String written) {
      return JsonObject.parse(stored).mergedWith(JsonObject.parse(written)).text();
    }
  },

  /** A tree of nodes, which is written anew. */
  JACKSON {
    @Override
    Object read(String text) throws JsonProcessingException {
      return MAPPER.readTree(text);
    }

    @Override
    String merge(String stored, String written) throws JsonProcessingException {
      JsonNode lower = MAPPER.readTree(stored);
      JsonNode upper = MAPPER.readTree(written);
      lay((ObjectNode) upper, (ObjectNode) lower);
      return MAPPER.writeValueAsString(lower);
    }

    private void lay(ObjectNode upper, ObjectNode lower) {
      for (Map.Entry<String, JsonNode> member : upper.properties()) {
        if (member.getValue() instanceof ObjectNode over
            && lower.get(member.getKey()) instanceof ObjectNode under) {
          lay(over, under);
        } else {
          lower.set(member.getKey(), member.getValue());
        }
      }
    }
  };

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Reads a text and finds whether it is JSON. */
  abstract Object read(String text) throws JsonProcessingException;

  /** Reads two texts, lays the second over the first, and gives the text of both. */
  abstract String merge(String stored, String written) throws JsonProcessingException;
}
