package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.json.JsonObject;
import dev.statectl.lock.Fence;
import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.HistoryEntry;
import dev.statectl.port.HistoryStatus;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.state.StateVersion;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/** Every operation of the ports, and what is stored before and after it. */
enum FaultedOperation {
  FIND(Effect.NONE) {
    @Override
    Object run(Scene scene) {
      return scene.faulted().states().find(scene.id()).orElseThrow().completed().text();
    }

    @Override
    Object expected(Scene scene) {
      return OLD;
    }
  },
  SAVE(Effect.SAVED) {
    @Override
    Object run(Scene scene) {
      return scene.faulted().states().save(scene.changed());
    }
  },
  SAVE_FENCED(Effect.SAVED) {
    @Override
    Object run(Scene scene) {
      return scene.faulted().states().save(scene.changed(), scene.fence());
    }
  },
  SAVE_ALL(Effect.SAVED) {
    @Override
    Object run(Scene scene) {
      scene
          .faulted()
          .states()
          .saveAll(List.of(scene.changed(), TestStores.state(scene.id() + "-2", NEW)));
      return DONE;
    }
  },
  DELETE(Effect.DELETED) {
    @Override
    Object run(Scene scene) {
      return scene.faulted().states().delete(scene.id());
    }

    @Override
    Object expected(Scene scene) {
      return true;
    }
  },
  DELETE_FENCED(Effect.DELETED) {
    @Override
    Object run(Scene scene) {
      return scene.faulted().states().delete(scene.id(), scene.fence());
    }

    @Override
    Object expected(Scene scene) {
      return true;
    }
  },
  DELETE_ALL(Effect.DELETED) {
    @Override
    Object run(Scene scene) {
      return scene.faulted().states().deleteAll() > 0;
    }

    @Override
    Object expected(Scene scene) {
      return true;
    }
  },
  FOR_EACH_ID(Effect.NONE) {
    @Override
    Object run(Scene scene) {
      return TestStores.ids(scene.faulted().states(), scene.id() + "*");
    }

    @Override
    Object expected(Scene scene) {
      return List.of(scene.id().text());
    }
  },
  FOR_EACH_STATE(Effect.NONE) {
    @Override
    Object run(Scene scene) {
      List<String> ids = new ArrayList<>();
      scene
          .faulted()
          .states()
          .forEachState(StateIdGlob.of(scene.id() + "*"), state -> ids.add(state.id().text()));
      return ids;
    }

    @Override
    Object expected(Scene scene) {
      return List.of(scene.id().text());
    }
  },
  NOW(Effect.NONE) {
    @Override
    Object run(Scene scene) {
      return scene.faulted().now().isAfter(Instant.EPOCH);
    }

    @Override
    Object expected(Scene scene) {
      return true;
    }
  },
  ANNOUNCE(Effect.ANNOUNCED) {
    @Override
    Object run(Scene scene) {
      scene.faulted().locks().announce(scene.id(), scene.other(), "somebody");
      return DONE;
    }
  },
  LOOK(Effect.NONE) {
    @Override
    Object run(Scene scene) {
      return scene.faulted().locks().look(scene.id()).stream().map(LockCandidate::lockId).toList();
    }

    @Override
    Object expected(Scene scene) {
      return List.of(scene.mine());
    }
  },
  RENEW(Effect.NONE) {
    @Override
    Object run(Scene scene) {
      return scene.faulted().locks().renew(scene.id(), scene.mine(), STALE);
    }

    @Override
    Object expected(Scene scene) {
      return true;
    }
  },
  WITHDRAW(Effect.WITHDRAWN) {
    @Override
    Object run(Scene scene) {
      return scene.faulted().locks().withdraw(scene.id(), scene.mine());
    }

    @Override
    Object expected(Scene scene) {
      return true;
    }
  },
  WITHDRAW_ALL(Effect.WITHDRAWN) {
    @Override
    void prepare(Scene scene) {
      super.prepare(scene);
      scene.direct().locks().announce(scene.second(), scene.mine(), "me");
    }

    @Override
    Object run(Scene scene) {
      return new TreeSet<>(
          scene.faulted().locks().withdrawAll(Set.of(scene.id(), scene.second()), scene.mine()));
    }

    @Override
    Object expected(Scene scene) {
      return new TreeSet<>(List.of(scene.id(), scene.second()));
    }
  },
  REMOVE_STALE(Effect.WITHDRAWN) {
    @Override
    Object run(Scene scene) {
      // Rows older than a second in the past are all rows.
      scene.faulted().locks().removeStale(scene.id(), Duration.ofSeconds(-60));
      return DONE;
    }
  },
  FOR_EACH_LOCK(Effect.NONE) {
    @Override
    Object run(Scene scene) {
      List<LockId> found = new ArrayList<>();
      scene
          .faulted()
          .locks()
          .forEach(StateIdGlob.of(scene.id() + "*"), candidate -> found.add(candidate.lockId()));
      return found;
    }

    @Override
    Object expected(Scene scene) {
      return List.of(scene.mine());
    }
  },
  /** What callers do: take the lock, save under it, let it go. */
  LOCK_AND_SAVE(Effect.SAVED) {
    @Override
    void prepare(Scene scene) {
      scene.direct().states().save(TestStores.state(scene.id().text(), OLD));
    }

    @Override
    Object run(Scene scene) {
      AtomicLong waited = new AtomicLong();
      LockMeans means =
          new LockMeans(
              scene::other,
              () -> System.nanoTime() + waited.get(),
              pause -> waited.addAndGet(pause.toNanos()),
              () -> 0.5,
              (delay, task) -> () -> {});
      return new AcquireLock(scene.faulted().locks(), LockTerms.DEFAULT, means, "me")
          .with(scene.id(), lock -> scene.faulted().states().save(scene.changed(), lock.fence()));
    }
  },
  HISTORY_STATUS(Effect.NONE) {
    @Override
    Object run(Scene scene) {
      return scene.faulted().history().status().recording();
    }

    @Override
    Object expected(Scene scene) {
      return HistoryStatus.Recording.ON;
    }
  },
  HISTORY_ENABLE(Effect.REDEFINED) {
    @Override
    void prepare(Scene scene) {
      super.prepare(scene);
      scene.direct().history().disable();
    }

    @Override
    Object run(Scene scene) {
      scene.faulted().history().enable(KEEP);
      return DONE;
    }
  },
  HISTORY_DISABLE(Effect.REDEFINED) {
    @Override
    Object run(Scene scene) {
      scene.faulted().history().disable();
      return DONE;
    }
  },
  HISTORY_FOR_EACH(Effect.NONE) {
    @Override
    Object run(Scene scene) {
      List<HistoryEntry.Kind> kinds = new ArrayList<>();
      scene.faulted().history().forEach(scene.id(), 10, entry -> kinds.add(entry.kind()));
      return kinds;
    }

    @Override
    Object expected(Scene scene) {
      return List.of(HistoryEntry.Kind.WRITTEN);
    }
  },
  HISTORY_FOR_EACH_RECORD(Effect.NONE) {
    @Override
    Object run(Scene scene) {
      List<String> states = new ArrayList<>();
      scene
          .faulted()
          .history()
          .forEachRecord(
              scene.id(), 10, record -> states.add(record.state().orElseThrow().id().text()));
      return states;
    }

    @Override
    Object expected(Scene scene) {
      return List.of(scene.id().text());
    }
  },
  HISTORY_FIND(Effect.NONE) {
    @Override
    Object run(Scene scene) {
      return scene.faulted().history().find(scene.id(), scene.first()).isPresent();
    }

    @Override
    Object expected(Scene scene) {
      return true;
    }
  },
  HISTORY_REVERT(Effect.SAVED) {
    @Override
    Object run(Scene scene) {
      return scene
          .faulted()
          .history()
          .revert(scene.changed().withVersion(scene.first()), scene.fence());
    }
  };

