package dev.statectl.cli;

import dev.statectl.port.Finding;
import dev.statectl.port.Mend;
import dev.statectl.port.StateFailure;
import dev.statectl.usecase.ExamineStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code statectl doctor}. */
@Command(
    name = "doctor",
    header = "Examines the store itself, and mends what is safe to mend.",
    description = {
      "Looks at the connection, the server, the user's rights, the tables, the clock, every state and"
          + " every lock. Of what is not well it says why that matters, and the exact statements or"
          + " commands that mend it. What the user may not see is said, too. Changes nothing"
          + " without --fix.",
      "Ends with 0 when nothing is worse than INFO, with 1 when there is a WARNING or an ERROR.",
      "With --fix, what is marked so is mended after a plan and a question, and the store is"
          + " examined again: nothing stored is lost by it, and others may work meanwhile. Standard"
          + " output has what was found in the end."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl doctor",
      "  statectl doctor -o json > doctor.json",
      "  statectl doctor --fix --dry-run",
      "  statectl doctor --fix"
    })
final class DoctorCommand implements Callable<Integer> {
  private static final String STATECTL = "statectl ";

  private final BackendRunner backends;
  private final ConnectionOptions connection;
  private final ScreenOptions screen;
  private final DataOutput out;
  private final Diagnostics diagnostics;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final Confirmation confirmation;

  @Option(
      names = "--fix",
      description = "Mend what is safe to mend, after a plan; --dry-run shows only the plan.")
  private boolean fix;

  @Option(
      names = {"-o", "--format"},
      paramLabel = "text|table|json|ndjson",
      defaultValue = "text",
      description =
          "text (default); table: a line a finding; json: an array of objects; ndjson: an object a"
              + " line.")
  private OutputFormat format = OutputFormat.text;

  DoctorCommand(
      BackendRunner backends,
      ConnectionOptions connection,
      ScreenOptions screen,
      Confirmation confirmation,
      DataOutput out,
      Diagnostics diagnostics) {
    this.backends = backends;
    this.connection = connection;
    this.screen = screen;
    this.confirmation = confirmation;
    this.out = out;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    if (!fix && (confirmation.isDryRun() || !confirmation.needsPlan())) {
      throw UsageFault.of(
          spec, "--dry-run and --yes go with --fix; without it nothing is changed anyway");
    }
    return backends.run(this::examine);
  }

  private int examine(BackendComponent component) {
    ExamineStore doctor = component.examineStore();
    String target = component.backend().target();
    List<Finding> findings = findings(doctor);
    boolean failed = false;
    if (fix) {
      List<Finding> mendable = findings.stream().filter(Finding::isSafelyMendable).toList();
      if (mendable.isEmpty()) {
        diagnostics.inform("there is nothing in " + target + " that --fix could mend");
      } else if (confirmation.allows(() -> plan(mendable, target))) {
        failed = !mend(mendable, doctor);
        findings = findings(doctor);
      }
    }
    new FindingPrinter(out, screen.coloredOutput()).print(findings, format);
    boolean well = findings.stream().allMatch(f -> f.level().compareTo(Finding.Level.INFO) <= 0);
    return (well && !failed ? ExitCode.OK : ExitCode.FAILURE).code();
  }

  private List<Finding> findings(ExamineStore doctor) {
    return doctor.examine().stream().map(this::withConnection).toList();
  }

  /** With commands that go to the store that was examined, also where flags said which it is. */
  private Finding withConnection(Finding finding) {
    return finding
        .mend()
        .filter(mend -> mend.means() == Mend.Means.COMMAND)
        .map(
            mend ->
                finding.withMend(
                    new Mend(
                        mend.means(),
                        mend.steps().stream().map(this::withConnection).toList(),
                        mend.safe())))
        .orElse(finding);
  }

  private String withConnection(String command) {
    return command.startsWith(STATECTL)
        ? STATECTL.strip()
            + connection.shownBeside(command)
            + " "
            + command.substring(STATECTL.length())
        : command;
  }

  private static ChangePlan plan(List<Finding> mendable, String target) {
    List<String> lines = new ArrayList<>();
    for (Finding finding : mendable) {
      lines.add("  " + finding.level() + " " + FindingPrinter.sentence(finding));
      finding.mend().orElseThrow().steps().forEach(step -> lines.add("    " + step));
    }
    return ChangePlan.of(
            "mend", StateDescription.counted(mendable.size(), "finding") + " in " + target)
        .withLines(lines);
  }

  /** Mends one after the other; what fails keeps nothing else from being mended. */
  private boolean mend(List<Finding> mendable, ExamineStore doctor) {
    boolean all = true;
    for (Finding finding : mendable) {
      try {
        doctor.mend(finding);
        diagnostics.inform("mended " + finding.check() + " (" + finding.subject() + ")");
      } catch (StateFailure e) {
        all = false;
        diagnostics.say(
            "not mended: " + finding.check() + " (" + finding.subject() + "): " + e.getMessage());
      }
    }
    return all;
  }
}
