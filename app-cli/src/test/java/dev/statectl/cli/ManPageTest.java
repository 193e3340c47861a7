package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ManPageTest {
  @TempDir private Path directory;

  @Test
  void everyCommandHasAPage() throws Exception {
    List<String> pages = new ArrayList<>();
    for (CompletionModel command : CompletionModel.of(ShareDirectory.model()).all()) {
      pages.add("man/man1/" + command.path().replace(' ', '-') + ".1");
    }

    assertThat(pages).contains("man/man1/statectl.1", "man/man1/statectl-lock-run.1");
    assertThat(files().keySet()).containsAll(pages);
  }

  @Test
  void everyPageHasWhatAReaderLooksFor() throws Exception {
    pages()
        .forEach(
            (name, page) ->
                assertThat(page)
                    .as(name)
                    .contains(
                        ".SH \"NAME\"\n",
                        ".SH \"SYNOPSIS\"\n",
                        ".SH \"DESCRIPTION\"\n",
                        ".SH \"OPTIONS\"\n",
                        ".SH \"EXIT STATUS\"\n.TP\n0\ndone\n",
                        ".SH \"ENVIRONMENT\"\n",
                        ".SH \"SEE ALSO\"\n"));
  }

  @Test
  void aPageShowsTheHelpsTexts() throws Exception {
    assertThat(pages().get("man/man1/statectl-get.1"))
        .startsWith(
            ".\\\" Generated from the model of the command line.\n.TH \"STATECTL\\-GET\" 1 ")
        .contains(
            ".SH \"NAME\"\nstatectl\\-get \\- Prints the state of an id\n",
            ".TP\n\\fIID\\fR\nThe state\\(aqs id.\n",
            ".TP\n\\fB\\-\\-default\\-empty\\fR\nIf there is no state with this id, print {} and"
                + " end with 0.\n");
    assertThat(pages().get("man/man1/statectl.1"))
        .contains(".TP\n\\fBstatectl\\-get\\fR(1)\nPrints the state of an id\n");
  }

  @Test
  void pagesAreRenderedWithoutWarnings() throws Exception {
    Tool.need("groff", "groff");
    for (Map.Entry<String, String> page : pages().entrySet()) {
      Path file = Files.writeString(directory.resolve("page.1"), page.getValue());

      Tool.Result warnings =
          Tool.run(
              directory,
              Map.of(),
              "",
              "sh",
              "-c",
              "groff -man -ww -Tutf8 '" + file + "' >rendered");

      assertThat(warnings).as(page.getKey()).isEqualTo(new Tool.Result(0, ""));
      assertThat(directory.resolve("rendered")).isNotEmptyFile();
    }
  }

  private static Map<String, String> files() throws Exception {
    CommandLine model = ShareDirectory.model();
    return ShareDirectory.files(model);
  }

  private static Map<String, String> pages() throws Exception {
    Map<String, String> pages = files();
    pages.keySet().removeIf(name -> !name.endsWith(".1"));
    return pages;
  }
}
