package dev.statectl.clickhouse.race;

import dev.statectl.clickhouse.ClickHouseBackend;
import dev.statectl.clickhouse.KeeperLocks;
import dev.statectl.clickhouse.LockPeers;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestKeeper;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import dev.statectl.usecase.SaveState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Lets processes race for one lock until ours have had enough rounds, merging the tables all the
 * while and stopping and killing processes of ours, most of all those that hold the lock; then
 * looks at what the witnesses say. Where Keeper gives the lock, ours may be on several servers that
 * share nothing else, and Keeper is stopped and started and its sessions ended.
 */
final class Race {
  private final RaceSetup setup;
  private final int rounds;
  private final int roundsPerDisturbance;
  private final Random random;
  private final List<ClickHouseEndpoint> servers;
  private final Map<String, Runner> ours = new LinkedHashMap<>();
  private final List<Runner> peers = new ArrayList<>();
  // Who is stopped, by the time when it goes on.
  private final TreeMap<Long, Runner> stopped = new TreeMap<>();
  private final Set<String> killed = new HashSet<>();
  private int stops;
  private int started;
  private int sectionsOfPeers;
  private @Nullable KeeperFaults keeper;

  /**
   * @param rounds how many sections of ours must end
   * @param roundsPerDisturbance after how many of them a process of ours is stopped or killed; 0
   *     for never
   */
  Race(RaceSetup setup, int rounds, int roundsPerDisturbance) {
    this.setup = setup;
    this.rounds = rounds;
    this.roundsPerDisturbance = roundsPerDisturbance;
    this.random = new Random(setup.seed());
    this.servers = new ArrayList<>(List.of(setup.endpoint()));
  }

  /** Lets every other process of ours work on another server. */
  void alsoOn(ClickHouseEndpoint server) {
    servers.add(server);
  }

  /** Disturbs also the Keeper. */
  void disturb(TestKeeper disturbed) {
    keeper = new KeeperFaults(disturbed, rounds, setup.staleSeconds(), random);
  }

  /** Makes the tables, ours or the plugin's and upgraded, and a record of all writes. */
  void prepare() throws IOException {
    Files.createDirectories(setup.directory());
    if (setup.peers() == LockPeers.PLUGIN) {
      PluginPeer.createTables(setup.endpoint(), setup.schema());
    }
    ScheduledExecutorService timer = Contestant.timer();
    for (ClickHouseEndpoint server : servers) {
      try (ClickHouseBackend backend = setup.at(server).open()) {
        new SaveState(backend.states(), locks(backend, timer, "race"))
            .save(Contestant.counting(0, "race"));
      }
      writesOn(server).begin();
    }
    timer.shutdownNow();
  }

  private RecordedWrites writesOn(ClickHouseEndpoint server) {
    return new RecordedWrites(server, setup.schema());
  }

  /** How this process takes part. */
  AcquireLock locks(ClickHouseBackend backend, ScheduledExecutorService timer, String holder) {
    LockMeans means =
        LockMeans.of(
            Clock.systemUTC(), random, System::nanoTime, d -> Thread.sleep(d.toMillis()), timer);
    return new AcquireLock(backend.locks(), setup.terms(), means, holder);
  }

  /** Waits until all of ours have tried to get the lock. */
  void awaitAnnouncements() throws InterruptedException {
    for (Runner runner : ours.values()) {
      for (int i = 0; !Files.exists(Witness.announcedIn(setup.directory(), runner.name())); i++) {
        requireAllAlive();
        if (i == 12000) {
          throw new IllegalStateException(runner.name() + " does not try: " + runner.said());
        }
        Thread.sleep(10);
      }
    }
  }

  /** Peers must have had sections, too, before the race may end. */
  void requireSectionsOfPeers(int count) {
    sectionsOfPeers = count;
  }

  void addOurs(int count) throws IOException {
    for (int i = 1; i <= count; i++) {
      startOurs("ours-" + i);
    }
  }

  void addPeers(int count) throws IOException {
    for (int i = 1; i <= count; i++) {
      addPeer(Runner.java(PluginPeer.class, setup.withSeed(setup.seed() + 1000 + i), "peer-" + i));
    }
  }

  void addPeer(Runner peer) {
    peers.add(peer);
  }

  private void startOurs(String slot) throws IOException {
    started++;
    String name = slot + "." + started;
    int number = Integer.parseInt(slot.substring(slot.indexOf('-') + 1));
    RaceSetup own = setup.withSeed(setup.seed() + started).at(servers.get(number % servers.size()));
    ours.put(slot, Runner.java(Contestant.class, own, name));
  }

  RaceResult run() throws IOException, InterruptedException {
    long begin = System.nanoTime();
    List<Merging> merging =
        servers.stream().map(server -> Merging.start(setup.at(server))).toList();
    try {
      int next = roundsPerDisturbance;
      for (int done = 0; !isEnough(done); done = ended("ours")) {
        requireAllAlive();
        if (System.nanoTime() - begin > (300 + 10L * rounds) * 1_000_000_000L) {
          throw new IllegalStateException(
              "Only " + done + " rounds of " + rounds + " after " + seconds(begin) + " s");
        }
        resumeDue();
        if (keeper != null) {
          keeper.go(done);
        }
        if (roundsPerDisturbance > 0 && done >= next) {
          next = done + roundsPerDisturbance;
          disturb();
        }
        Thread.sleep(10);
      }
      finish();
      merging.forEach(Merging::close);
      return result(merging.stream().mapToInt(Merging::merges).sum(), seconds(begin));
    } finally {
      merging.forEach(Merging::close);
      if (keeper != null) {
        keeper.end();
      }
      everybody().stream().filter(Runner::isAlive).forEach(Runner::kill);
    }
  }

