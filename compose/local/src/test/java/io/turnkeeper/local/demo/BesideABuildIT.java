package io.turnkeeper.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.core.table.UnitDecision.OpenUnit;
import io.turnkeeper.local.DataDir;
import io.turnkeeper.local.Launched;
import io.turnkeeper.local.LocalNode;
import io.turnkeeper.local.NodeOptions;
import io.turnkeeper.local.story.ChronicleReader;
import io.turnkeeper.local.story.JournalListener;
import io.turnkeeper.streams.RebuildListener;
import io.turnkeeper.worker.StepListener;
import io.turnkeeper.worker.UnitStep;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Merges while an index build takes as long as the test wants. */
class BesideABuildIT {
  private static final String SHARD = "a";
  private static final int MERGES = 15;
  private static final int ROWS = 200;

  /** Of two medians of the same thing on a machine that others use, too. */
  private static final long MOST_TIMES = 3;

  @TempDir static Path temp;
  private static final Hold HOLD = new Hold();
  private static DataDir data;
  private static LocalNode node;

  /** Stops one index build at a step until it is let go; nothing stops before there is one. */
  private static final class Hold implements StepListener {
    private record Barrier(UnitStep step, CountDownLatch reached, CountDownLatch letGo) {}

    private volatile Barrier barrier =
        new Barrier(UnitStep.CLAIMED, new CountDownLatch(1), new CountDownLatch(0));

    void next(UnitStep step) {
      barrier = new Barrier(step, new CountDownLatch(1), new CountDownLatch(1));
    }

