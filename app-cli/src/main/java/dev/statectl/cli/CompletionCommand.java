package dev.statectl.cli;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code statectl completion}. */
@Command(
    name = "completion",
    header = "Prints a script with which a shell completes statectl's command lines.",
    description = {
      "The script is static: a shell that reads it starts nothing. It completes commands, options,"
          + " the values of options, and files where an option takes one.",
      "Where STATECTL_COMPLETE_IDS=1, ids are completed as well: a TAB where one is expected then"
          + " runs 'statectl list' for up to 3 seconds, with the settings that hold in the shell."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(statectl completion bash)",
      "  statectl completion zsh > ~/.zfunc/_statectl    # in $fpath",
      "  statectl completion fish > ~/.config/fish/completions/statectl.fish"
    })
final class CompletionCommand implements Callable<Integer> {
  private final Supplier<CommandLine> model;
  private final DataOutput out;

  @Parameters(paramLabel = "bash|zsh|fish", description = "The shell.")
  private Shell shell = Shell.bash;

  CompletionCommand(Supplier<CommandLine> model, DataOutput out) {
    this.model = model;
    this.out = out;
  }

  // Named as they are typed.
  private enum Shell {
    bash,
    zsh,
    fish
  }

  @Override
  public Integer call() {
    CompletionModel commands = CompletionModel.of(model.get());
    out.append(
        switch (shell) {
          case bash -> BashCompletion.script(commands);
          case zsh -> ZshCompletion.script(commands);
          case fish -> FishCompletion.script(commands);
        });
    return ExitCode.OK.code();
  }
}
