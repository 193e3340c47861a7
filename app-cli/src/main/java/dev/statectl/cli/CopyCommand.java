package dev.statectl.cli;

import dev.statectl.state.State;
import dev.statectl.usecase.Transfer;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code statectl copy}. */
@Command(
    name = "copy",
    customSynopsis = {
      "statectl copy [--dry-run] [-y] [--wait=DURATION] [--uri=URI] [--environment=NAME] SRC DST",
      "       statectl copy [--dry-run] [-y] [--wait=DURATION] [--uri=URI] [--environment=NAME]",
      "                     --pattern=GLOB --to=GLOB"
    },
    header = "Copies the state of an id to another, or of many ids.",
    description = {
      "Both halves, the completed and the partial state, are kept as they are, byte for byte. A new"
          + " id is stored at once; before a stored state is overwritten you are asked.",
      "With --pattern you see what becomes what, and are asked once. A state that cannot be copied"
          + " does not keep the others from being copied; then the command ends with 8."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl copy prod:tap-a-to-b dev:tap-a-to-b",
      "  statectl copy --pattern 'prod:*' --to 'dev:*' --dry-run"
    })
final class CopyCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final Diagnostics diagnostics;

  @Mixin private final Confirmation confirmation;

  @Mixin private final WaitOption wait = new WaitOption();

  @Mixin private final TransferOptions options = new TransferOptions();

  CopyCommand(BackendRunner backends, Confirmation confirmation, Diagnostics diagnostics) {
    this.backends = backends;
    this.confirmation = confirmation;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    options.check();
    TransferRun run = new TransferRun(new Copying(), options, confirmation, diagnostics);
    return backends.runLocking("copy", wait, run::run);
  }

  private static final class Copying implements TransferRun.Verb {
    @Override
    public String name() {
      return "copy";
    }

    @Override
    public String past() {
      return "copied";
    }

    @Override
    public String present() {
      return "copying";
    }

    @Override
    public String besides(Transfer transfer) {
      return "";
    }

    @Override
    public State run(Transfer transfer, BackendComponent component) {
      return component.copyState().copy(transfer);
    }
  }
}
