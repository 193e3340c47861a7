package dev.statectl.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;

/**
 * What a distribution has below {@code share}: pages of the manual, and completions where shells
 * look for them. Run by the build.
 */
final class ShareDirectory {
  private ShareDirectory() {}

  /** One argument: the directory, created if missing. */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    for (Map.Entry<String, String> file : files(model()).entrySet()) {
      Path path = directory.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue());
    }
  }

  /** The command line with all its commands, without a process around it. */
  static CommandLine model() {
    return Launcher.model(
        new ProcessContext(
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            System.err,
            Map.of(),
            Path.of(""),
            new ConsoleTerminal(InputStream.nullInputStream(), System.err),
            new JvmStopSignals(),
            "",
            Clock.systemUTC()));
  }

  /** The text of each file, by its path below the directory. */
  static Map<String, String> files(CommandLine root) throws IOException {
    CompletionModel commands = CompletionModel.of(root);
    Map<String, String> files = new LinkedHashMap<>();
    files.put("bash-completion/completions/statectl", BashCompletion.script(commands));
    files.put("zsh/site-functions/_statectl", ZshCompletion.script(commands));
    files.put("fish/vendor_completions.d/statectl.fish", FishCompletion.script(commands));
    addPages(root, new VersionProvider().getVersion()[0], files);
    return files;
  }

  private static void addPages(CommandLine command, String version, Map<String, String> files) {
    if (command.getCommandSpec().usageMessage().hidden()) {
      return;
    }
    files.put("man/man1/" + ManPage.name(command) + ".1", ManPage.text(command, version));
    command.getSubcommands().values().forEach(below -> addPages(below, version, files));
  }
}