  private boolean isEnough(int done) throws IOException {
    return done >= rounds
        && ended("peer") >= sectionsOfPeers
        && (keeper == null || keeper.isOver());
  }

  private void disturb() throws IOException, InterruptedException {
    String slot = new ArrayList<>(ours.keySet()).get(random.nextInt(ours.size()));
    // Mostly whoever holds the lock: the others have little to lose.
    if (random.nextInt(4) > 0) {
      slot = slotOfNextHolder();
    }
    Runner runner = ours.get(slot);
    if (runner == null || stopped.containsValue(runner)) {
      return;
    }
    if (random.nextInt(3) == 0) {
      runner.kill();
      killed.add(runner.name());
      startOurs(slot);
    } else {
      Witness.whileUntouched(setup.directory(), runner.name(), runner::stop);
      stops++;
      // Half of them shortly, the others until the lock is stale and somebody else's.
      long millis =
          random.nextBoolean()
              ? random.nextInt(500)
              : setup.staleSeconds() * 1000L + 1000 + random.nextInt(1500);
      stopped.put(System.nanoTime() + millis * 1_000_000, runner);
    }
  }

  /** Waits until one of ours begins a section, and then up to as long as one lasts. */
  private String slotOfNextHolder() throws IOException, InterruptedException {
    int seen = log().size();
    for (int i = 0; i < 2000; i++) {
      List<String> log = log();
      for (String line : log.subList(seen, log.size())) {
        String[] words = line.split(" ");
        if (words[1].equals("begin") && words[3].startsWith("ours")) {
          Thread.sleep(random.nextInt(60));
          return words[3].substring(0, words[3].indexOf('.'));
        }
      }
      seen = log.size();
      Thread.sleep(2);
    }
    return "nobody";
  }

  private void resumeDue() throws IOException {
    while (!stopped.isEmpty() && stopped.firstKey() - System.nanoTime() <= 0) {
      stopped.pollFirstEntry().getValue().resume();
    }
  }

  private void finish() throws IOException {
    if (keeper != null) {
      keeper.end();
    }
    for (Runner runner : stopped.values()) {
      runner.resume();
    }
    for (Runner runner : everybody()) {
      runner.finish();
    }
    for (Runner runner : everybody()) {
      int exit = runner.exit(60);
      if (exit != 0) {
        throw new IllegalStateException(runner.name() + " ended with " + exit + runner.said());
      }
    }
  }

  private void requireAllAlive() {
    for (Runner runner : everybody()) {
      if (!runner.isAlive()) {
        throw new IllegalStateException(runner.name() + " ended by itself: " + runner.said());
      }
    }
  }

  private List<Runner> everybody() {
    List<Runner> all = new ArrayList<>(ours.values());
    all.addAll(peers);
    return all;
  }

  /** How many sections have ended of those whose names begin so. */
  private int ended(String kind) throws IOException {
    return (int)
        log().stream()
            .map(line -> line.split(" "))
            .filter(words -> words[1].equals("end") && words[3].startsWith(kind))
            .count();
  }

  private List<String> log() throws IOException {
    Path log = Witness.logIn(setup.directory());
    if (!Files.exists(log)) {
      return List.of();
    }
    String text = Files.readString(log);
    // A line that is just being written may not be whole.
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  private static long seconds(long begin) {
    return (System.nanoTime() - begin) / 1_000_000_000L;
  }

  private RaceResult result(int merges, long seconds) throws IOException {
    List<String> log = log();
    List<Section> sections = Section.in(log);
    Map<String, Section> last = new HashMap<>();
    sections.forEach(section -> last.put(section.who(), section));
    int killedHolding =
        (int) killed.stream().map(last::get).filter(s -> s != null && !s.ended()).count();
    Set<String> ofTheKilled = new HashSet<>();
    for (String name : killed) {
      Path announced = Witness.announcedIn(setup.directory(), name);
      ofTheKilled.addAll(Files.exists(announced) ? Files.readAllLines(announced) : List.of());
    }
    Set<String> ofOutages = new HashSet<>();
    log.stream()
        .map(line -> line.split(" "))
        .filter(words -> words[1].equals("unavailable"))
        .forEach(words -> ofOutages.add(words[2]));
    Path counter = Witness.counterIn(setup.directory());
    return new RaceResult(
        setup,
        sections,
        Files.exists(counter) ? Files.readAllLines(counter) : List.of(),
        servers.stream().map(server -> writesOn(server).of(RaceSetup.ID.text())).toList(),
        left(),
        ofTheKilled,
        ofOutages,
        ours.size(),
        peers.size(),
        killed.size(),
        killedHolding,
        stops,
        (int) log.stream().filter(line -> line.contains(" lost ")).count(),
        (int) log.stream().filter(line -> line.contains(" refused ")).count(),
        merges,
        keeper == null ? "" : keeper.toString(),
        seconds);
  }

  /** The candidates that have a row or the claim. */
  private List<String> left() {
    Set<String> left = new LinkedHashSet<>();
    for (ClickHouseEndpoint server : servers) {
      left.addAll(
          lines(
              server,
              "SELECT lock_id FROM `"
                  + setup.schema()
                  + "`.`state_lock` WHERE state_id = '"
                  + RaceSetup.ID
                  + "' GROUP BY lock_id HAVING max(released) = 0"));
    }
    if (setup.keeper() == KeeperLocks.ON) {
      left.addAll(
          lines(
              setup.endpoint(),
              "SELECT lock_id FROM `" + setup.schema() + "`.`state_claim` WHERE lock_id != ''"));
    }
    return List.copyOf(left);
  }

  private static List<String> lines(ClickHouseEndpoint server, String query) {
    String answer = server.query(query);
    return answer.isEmpty() ? Collections.emptyList() : answer.lines().toList();
  }
}