    void awaitReached() throws InterruptedException {
      Barrier here = barrier;
      assertThat(here.reached.await(NodeClient.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
          .as("an index build %s", here.step)
          .isTrue();
    }

    void letGo() {
      barrier.letGo.countDown();
    }

    @Override
    public void reached(Kind kind, UnitStep step) {
      Barrier here = barrier;
      if (kind != Kind.INDEX || here.step != step) {
        return;
      }
      here.reached.countDown();
      try {
        here.letGo.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** What the journal tells of one table: its times in milliseconds, its order by sequences. */
  private static final class Waits implements JournalListener, AutoCloseable {
    private final TableId table;
    private final ChronicleReader reader;
    private final Map<Long, Long> sealed = new ConcurrentSkipListMap<>();
    private final Map<Long, Long> published = new ConcurrentSkipListMap<>();
    private volatile long mergeReadyAt;
    private volatile long lastMergeAt;
    private final Set<UnitId> builds = ConcurrentHashMap.newKeySet();
    private volatile long indexGrantedAt;
    private volatile long indexPublishedAt;

    Waits(NodeClient client) {
      table = client.table.id();
      reader = new ChronicleReader(client.node.kafka(), client.topics, client.codec, table, this);
      reader.start();
    }

    @Override
    public void entry(JournalEntry entry) {
      if (!(entry.event() instanceof TableEvent event) || !event.table().equals(table)) {
        return;
      }
      if (event instanceof WalSealed seal) {
        sealed.putIfAbsent(seal.sealedThrough(), entry.atMillis());
      } else if (event instanceof PreparationReady) {
        mergeReadyAt = entry.sequence();
      } else if (event instanceof UnitPublished unit && !unit.mergedThrough().isEmpty()) {
        lastMergeAt = entry.sequence();
        unit.mergedThrough()
            .values()
            .forEach(generation -> published.putIfAbsent(generation, entry.atMillis()));
      } else if (event instanceof UnitPublished unit && !unit.versions().isEmpty()) {
        indexPublishedAt = entry.sequence();
      }
    }

    @Override
    public void decision(DecisionRecord record) {
      if (record.decision() instanceof OpenUnit opened && opened.kind() == Kind.INDEX) {
        builds.add(opened.unit());
      } else if (record.decision() instanceof GrantTurn grant
          && builds.contains(grant.attempt().unit())) {
        indexGrantedAt = record.sequence();
      }
    }

    void forgetReady() {
      mergeReadyAt = 0;
    }

    /** The median time from seal to publication of those from that generation on. */
    long median(long from) {
      List<Long> waits =
          published.entrySet().stream()
              .filter(one -> one.getKey() >= from && one.getKey() < from + MERGES)
              .map(one -> one.getValue() - sealed.getOrDefault(one.getKey(), Long.MAX_VALUE))
              .sorted()
              .toList();
      assertThat(waits).hasSize(MERGES).allMatch(wait -> wait >= 0, "its seal was heard");
      return waits.get(MERGES / 2);
    }

    @Override
    public void close() {
      reader.close();
    }
  }

  @BeforeAll
  static void start() throws Exception {
    data = DataDir.open(temp.resolve("data"));
    node = LocalNode.start(data, NodeOptions.DEFAULT, RebuildListener.SILENT, part -> {}, HOLD);
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
    data.close();
  }

  @Test
  void besideABuildOutsideTheTurnMergesPublishAsWithoutIt() throws Exception {
    try (NodeClient client = client("outside");
        Waits waits = new Waits(client)) {
      sealOneByOne(client, 1);
      HOLD.next(UnitStep.CLAIMED);
      client.set(policy(true, Kind.MERGE_WAL, Kind.OBSERVE, Kind.INDEX));
      HOLD.awaitReached();
      sealOneByOne(client, MERGES + 1);
      client.await("all that came before", telling -> waits.published.containsKey(2L * MERGES));
      assertThat(waits.indexGrantedAt).as("it is still being built, and needs no turn").isZero();
      HOLD.letGo();
      client.await("the index", telling -> waits.indexPublishedAt > 0);

      assertThat(waits.median(MERGES + 1)).isLessThan(MOST_TIMES * waits.median(1));
      assertThat(client.verify(DemoPolicies.index().name()).problems()).isEmpty();
    }
  }

  @Test
  void duringABuildInsideTheTurnMergesWaitUntilItIsPublished() throws Exception {
    try (NodeClient client = client("inside");
        Waits waits = new Waits(client)) {
      client.seal(SHARD, 1, ROWS);
      client.await("a row to index", telling -> waits.published.containsKey(1L));
      HOLD.next(UnitStep.TURN_TAKEN);
      client.set(policy(false, Kind.MERGE_WAL, Kind.OBSERVE, Kind.INDEX));
      HOLD.awaitReached();
      client.await("its turn", telling -> waits.indexGrantedAt > 0);
      waits.forgetReady();
      client.seal(SHARD, 1, ROWS);
      client.await("a merge that only lacks the turn", telling -> waits.mergeReadyAt > 0);
      assertThat(waits.published).as("the turn is the build's").doesNotContainKey(2L);
      HOLD.letGo();
      client.await("the merge", telling -> waits.published.containsKey(2L));

      assertThat(waits.mergeReadyAt).isLessThan(waits.indexPublishedAt);
      assertThat(waits.lastMergeAt).isGreaterThan(waits.indexPublishedAt);
      assertThat(client.verify(DemoPolicies.index().name()).problems()).isEmpty();
    }
  }

  private static NodeClient client(String name) throws Exception {
    Path records = Files.createDirectories(temp.resolve(name));
    NodeClient client =
        new NodeClient(
            new Launched.Addresses(node.bootstrap(), node.etcd(), node.reads()),
            new DemoTable(new TableId(name), temp + "/tables"),
            records);
    client.register();
    client.set(policy(true, Kind.MERGE_WAL, Kind.OBSERVE));
    client.await("the table", telling -> telling.observed() != null);
    return client;
  }

  /** Each generation is merged at once and no fragment goes without the index. */
  private static PolicyDocument policy(boolean prepareIndex, Kind... kinds) {
    return PolicyDocument.of(
        draft -> {
          draft.kinds = List.of(kinds);
          draft.prepareIndex = prepareIndex;
          draft.mergeMinGenerations = 1L;
          draft.indexMinUncovered = 1L;
          draft.indexes = List.of(DemoPolicies.index());
        });
  }

  /** Seals the next generations, each when the one before is merged. */
  private static void sealOneByOne(NodeClient client, long from) throws Exception {
    for (long generation = from; generation < from + MERGES; generation++) {
      long merged = generation;
      client.seal(SHARD, 1, ROWS);
      client.await(
          "generation " + merged + " merged", telling -> telling.mergedGenerations() == merged);
    }
  }
}
