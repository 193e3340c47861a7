package dev.statectl.cli;

import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.MigrationPlan;
import dev.statectl.port.MigrationStep;
import dev.statectl.state.StateIdGlob;
import dev.statectl.usecase.MigrateStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code statectl migrate}. */
@Command(
    name = "migrate",
    header = "Replicates tables that each server of a cluster has for itself.",
    description = {
      "Where tables are not replicated and there are several replicas, each of these has states and"
          + " locks of its own, so nothing is written. This makes replicated tables beside them,"
          + " copies what all servers have, of each state the newest version, compares, exchanges"
          + " the tables, and copies what was written meanwhile.",
      "The plan says what each server holds and names every statement. The old tables stay, as"
          + " TABLE_before_migration. What was interrupted goes on when it is run again.",
      "Stop the pipelines meanwhile: a state that is removed while this runs may come back, and a"
          + " lock that is taken on a server may not be seen. All replicas must be up."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl migrate --to replicated --dry-run",
      "  statectl migrate --to replicated --cluster prod"
    })
final class MigrateCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final Diagnostics diagnostics;

  @Mixin private final Confirmation confirmation;

  /** To what a store can be migrated. */
  enum Goal {
    /** Tables that all replicas have the same rows of. */
    replicated
  }

  @Option(
      names = "--to",
      required = true,
      paramLabel = "replicated",
      description = "What the tables are to be: replicated.")
  private Goal goal = Goal.replicated;

  MigrateCommand(BackendRunner backends, Confirmation confirmation, Diagnostics diagnostics) {
    this.backends = backends;
    this.confirmation = confirmation;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    return backends.run(this::migrate);
  }

  private int migrate(BackendComponent component) {
    MigrateStore migrations = component.migrateStore();
    String target = component.backend().target();
    Optional<MigrationPlan> possible = migrations.planReplicated();
    if (possible.isEmpty()) {
      throw new CommandFailure(
          ExitCode.USAGE, "an embedded store has one file and no replicas; nothing was changed");
    }
    MigrationPlan plan = possible.get();
    if (plan.steps().isEmpty()) {
      diagnostics.inform("there is nothing to do in " + target + ": " + plan.goal());
      return ExitCode.OK.code();
    }
    if (!confirmation.allows(() -> planned(plan, component, target))) {
      return ExitCode.OK.code();
    }
    int[] begun = {0};
    migrations.run(
        plan,
        step ->
            diagnostics.inform(
                "step %d of %d: %s".formatted(++begun[0], plan.steps().size(), step.what())));
    diagnostics.inform("migrated " + target + " to " + plan.goal());
    diagnostics.inform("what was there is kept; when all is well, drop it:");
    plan.afterwards().forEach(statement -> diagnostics.inform("  " + statement));
    return ExitCode.OK.code();
  }

  private static ChangePlan planned(MigrationPlan plan, BackendComponent component, String target) {
    List<String> lines = new ArrayList<>();
    for (MigrationPlan.Contents contents : plan.contents()) {
      lines.add(
          "  server %s has %s, %d of them alone, %d older than elsewhere"
              .formatted(
                  contents.server(),
                  StateDescription.counted(contents.states(), "state"),
                  contents.alone(),
                  contents.older()));
    }
    LockTerms terms = component.locking().terms();
    List<LockCandidate> held = new ArrayList<>();
    component
        .locks()
        .forEach(
            StateIdGlob.ALL,
            candidate -> {
              if (!candidate.isStale(terms)) {
                held.add(candidate);
              }
            });
    if (!held.isEmpty()) {
      lines.add(
          "  "
              + StateDescription.counted(held.size(), "lock")
              + " held on this server now, so pipelines run; stop them first");
    }
    int number = 0;
    for (MigrationStep step : plan.steps()) {
      lines.add("  " + ++number + ". " + step.what());
      step.statements().forEach(statement -> lines.add("     " + statement));
    }
    return ChangePlan.of("migrate", target + " to " + plan.goal()).withLines(lines);
  }
}
