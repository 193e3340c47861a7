package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script in a real fish, which is asked what it would offer. */
class FishCompletionTest {
  @TempDir private Path directory;

  @BeforeEach
  void writeScript() throws Exception {
    Tool.need("fish", "fish");
    Files.writeString(
        directory.resolve("completion"),
        FishCompletion.script(CompletionModel.of(ShareDirectory.model())));
  }

  @Test
  void commandsAreCompleted() throws Exception {
    assertThat(words("statectl l")).containsExactlyInAnyOrder("list", "lock");
    assertThat(offered("statectl lo")).containsExactly("lock\tShows, breaks and holds locks");
    assertThat(words("statectl lock ")).containsExactlyInAnyOrder("list", "show", "break", "run");
    assertThat(words("statectl --environment prod lock b")).containsExactly("break");
  }

  @Test
  void optionsAreCompletedBehindACommand() throws Exception {
    assertThat(words("statectl get --def")).containsExactly("--default-empty");
    assertThat(words("statectl get a:b --f")).containsExactly("--format");
    assertThat(words("statectl list --def")).isEmpty();
  }

  @Test
  void valuesOfOptionsAreCompleted() throws Exception {
    assertThat(words("statectl get --format ")).containsExactlyInAnyOrder("json", "pretty");
    assertThat(words("statectl get --format=p")).containsExactly("--format=pretty");
    assertThat(words("statectl completion z")).containsExactly("zsh");
  }

  @Test
  void filesAreCompletedOnlyWhereAnOptionTakesOne() throws Exception {
    Files.createFile(directory.resolve("state.json"));

    assertThat(words("statectl set x --input-file st")).containsExactly("state.json");
    assertThat(words("statectl set st")).isEmpty();
  }

  @Test
  void everyOptionOfEveryCommandIsOffered() throws Exception {
    for (CompletionModel command : CompletionModel.of(ShareDirectory.model()).all()) {
      assertThat(words(command.path() + " --"))
          .as(command.path())
          .containsExactlyInAnyOrderElementsOf(
              command.options().stream()
                  .flatMap(option -> option.names().stream())
                  .filter(name -> name.startsWith("--"))
                  .toList());
    }
  }

  private List<String> words(String line) throws Exception {
    return offered(line).stream().map(offer -> offer.split("\t")[0]).toList();
  }

  private List<String> offered(String line) throws Exception {
    Tool.Result result =
        Tool.run(
            directory,
            Map.of("HOME", directory.toString(), "LINE", line),
            "",
            "fish",
            "--no-config",
            "-c",
            "source completion; complete -C $LINE");
    assertThat(result.code()).as(result.output()).isZero();
    return result.output().lines().toList();
  }
}
