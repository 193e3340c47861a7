package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script in an interactive bash on a pseudo-terminal, at which the keys are typed. */
class BashCompletionTest {
  /** Inserts all completions. */
  private static final String ALL = "\u001b*";

  private static final String TAB = "\t";
  private static final String TO_BEGIN = "\u0001";

  @TempDir private Path directory;

  @BeforeEach
  void writeScript() throws Exception {
    Tool.need("script", "bsdutils");
    Files.writeString(
        directory.resolve("completion"),
        BashCompletion.script(CompletionModel.of(ShareDirectory.model())));
  }

  @Test
  void theScriptIsOnlyRead() throws Exception {
    Tool.Result result =
        Tool.run(directory, Map.of("PATH", ""), "", "/bin/bash", "-c", ". ./completion");

    assertThat(result).isEqualTo(new Tool.Result(0, ""));
  }

  @Test
  void commandsAreCompleted() throws Exception {
    assertThat(typed("statectl l" + ALL)).isEqualTo("statectl list lock");
    assertThat(typed("statectl ge" + TAB)).isEqualTo("statectl get");
    assertThat(typed("statectl lock " + ALL)).isEqualTo("statectl lock break list run show");
    assertThat(typed("statectl --environment prod lock b" + TAB))
        .isEqualTo("statectl --environment prod lock break");
  }

  @Test
  void optionsAreCompletedBehindACommand() throws Exception {
    assertThat(typed("statectl get --def" + TAB)).isEqualTo("statectl get --default-empty");
    assertThat(typed("statectl get a:b --f" + TAB)).isEqualTo("statectl get a:b --format");
    assertThat(typed("statectl --ur" + TAB)).isEqualTo("statectl --uri");
    assertThat(typed("statectl lock break --lock-i" + TAB))
        .isEqualTo("statectl lock break --lock-id");
  }

  @Test
  void valuesOfOptionsAreCompleted() throws Exception {
    assertThat(typed("statectl get --format " + ALL))
        .isEqualTo("statectl get --format json pretty");
    assertThat(typed("statectl get --format=p" + TAB)).isEqualTo("statectl get --format=pretty");
    assertThat(typed("statectl --uri clickhouse://u@h:1/d get --format p" + TAB))
        .isEqualTo("statectl --uri clickhouse://u@h:1/d get --format pretty");
    assertThat(typed("statectl completion z" + TAB)).isEqualTo("statectl completion zsh");
  }

  @Test
  void filesAreCompletedWhereAnOptionTakesOne() throws Exception {
    Files.createFile(directory.resolve("a state.json"));

    assertThat(typed("statectl set x --input-file a" + TAB))
        .isEqualTo("statectl set x --input-file a state.json");
  }

  @Test
  void behindTwoDashesThereAreNoOptions() throws Exception {
    assertThat(typed("statectl get -- --f" + TAB)).isEqualTo("statectl get -- --f");
    assertThat(typed("statectl lock run x -- compge" + TAB))
        .isEqualTo("statectl lock run x -- compgen");
  }

  @Test
  void idsAreCompletedOnlyWhenThatIsWanted() throws Exception {
    Path statectl =
        Files.writeString(
            directory.resolve("statectl"),
            "#!/bin/sh\n[ \"$*\" = '--environment prod list' ] || { echo bad; exit 1; }\n"
                + "echo nothing of this >&2\nprintf 'dev:a\\ndev:b\\nprod:c\\n'\n");
    Files.setPosixFilePermissions(statectl, PosixFilePermissions.fromString("rwx------"));

    assertThat(typed("statectl --environment prod get dev:" + ALL))
        .isEqualTo("statectl --environment prod get dev:");
    // For bash, what stands behind a colon is a word.
    assertThat(
            typed(
                Map.of("STATECTL_COMPLETE_IDS", "1"), "statectl --environment prod get dev:" + ALL))
        .isEqualTo("statectl --environment prod get dev:a b");
    assertThat(
            typed(Map.of("STATECTL_COMPLETE_IDS", "1"), "statectl --environment prod get p" + TAB))
        .isEqualTo("statectl --environment prod get prod:c");
  }

  @Test
  void everyOptionOfEveryCommandIsOffered() throws Exception {
    for (CompletionModel command : CompletionModel.of(ShareDirectory.model()).all()) {
      List<String> names =
          command.options().stream()
              .flatMap(option -> option.names().stream())
              .filter(name -> name.startsWith("--"))
              .sorted()
              .toList();

      assertThat(typed(command.path() + " --" + ALL).substring(command.path().length() + 1))
          .as(command.path())
          .isEqualTo(String.join(" ", names));
    }
  }

  private String typed(String keys) throws Exception {
    return typed(Map.of(), keys);
  }

  /** Gives the line that comes of the keys, as echo prints it. */
  private String typed(Map<String, String> environment, String keys) throws Exception {
    String input =
        "PS1= PS2= PATH=$PWD:$PATH; stty cols 2000; bind 'set enable-bracketed-paste off';"
            + " bind 'set completion-ignore-case off'; . ./completion\n"
            + keys
            + TO_BEGIN
            + "echo @@ \nexit\n";
    Tool.Result result =
        Tool.run(
            directory,
            environment.isEmpty() ? Map.of("TERM", "dumb") : with(environment, "TERM", "dumb"),
            input,
            "script",
            "-qec",
            "bash --norc --noprofile -i",
            "/dev/null");
    Matcher matcher = Pattern.compile("(?m)^@@ (.*?) *\\r?$").matcher(result.output());
    assertThat(matcher.find()).as(result.output()).isTrue();
    return matcher.group(1);
  }

  private static Map<String, String> with(Map<String, String> map, String key, String value) {
    Map<String, String> all = new HashMap<>(map);
    all.put(key, value);
    return all;
  }
}
