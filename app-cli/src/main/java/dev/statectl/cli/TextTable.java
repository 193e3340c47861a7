package dev.statectl.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Columns of text with heads, each as wide as its widest cell. */
final class TextTable {
  private static final String BOLD = "\u001b[1m";
  private static final String PLAIN = "\u001b[0m";

  private final List<List<String>> rows = new ArrayList<>();

  /** With the heads of its columns. */
  TextTable(String... heads) {
    rows.add(List.of(heads));
  }

  /** Adds a row, whose cells are made printable. */
  void add(String... cells) {
    rows.add(Arrays.stream(cells).map(PrintableText::escaped).toList());
  }

  /**
   * Prints the table; nothing when it has no row.
   *
   * @param colored whether the heads are bold
   */
  void print(DataOutput out, boolean colored) {
    if (rows.size() == 1) {
      return;
    }
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      Arrays.setAll(widths, i -> Math.max(widths[i], width(row.get(i))));
    }
    String heads = line(rows.get(0), widths);
    out.line(colored ? BOLD + heads + PLAIN : heads);
    rows.subList(1, rows.size()).forEach(row -> out.line(line(row, widths)));
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
}
