package dev.statectl.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;

/** Prints rows of the lock table: as a table, or as JSON objects. */
final class LockPrinter {
  private final DataOutput out;
  private final boolean colored;

  /**
   * For standard output.
   *
   * @param colored whether the heads of a table are bold
   */
  LockPrinter(DataOutput out, boolean colored) {
    this.out = out;
    this.colored = colored;
  }

  void print(List<LockDescription> locks, OutputFormat format) {
    switch (format) {
      case text, table -> printTable(locks);
      case json, ndjson -> {
        JsonOutput json = new JsonOutput(out, format);
        locks.forEach(lock -> json.add(to -> write(lock, to)));
        json.end();
      }
    }
  }

  private void printTable(List<LockDescription> locks) {
    TextTable table =
        new TextTable("ID", "HOLDER", "SINCE", "AGE", "EXPIRES IN", "WHOSE", "LOCK ID");
    for (LockDescription lock : locks) {
      table.add(
          lock.candidate().id().text(),
          lock.holder(),
          lock.candidate().since().toString(),
          DurationText.of(lock.age()),
          lock.candidate().isStale(lock.terms()) ? "expired" : DurationText.of(lock.expiresIn()),
          lock.whose(),
          lock.candidate().lockId().text());
    }
    table.print(out, colored);
  }

  private static void write(LockDescription lock, JsonGenerator json) throws IOException {
    json.writeStringField("id", lock.candidate().id().text());
    json.writeStringField("holder", lock.candidate().holder());
    json.writeStringField("since", lock.candidate().since().toString());
    json.writeNumberField("age_seconds", lock.age().toSeconds());
    json.writeNumberField("expires_in_seconds", lock.expiresIn().toSeconds());
    json.writeStringField("whose", lock.candidate().lockId().isOurs() ? "ours" : "plugin");
    json.writeStringField("lock_id", lock.candidate().lockId().text());
  }
}
