package dev.statectl.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.statectl.port.Finding;
import dev.statectl.port.Mend;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What an examination found, on standard output. */
final class FindingPrinter {
  private static final String INDENT = " ".repeat("WARNING  ".length());

  private final DataOutput out;
  private final boolean colored;

  FindingPrinter(DataOutput out, boolean colored) {
    this.out = out;
    this.colored = colored;
  }

  /** As in {@code stale-lock (dev:a): a lock of … was left behind}. */
  static String sentence(Finding finding) {
    return finding.check() + " (" + finding.subject() + "): " + finding.what();
  }

  void print(List<Finding> findings, OutputFormat format) {
    switch (format) {
      case text -> {
        findings.forEach(this::print);
        line(summary(findings));
      }
      case table -> {
        TextTable table = new TextTable("LEVEL", "CHECK", "SUBJECT", "FINDING");
        findings.forEach(f -> table.add(f.level().name(), f.check(), f.subject(), f.what()));
        table.print(out, colored);
      }
      case json, ndjson -> {
        JsonOutput json = new JsonOutput(out, format);
        findings.forEach(finding -> json.add(to -> write(finding, to)));
        json.end();
      }
    }
  }

  private void print(Finding finding) {
    String level = finding.level().name();
    line(level + INDENT.substring(level.length()) + sentence(finding));
    if (finding.level() == Finding.Level.OK) {
      return;
    }
    line(INDENT + "why: " + finding.why());
    finding.mend().ifPresent(this::print);
  }

  private void print(Mend mend) {
    String label = "mend: ";
    for (String step : mend.steps()) {
      line(INDENT + label + step + (mend.means() == Mend.Means.SQL ? ";" : ""));
      label = " ".repeat(label.length());
    }
    if (mend.safe()) {
      line(INDENT + label + "(statectl doctor --fix does it)");
    }
  }

  private void line(String text) {
    out.line(PrintableText.escaped(text));
  }

  /** As in {@code 1 error, 2 warnings, 0 infos, 14 ok; --fix mends 1}. */
  private static String summary(List<Finding> findings) {
    String counts =
        Stream.of(Finding.Level.ERROR, Finding.Level.WARNING, Finding.Level.INFO)
            .map(
                level ->
                    StateDescription.counted(
                        count(findings, level), level.name().toLowerCase(Locale.ROOT)))
            .collect(Collectors.joining(", "));
    long mendable = findings.stream().filter(Finding::isSafelyMendable).count();
    return counts
        + ", "
        + count(findings, Finding.Level.OK)
        + " ok"
        + (mendable == 0 ? "" : "; --fix mends " + mendable);
  }

  private static long count(List<Finding> findings, Finding.Level level) {
    return findings.stream().filter(finding -> finding.level() == level).count();
  }

  private static void write(Finding finding, JsonGenerator to) throws IOException {
    to.writeStringField("level", finding.level().name().toLowerCase(Locale.ROOT));
    to.writeStringField("check", finding.check());
    to.writeStringField("subject", finding.subject());
    to.writeStringField("what", finding.what());
    to.writeStringField("why", finding.why().isEmpty() ? null : finding.why());
    if (finding.mend().isEmpty()) {
      to.writeNullField("mend_by");
      to.writeNullField("mend");
    } else {
      Mend mend = finding.mend().get();
      to.writeStringField("mend_by", mend.means().name().toLowerCase(Locale.ROOT));
      to.writeArrayFieldStart("mend");
      for (String step : mend.steps()) {
        to.writeString(step);
      }
      to.writeEndArray();
    }
    to.writeBooleanField("fixable", finding.isSafelyMendable());
  }
}
