package dev.statectl.inmemory;

import dev.statectl.port.Finding;
import dev.statectl.port.Mend;
import java.util.ArrayList;
import java.util.List;

/** Judges a snapshot's files. */
final class SnapshotFindings {
  private static final long LARGE = 64L << 20;
  private static final long NEARLY_FULL = SnapshotFile.MAX_BYTES / 10 * 9;

  private SnapshotFindings() {}

  static List<Finding> of(SnapshotFacts facts) {
    List<Finding> findings = new ArrayList<>();
    findings.add(file(facts));
    findings.add(directory(facts));
    if (facts.othersMayWrite()) {
      findings.add(
          Finding.warning(
                  "snapshot-rights",
                  facts.file().toString(),
                  "every user of this machine may write the file",
                  "anybody can change the states, also while statectl has them open")
              .withMend(Mend.command("chmod o-w " + quoted(facts.file().toString()))));
    }
    if (facts.hasTemporary()) {
      String temporary = facts.file() + ".tmp";
      findings.add(
          Finding.info(
                  "snapshot-leftover",
                  temporary,
                  "a change was not brought to its end, by a crash or a full disk",
                  "the states are those before it; the next change replaces this file")
              .withMend(Mend.command("rm " + quoted(temporary))));
    }
    return findings;
  }

  private static Finding file(SnapshotFacts facts) {
    String file = facts.file().toString();
    if (facts.size().isEmpty()) {
      return Finding.info(
          "snapshot-file",
          file,
          "the file does not exist",
          "nothing is stored here yet; if there should be states, the path is another one");
    }
    long bytes = facts.size().get();
    String what = "the file has " + bytes + " bytes";
    if (bytes < LARGE) {
      return Finding.ok("snapshot-file", file, what);
    }
    Mend mend = Mend.command("statectl export | statectl --uri clickhouse://… import -");
    return (bytes < NEARLY_FULL
            ? Finding.info(
                "snapshot-file",
                file,
                what,
                "each change writes the whole file anew, and all of it is held in memory")
            : Finding.warning(
                "snapshot-file",
                file,
                what,
                "from " + SnapshotFile.MAX_BYTES + " bytes on no state can be stored"))
        .withMend(mend);
  }

  private static Finding directory(SnapshotFacts facts) {
    String directory = facts.file().resolveSibling("").toString();
    if (!facts.mayWriteBeside()) {
      return Finding.info(
              "snapshot-directory",
              directory,
              "no file can be made in the directory",
              "states can be read but not stored, and are read without a lock")
          .withMend(Mend.command("chmod u+w " + quoted(directory)));
    }
    return Finding.ok(
        "snapshot-directory",
        directory,
        facts.hasLockFile()
            ? "states can be stored; this program holds the lock " + facts.file() + ".lock"
            : "states can be stored");
  }

  private static String quoted(String path) {
    return "'" + path.replace("'", "'\\''") + "'";
  }
}
