package dev.statectl.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PasswordFileTest {
  @TempDir private Path root;
  private Workspace workspace;

  @BeforeEach
  void nameAFile() {
    workspace =
        new Workspace(root)
            .flag(Setting.URI, "clickhouse://etl:weaker@ch/mart")
            .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_PASSWORD", "weaker")
            .flag(Setting.PASSWORD, "password");
  }

  @ParameterizedTest
  @MethodSource("dev.statectl.cli.settings.SettingsTest#someCharacters")
  void everyCharacterOfTheFirstLineIsOneOfThePassword(String character) throws IOException {
    String password = character + "a" + character + "z" + character;
    for (String end : new String[] {"", "\n", "\r\n", "\nlogin: etl\n"}) {
      write(password + end, "rw-------");

      assertThat(workspace.clickHouse().password()).isEqualTo(password);
      assertThat(workspace.resolve().notices()).isEmpty();
    }
  }

  @Test
  void itsNameStandsInTheWorkingDirectory() throws IOException {
    write("pw\n", "r--r-----");

    assertThat(
            workspace.in("extract").flag(Setting.PASSWORD, "../password").clickHouse().password())
        .isEqualTo("pw");
  }

  @Test
  void oneThatEveryUserCanReadIsUsedWithANotice() throws IOException {
    write("pw\n", "rw-r--r--");

    assertThat(workspace.clickHouse().password()).isEqualTo("pw");
    assertThat(workspace.resolve().notices())
        .containsExactly(
            "--password-file: every user of this machine can read the file; chmod go= would help");
  }

  @Test
  void aPipeWillDo() throws Exception {
    Path pipe = root.resolve("password");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Process writer =
        new ProcessBuilder("sh", "-c", "printf 's3cret\\nlogin: etl\\n' > '" + pipe + "'").start();

    assertThat(workspace.clickHouse().password()).isEqualTo("s3cret");
    assertThat(writer.waitFor()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          -       | standard input is for states; name a file, or let the shell make one: --password-file <(COMMAND)
          missing | there is no such file; name the file that holds the password
          ^^      | the file cannot be read; check that it is a file and that you may read it
          empty   | the first line of the file is empty; write the password there
          second  | the first line of the file is empty; write the password there
          latin   | the file is not encoded in UTF-8; save it as UTF-8
          long    | the first line of the file is longer than 4096 characters; check that it is the right file
          """)
  void oneWithoutAPasswordIsReported(String name, String problem) throws IOException {
    workspace.file("empty", "").file("second", "\ns3cret\n").file("long", "s3cret ".repeat(600));
    Files.write(root.resolve("latin"), new byte[] {(byte) 0xE9, '\n'});

    assertThat(workspace.flag(Setting.PASSWORD, name).problems())
        .containsExactly("--password-file: " + problem);
  }

  private void write(String text, String permissions) throws IOException {
    workspace.file("password", text);
    Files.setPosixFilePermissions(
        root.resolve("password"), PosixFilePermissions.fromString(permissions));
  }
}