  /** What an operation does to what is stored. */
  enum Effect {
    NONE,
    SAVED,
    DELETED,
    ANNOUNCED,
    WITHDRAWN,
    /** Tables and views, which are the same after a second time: no outcome is unknown. */
    REDEFINED
  }

  static final String OLD = "{\"n\":1}";
  static final String NEW = "{\"n\":2}";
  static final String DONE = "done";
  static final Duration STALE = Duration.ofSeconds(300);
  static final Duration KEEP = Duration.ofDays(1);

  private final Effect effect;

  FaultedOperation(Effect effect) {
    this.effect = effect;
  }

  /**
   * Where an operation is run.
   *
   * @param direct the backend without a proxy in between
   * @param faulted the backend through the proxy
   * @param id an id that no other operation uses
   * @param mine the candidate that holds its lock
   * @param other another candidate
   * @param first the version of the state that is stored before
   */
  record Scene(
      ClickHouseBackend direct,
      ClickHouseBackend faulted,
      StateId id,
      LockId mine,
      LockId other,
      StateVersion first) {
    Scene with(StateVersion stored) {
      return new Scene(direct, faulted, id, mine, other, stored);
    }

    StateId second() {
      return StateId.of(id + "-2");
    }

    Fence fence() {
      return new Fence(id, mine, STALE);
    }

    State changed() {
      return State.of(id, JsonObject.parse(NEW), JsonObject.EMPTY);
    }
  }

  /** Does the operation through the proxy. */
  abstract Object run(Scene scene);

  /** What it gives when it does not fail; a version is checked against what is stored. */
  Object expected(Scene scene) {
    return DONE;
  }

  Effect effect() {
    return effect;
  }

  /** Stores what the operation needs; the state itself is there already. */
  void prepare(Scene scene) {
    scene.direct().locks().announce(scene.id(), scene.mine(), "me");
  }

  /** Whether the operation's change is there. */
  boolean isDone(Scene scene) {
    return switch (effect) {
      case SAVED -> stored(scene).equals(Optional.of(NEW));
      case DELETED -> stored(scene).isEmpty();
      case ANNOUNCED -> candidates(scene).contains(scene.other());
      case WITHDRAWN -> !candidates(scene).contains(scene.mine());
      case REDEFINED ->
          (scene.direct().history().status().recording() == HistoryStatus.Recording.ON)
              == (this == HISTORY_ENABLE);
      case NONE -> true;
    };
  }

  /** Whether what is there is what was there before. */
  boolean isUntouched(Scene scene) {
    return switch (effect) {
      case SAVED, DELETED -> stored(scene).equals(Optional.of(OLD));
      case ANNOUNCED -> !candidates(scene).contains(scene.other());
      case WITHDRAWN -> candidates(scene).contains(scene.mine());
      case REDEFINED, NONE -> true;
    };
  }

  /** Requires that nothing is there twice. */
  void requireNothingTwice(Scene scene) {
    if (effect == Effect.SAVED || effect == Effect.DELETED) {
      List<HistoryEntry> entries = new ArrayList<>();
      scene.direct().history().forEach(scene.id(), 100, entries::add);
      assertThat(entries.stream().map(entry -> entry.kind() + " " + entry.version()))
          .as("records of %s", scene.id())
          .doesNotHaveDuplicates();
    }
  }

  private static Optional<String> stored(Scene scene) {
    return scene.direct().states().find(scene.id()).map(state -> state.completed().text());
  }

  private static List<LockId> candidates(Scene scene) {
    return scene.direct().locks().look(scene.id()).stream().map(LockCandidate::lockId).toList();
  }
}
