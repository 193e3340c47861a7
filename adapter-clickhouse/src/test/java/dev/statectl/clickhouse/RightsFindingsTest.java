package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.port.Finding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RightsFindingsTest {
  private static final Set<String> ALL =
      Set.of(
          "SELECT STATES",
          "INSERT STATES",
          "ALTER DELETE STATES",
          "TRUNCATE STATES",
          "SELECT LOCKS",
          "INSERT LOCKS",
          "ALTER DELETE LOCKS");

  @Test
  void theRightsOfAWriterAreThoseThatDdlGrants() {
    assertThat(RightsFindings.Right.ofWriter(false))
        .extracting(right -> right.privilege() + " " + right.target())
        .containsExactlyInAnyOrderElementsOf(ALL);
    assertThat(RightsFindings.Right.ofWriter(true))
        .extracting(right -> right.privilege() + " " + right.target())
        .contains("SELECT HISTORY", "INSERT HISTORY")
        .hasSize(9);
  }

  @Test
  void whoHasAllIsOk() {
    assertThat(texts(0, false, ALL))
        .containsExactly("OK has every right to read and write states and locks");
  }

  @Test
  void aReaderIsNoFault() {
    Set<String> held = Set.of("SELECT STATES", "SELECT LOCKS");

    assertThat(texts(0, false, held))
        .containsExactly("INFO may only read: nothing else is granted");
    assertThat(findings(0, false, held, LockPeers.PLUGIN).get(0).mend().orElseThrow().steps())
        .containsExactly(
            "GRANT INSERT, ALTER DELETE, TRUNCATE ON meltano.state TO \"e-t-l\"",
            "GRANT INSERT, ALTER DELETE ON meltano.state_lock TO \"e-t-l\"");
  }

  @Test
  void aReaderWhoMayNotReadAllIsToldWhatIsRefused() {
    assertThat(texts(0, true, Set.of("SELECT STATES")))
        .containsExactly(
            "INFO may only read: nothing else is granted",
            "INFO may not read meltano.state_lock",
            "INFO may not read meltano.state_history");
  }

  @Test
  void aProfileThatOnlyReadsOutweighsEveryGrant() {
    assertThat(texts(1, false, ALL))
        .containsExactly("INFO may only read: the profile says readonly = 1");
    assertThat(texts(2, false, Set.of()))
        .containsExactly(
            "INFO may only read: the profile says readonly = 2",
            "ERROR may not read meltano.state",
            "INFO may not read meltano.state_lock");
  }

  @Test
  void whoMayDoNothingCannotRead() {
    assertThat(texts(0, false, Set.of()))
        .containsExactly(
            "ERROR may not read meltano.state", "INFO may not read meltano.state_lock");
  }

  @Test
  void whoInsertsAndDoesNotDeleteCannotReleaseLocks() {
    Set<String> held = Set.of("SELECT STATES", "INSERT STATES", "SELECT LOCKS", "INSERT LOCKS");

    assertThat(texts(0, false, held))
        .containsExactly(
            "ERROR may take locks, but not delete from meltano.state_lock",
            "WARNING may store states, but not delete from meltano.state",
            "INFO may not truncate meltano.state");
    assertThat(findings(0, false, held, LockPeers.PLUGIN).get(0).mend().orElseThrow().steps())
        .containsExactly("GRANT ALTER DELETE ON meltano.state_lock TO \"e-t-l\"");
    assertThat(findings(0, false, held, LockPeers.NONE))
        .extracting(Finding::level)
        .containsExactly(Finding.Level.WARNING, Finding.Level.INFO);
  }

  @Test
  void whatAWriterLacksIsTold() {
    assertThat(
            texts(0, true, Set.of("ALTER DELETE STATES", "TRUNCATE STATES", "ALTER DELETE LOCKS")))
        .containsExactly(
            "ERROR may not read meltano.state",
            "ERROR may not insert into meltano.state",
            "ERROR may not read or insert into meltano.state_lock",
            "WARNING may not read or insert into meltano.state_history");
    assertThat(texts(0, true, ALL))
        .containsExactly("WARNING may not read or insert into meltano.state_history");
  }

  private static List<String> texts(int readonly, boolean withHistory, Set<String> held) {
    return findings(readonly, withHistory, held, LockPeers.PLUGIN).stream()
        .peek(finding -> assertThat(finding.subject()).isEqualTo("the user \"e-t-l\""))
        .map(finding -> finding.level() + " " + finding.what())
        .toList();
  }

  private static List<Finding> findings(
      int readonly, boolean withHistory, Set<String> held, LockPeers peers) {
    Map<RightsFindings.Right, Boolean> rights = new LinkedHashMap<>();
    RightsFindings.Right.ofWriter(withHistory)
        .forEach(
            right -> rights.put(right, held.contains(right.privilege() + " " + right.target())));
    return new RightsFindings(TableNames.of("meltano", "state"), "e-t-l", readonly, rights, peers)
        .all();
  }
}
