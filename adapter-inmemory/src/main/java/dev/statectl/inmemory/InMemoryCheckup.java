package dev.statectl.inmemory;

import dev.statectl.port.Checkup;
import dev.statectl.port.Finding;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the files of a snapshot, if there is one. Nothing of them is mended without a person.
 */
final class InMemoryCheckup implements Checkup {
  private final InMemoryStore store;
  private final @Nullable Path file;

  /** With the snapshot's absolute path, or null for states in memory alone. */
  InMemoryCheckup(InMemoryStore store, @Nullable Path file) {
    this.store = store;
    this.file = file;
  }

  @Override
  public List<Finding> examine() {
    // Fails once the store was closed.
    store.now();
    return file == null
        ? List.of(
            Finding.ok("place", "memory", "in memory only, and no longer than this program runs"))
        : SnapshotFindings.of(SnapshotFacts.of(file));
  }

  @Override
  public void mend(Finding finding) {
    throw new IllegalArgumentException("no safe mend for " + finding.check());
  }
}
