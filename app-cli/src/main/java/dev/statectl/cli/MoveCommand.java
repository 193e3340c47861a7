package dev.statectl.cli;

import dev.statectl.state.State;
import dev.statectl.usecase.MoveState.Moved;
import dev.statectl.usecase.Transfer;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code statectl move}. */
@Command(
    name = "move",
    customSynopsis = {
      "statectl move [--dry-run] [-y] [--wait=DURATION] [--uri=URI] [--environment=NAME] SRC DST",
      "       statectl move [--dry-run] [-y] [--wait=DURATION] [--uri=URI] [--environment=NAME]",
      "                     --pattern=GLOB --to=GLOB"
    },
    header = "Moves the state of an id to another, or of many ids.",
    description = {
      "Both halves, the completed and the partial state, are kept as they are, byte for byte. A new"
          + " id is stored at once; before a stored state is overwritten you are asked.",
      "The new id is written and read back before the old one is deleted. Should the command be"
          + " ended in between, the state is under both ids, and the move can be repeated.",
      "With --pattern you see what becomes what, and are asked once. A state that cannot be moved"
          + " does not keep the others from being moved; then the command ends with 8."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl move dev:tap-a-to-b dev:tap-a-to-c",
      "  statectl move --pattern 'staging:*' --to 'prod:*' --dry-run"
    })
final class MoveCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final Diagnostics diagnostics;

  @Mixin private final Confirmation confirmation;

  @Mixin private final WaitOption wait = new WaitOption();

  @Mixin private final TransferOptions options = new TransferOptions();

  MoveCommand(BackendRunner backends, Confirmation confirmation, Diagnostics diagnostics) {
    this.backends = backends;
    this.confirmation = confirmation;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    options.check();
    TransferRun run = new TransferRun(new Moving(), options, confirmation, diagnostics);
    return backends.runLocking("move", wait, run::run);
  }

  private static final class Moving implements TransferRun.Verb {
    @Override
    public String name() {
      return "move";
    }

    @Override
    public String past() {
      return "moved";
    }

    @Override
    public String present() {
      return "moving";
    }

    @Override
    public String besides(Transfer transfer) {
      return ", and delete '" + transfer.source() + "'";
    }

    @Override
    public State run(Transfer transfer, BackendComponent component) {
      Moved moved = component.moveState().move(transfer);
      moved
          .notDeleted()
          .ifPresent(
              failure -> {
                throw new TransferRun.HalfDone(
                    "'"
                        + transfer.destination()
                        + "' is stored, but '"
                        + transfer.source()
                        + "' could not be deleted: "
                        + failure.getMessage());
              });
      return moved.state();
    }
  }
}
