package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script in an interactive zsh on a pseudo-terminal, whose matches are written down. */
class ZshCompletionTest {
  private static final String TAB = "\t";
  private static final String TO_BEGIN = "\u0001";

  // Matches pass compadd; with -O, -A and -D it only fills arrays.
  private static final String START =
      """
      PS1= PS2= LISTMAX=9999; stty cols 2000; unsetopt zle_bracketed_paste 2>/dev/null; \
      bindkey -e; autoload -Uz compinit; compinit -u -D; zstyle ':completion:*' insert-tab no
      compadd() { local -a found; if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then \
      builtin compadd "$@"; return; fi; builtin compadd -A found "$@"; \
      print -rl -- $found >>matches; builtin compadd "$@" }
      """;

  @TempDir private Path directory;

  @BeforeEach
  void writeScript() throws Exception {
    Tool.need("script", "bsdutils");
    Tool.need("zsh", "zsh");
    Files.writeString(
        directory.resolve("_statectl"),
        ZshCompletion.script(CompletionModel.of(ShareDirectory.model())));
  }

  @Test
  void commandsAreCompleted() throws Exception {
    assertThat(offered("statectl l")).containsExactly("list", "lock");
    assertThat(typed("statectl ge")).isEqualTo("statectl get");
    assertThat(offered("statectl lock ")).containsExactly("break", "list", "run", "show");
    assertThat(typed("statectl --environment prod lock b"))
        .isEqualTo("statectl --environment prod lock break");
  }

  @Test
  void optionsAreCompletedBehindACommand() throws Exception {
    assertThat(typed("statectl get --def")).isEqualTo("statectl get --default-empty");
    assertThat(typed("statectl get a --f")).isEqualTo("statectl get a --format");
    assertThat(typed("statectl lock break --lock-i")).isEqualTo("statectl lock break --lock-id");
  }

  @Test
  void valuesOfOptionsAreCompleted() throws Exception {
    assertThat(offered("statectl get --format ")).containsExactly("json", "pretty");
    assertThat(typed("statectl get --format=p")).isEqualTo("statectl get --format=pretty");
    assertThat(typed("statectl completion z")).isEqualTo("statectl completion zsh");
  }

  @Test
  void filesAreCompletedWhereAnOptionTakesOne() throws Exception {
    Files.createFile(directory.resolve("state.json"));

    assertThat(typed("statectl set x --input-file st"))
        .isEqualTo("statectl set x --input-file state.json");
  }

  @Test
  void everyOptionOfEveryCommandIsOffered() throws Exception {
    List<CompletionModel> commands = CompletionModel.of(ShareDirectory.model()).all();
    StringBuilder keys = new StringBuilder();
    for (CompletionModel command : commands) {
      keys.append(command.path()).append(" --").append(TAB).append(TO_BEGIN).append(": \n");
      keys.append("print -r -- @ >>matches\n");
    }
    type(START + "source ./_statectl\n", keys + "statectl ");

    String[] matches = Files.readString(directory.resolve("matches")).split("@\n", -1);
    for (int i = 0; i < commands.size(); i++) {
      assertThat(new TreeSet<>(matches[i].lines().filter(name -> name.startsWith("--")).toList()))
          .as(commands.get(i).path())
          .containsExactlyElementsOf(
              new TreeSet<>(
                  commands.get(i).options().stream()
                      .flatMap(option -> option.names().stream())
                      .filter(name -> name.startsWith("--"))
                      .toList()));
    }
  }

  @Test
  void theScriptWorksFromADirectoryOfFunctionsToo() throws Exception {
    type("fpath=($PWD $fpath); " + START, "statectl ge");

    assertThat(Files.readString(directory.resolve("line"))).isEqualTo("statectl get\n");
  }

  private TreeSet<String> offered(String line) throws Exception {
    Files.deleteIfExists(directory.resolve("matches"));
    type(START + "source ./_statectl\n", line);
    TreeSet<String> matches = new TreeSet<>(Files.readAllLines(directory.resolve("matches")));
    matches.remove("");
    return matches;
  }

  private String typed(String line) throws Exception {
    type(START + "source ./_statectl\n", line);
    return Files.readString(directory.resolve("line")).strip();
  }

  /** Types the line and TAB, and prints what the line has become. */
  private void type(String start, String line) throws Exception {
    Files.deleteIfExists(directory.resolve("line"));
    Tool.Result result =
        Tool.run(
            directory,
            Map.of("TERM", "dumb", "HOME", directory.toString(), "ZDOTDIR", directory.toString()),
            start + line + TAB + TO_BEGIN + "print -r >line -- \nexit\n",
            "script",
            "-qec",
            "zsh -f -i",
            "/dev/null");
    assertThat(directory.resolve("line")).as(result.output()).exists();
  }
}
