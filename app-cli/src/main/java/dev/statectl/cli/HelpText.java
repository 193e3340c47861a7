package dev.statectl.cli;

import java.util.Arrays;
import java.util.List;

/** Texts of the help, without the marks that picocli replaces in them. */
final class HelpText {
  private static final int MAX_SUMMARY = 90;

  private HelpText() {}

  /** The lines; what stands for a line feed begins a new one. */
  static List<String> lines(String... texts) {
    return Arrays.stream(texts)
        .flatMap(text -> Arrays.stream(text.split("%n|\n", -1)))
        .map(line -> line.replaceAll("@\\|[^ ]+ (.*?)\\|@", "$1").replace("%%", "%"))
        .toList();
  }

  /** The first sentence, or as much of it as fits on a line, without a full stop. */
  static String summary(String... texts) {
    String text = String.join(" ", lines(texts)).replaceAll("\\s+", " ").strip();
    String sentence = text.split("(?<=\\.) |; ", 2)[0].replaceAll("\\.$", "");
    if (sentence.length() <= MAX_SUMMARY) {
      return sentence;
    }
    int colon = sentence.indexOf(": ");
    if (colon > 0 && colon <= MAX_SUMMARY) {
      return sentence.substring(0, colon);
    }
    return sentence.substring(0, sentence.lastIndexOf(' ', MAX_SUMMARY)) + " …";
  }
}
