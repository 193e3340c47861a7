package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.LockId;
import dev.statectl.port.Finding;
import dev.statectl.port.Mend;
import dev.statectl.state.StateId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimFindingsTest {
  private static final TableNames NAMES = TableNames.of("meltano", "state");

  @ParameterizedTest
  @CsvSource({
    "ON,   AUTO, false, true",
    "ON,   OFF,  true,  true",
    "AUTO, AUTO, true,  true",
    "AUTO, AUTO, false, false",
    "AUTO, OFF,  true,  false",
    "OFF,  AUTO, true,  false"
  })
  void claimsAreWantedWhereTheyAreAskedForOrThereAreReplicas(
      KeeperLocks asked, Replicated replicated, boolean replicas, boolean wanted) {
    TopologyFacts servers =
        new TopologyFacts(
            new ReplicationSettings("", replicated, Consistency.AUTO, asked),
            "Atomic",
            replicas,
            Map.of(),
            List.of(),
            Optional.empty());

    assertThat(ClaimFindings.areWanted(asked, servers)).isEqualTo(wanted);
  }

  @Test
  void aTableThatCanBeUsedIsWell() {
    assertThat(of(KeeperLocks.AUTO, true, List.of(), Optional.empty()))
        .isEqualTo(Finding.ok("claims", "meltano.state_claim", "ClickHouse Keeper decides locks"));
  }

  @Test
  void aTableThatIsNotThereYetIsMadeByTheFirstLock() {
    Finding finding = of(KeeperLocks.ON, false, List.of(), Optional.empty());

    assertThat(finding.level()).isEqualTo(Finding.Level.INFO);
    assertThat(finding.what()).isEqualTo("there is no table of claims to locks yet");
    assertThat(finding.why())
        .isEqualTo(
            "the first lock makes it, where the server offers tables in ClickHouse Keeper; else it"
                + " is refused");
    assertThat(of(KeeperLocks.AUTO, false, List.of(), Optional.empty()).why())
        .endsWith("; else the rows of locks decide");
  }

  @Test
  void rightsThatLackAreAnErrorWhereKeeperMustDecide() {
    List<String> lacking = List.of("INSERT", "ALTER UPDATE");
    Finding must = of(KeeperLocks.ON, true, lacking, Optional.empty());
    Finding may = of(KeeperLocks.AUTO, true, lacking, Optional.empty());

    assertThat(must.level()).isEqualTo(Finding.Level.ERROR);
    assertThat(must.why()).isEqualTo("no lock can be taken, so nothing stored");
    assertThat(may.level()).isEqualTo(Finding.Level.INFO);
    assertThat(may.why())
        .isEqualTo("ClickHouse Keeper does not decide locks for this user, only their rows");
    assertThat(must.mend())
        .hasValue(Mend.sql("GRANT INSERT, ALTER UPDATE ON meltano.state_claim TO etl"));
    assertThat(may.mend()).isEqualTo(must.mend());
  }

  @Test
  void aKeeperThatDoesNotAnswerIsAnError() {
    Finding finding = of(KeeperLocks.AUTO, true, List.of(), Optional.of("it is gone"));

    assertThat(finding.level()).isEqualTo(Finding.Level.ERROR);
    assertThat(finding.what()).isEqualTo("the claims to locks cannot be read: it is gone");
  }

  @Test
  void whatIsFoundOnAServer() {
    KeeperEngines engines = KeeperEngines.shared();
    String schema = KeeperEngines.freshSchema();
    try (ClickHouseBackend backend = KeeperEngines.open(engines.first(), schema)) {
      assertThat(levelOf(backend)).isEqualTo(Finding.Level.INFO);
      backend.states().save(TestStores.state("a", "{}"));
      backend.locks().claim(StateId.of("a"), new LockId("l"), "me", Duration.ofSeconds(300));
      assertThat(levelOf(backend)).isEqualTo(Finding.Level.OK);
      engines.keeper().close();
      try {
        assertThat(levelOf(backend)).isEqualTo(Finding.Level.ERROR);
      } finally {
        engines.keeper().restart();
      }
    }
  }

  private static Finding.Level levelOf(ClickHouseBackend backend) {
    return backend.checkup().examine().stream()
        .filter(finding -> finding.check().equals("claims"))
        .findFirst()
        .orElseThrow()
        .level();
  }

  private static Finding of(
      KeeperLocks asked, boolean isThere, List<String> lacking, Optional<String> unanswered) {
    return ClaimFindings.of(asked, isThere, lacking, unanswered, NAMES, "etl");
  }
}
