package dev.statectl.cli.settings;

import dev.statectl.cli.settings.Origin.Layer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file whose first line is a password, without the line's end and with all else of it. It may be
 * a pipe, as in {@code --password-file <(pass show clickhouse)}; what follows the first line is not
 * looked at, since such programs show more.
 *
 * <p>A file that others can read is used with a notice. Refusing it, as ssh does with keys, would
 * rule out the secrets that container platforms mount, which everyone in the container can read.
 */
final class PasswordFile {
  /** Nobody's password; a file that was meant to be another one shall not be read to its end. */
  private static final int LONGEST = 4096;

  private PasswordFile() {}

  /** Gives the password, or null if there is none in the file, which is reported. */
  static @Nullable Candidate read(
      String name, Path workingDirectory, Problems problems, List<String> notices) {
    String place = Setting.PASSWORD.flag();
    if (name.equals("-")) {
      problems.add(
          place,
          "standard input is for states",
          "name a file, or let the shell make one: --password-file <(COMMAND)");
      return null;
    }
    try {
      Path file = workingDirectory.resolve(name);
      String password = firstLine(file);
      if (password.isEmpty()) {
        problems.add(place, "the first line of the file is empty", "write the password there");
        return null;
      }
      if (password.length() > LONGEST) {
        problems.add(
            place,
            "the first line of the file is longer than " + LONGEST + " characters",
            "check that it is the right file");
        return null;
      }
      if (isOpenToOthers(file)) {
        notices.add(place + ": every user of this machine can read the file; chmod go= would help");
      }
      return Candidate.of(password, Layer.FLAG, place);
    } catch (CharacterCodingException e) {
      problems.add(place, "the file is not encoded in UTF-8", "save it as UTF-8");
    } catch (NoSuchFileException | InvalidPathException e) {
      problems.add(place, "there is no such file", "name the file that holds the password");
    } catch (IOException e) {
      problems.add(
          place, "the file cannot be read", "check that it is a file and that you may read it");
    }
    return null;
  }

  private static String firstLine(Path file) throws IOException {
    StringBuilder line = new StringBuilder();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                Files.newInputStream(file), StandardCharsets.UTF_8.newDecoder()))) {
      for (int c = reader.read(); c >= 0 && c != '\n' && line.length() <= LONGEST + 1; ) {
        line.append((char) c);
        c = reader.read();
      }
    }
    int end = line.length();
    return end > 0 && line.charAt(end - 1) == '\r' ? line.substring(0, end - 1) : line.toString();
  }

  private static boolean isOpenToOthers(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try {
      return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
    } catch (UnsupportedOperationException e) {
      return false;
    }
  }
}
