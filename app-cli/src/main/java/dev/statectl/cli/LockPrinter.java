package dev.statectl.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Prints rows of the lock table: as a table, or as a JSON object a line. */
final class LockPrinter {
  private static final List<String> HEADER =
      List.of("ID", "HOLDER", "SINCE", "AGE", "EXPIRES IN", "WHOSE", "LOCK ID");

  private final DataOutput out;

  LockPrinter(DataOutput out) {
    this.out = out;
  }

  void print(List<LockDescription> locks, LockFormat format) throws IOException {
    switch (format) {
      case text -> printTable(locks);
      case json -> {
        for (LockDescription lock : locks) {
          out.line(json(lock));
        }
      }
    }
  }

  private void printTable(List<LockDescription> locks) {
    if (locks.isEmpty()) {
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADER);
    locks.forEach(lock -> rows.add(row(lock)));
    int[] widths = new int[HEADER.size()];
    for (List<String> row : rows) {
      Arrays.setAll(widths, i -> Math.max(widths[i], width(row.get(i))));
    }
    rows.forEach(row -> out.line(line(row, widths)));
  }

  private static List<String> row(LockDescription lock) {
    return List.of(
        PrintableText.escaped(lock.candidate().id().text()),
        PrintableText.escaped(lock.holder()),
        lock.candidate().since().toString(),
        DurationText.of(lock.age()),
        lock.candidate().isStale(lock.terms()) ? "expired" : DurationText.of(lock.expiresIn()),
        lock.whose(),
        PrintableText.escaped(lock.candidate().lockId().text()));
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size() - 1; i++) {
      line.append(row.get(i)).append(" ".repeat(widths[i] - width(row.get(i)) + 2));
    }
    return line.append(row.get(row.size() - 1)).toString();
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }

  private static String json(LockDescription lock) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("id", lock.candidate().id().text());
      json.writeStringField("holder", lock.candidate().holder());
      json.writeStringField("since", lock.candidate().since().toString());
      json.writeNumberField("age_seconds", lock.age().toSeconds());
      json.writeNumberField("expires_in_seconds", lock.expiresIn().toSeconds());
      json.writeStringField("whose", lock.candidate().lockId().isOurs() ? "ours" : "plugin");
      json.writeStringField("lock_id", lock.candidate().lockId().text());
      json.writeEndObject();
    }
    return text.toString();
  }
}
