package io.turnkeeper.local.journal;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.table.Artifact;
import io.turnkeeper.core.table.Assignment.CancelUnit;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.ClaimEvent.UnitClaimed;
import io.turnkeeper.core.table.ClaimEvent.UnitReleased;
import io.turnkeeper.core.table.PolicyEvent.PolicySet;
import io.turnkeeper.core.table.PublishEvent.TurnTaken;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.WorkSpec.MergeWal;
import io.turnkeeper.events.CommittedRecords;
import io.turnkeeper.events.CommittedRecords.WhenGone;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.Topic;
import io.turnkeeper.local.SchedulerOnBroker;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Writers that seal and a worker that merges at once, as far as the topics show it: no rows, every
 * event in its order.
 */
final class Load implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final String EXECUTOR = "worker-1";
  private static final PolicyDocument MERGE_AT_ONCE =
      PolicyDocument.of(
          draft -> {
            draft.kinds = List.of(Kind.MERGE_WAL);
            draft.mergeMinGenerations = 1L;
          });

  private final SchedulerOnBroker broker;
  private final int tables;
  private final Map<Attempt, RunUnit> running = new HashMap<>();
  private final Map<Object, Long> versions = new HashMap<>();
  private final Thread thread = new Thread(this::run, "load");
  private volatile boolean writing = true;
  private volatile boolean ended;
  private volatile @Nullable Throwable failure;

  Load(SchedulerOnBroker broker, int tables) {
    this.broker = broker;
    this.tables = tables;
  }

  void start() {
    thread.start();
  }

  /** Seals nothing more and waits until all is merged and the scheduler has folded that. */
  void finish() throws InterruptedException {
    writing = false;
    Oracle oracle = new Oracle(broker);
    SchedulerOnBroker.await(
        "everything merged and folded",
        () -> failure != null || (oracle.unmerged().isEmpty() && oracle.isFolded()));
    if (failure != null) {
      throw new AssertionError("the load failed", failure);
    }
  }

  private void run() {
    String topic = broker.topics.name(Topic.ASSIGNMENT);
    try (var orders = CommittedRecords.consumer(broker.client(), WhenGone.EARLIEST)) {
      List<TopicPartition> all =
          IntStream.range(0, broker.topics.partitions(Topic.ASSIGNMENT))
              .mapToObj(partition -> new TopicPartition(topic, partition))
              .toList();
      orders.assign(all);
      orders.seekToBeginning(all);
      broker.producer.publish(new PolicySet(TableId.DEFAULT, MERGE_AT_ONCE, "tests", "load")).get();
      for (int table = 0; table < tables; table++) {
        broker.register(SchedulerKilledIT.table(table));
      }
      for (int round = 0; !ended; round++) {
        broker.heartbeat(EXECUTOR, Kind.MERGE_WAL);
        if (writing) {
          broker.seal(SchedulerKilledIT.table(round % tables), "s" + round % 2, 1 + round / tables);
        }
        for (ConsumerRecord<byte[], byte[]> order : orders.poll(PAUSE)) {
          answer(broker.codec.decode(order.value()));
        }
        broker.awaitSent();
      }
    } catch (Exception e) {
      failure = e;
    }
  }

  private void answer(Object order) throws InvalidRecordException {
    if (order instanceof RunUnit unit && unit.spec() instanceof MergeWal) {
      running.put(unit.attempt(), unit);
      broker.send(new UnitClaimed(unit.attempt()));
      broker.send(
          new PreparationReady(
              unit.attempt(), new Artifact(1, List.of(), 1, 1, 1, "none", 0, "nowhere")));
    } else if (order instanceof GrantTurn grant && running.containsKey(grant.attempt())) {
      RunUnit unit = running.remove(grant.attempt());
      broker.send(new TurnTaken(unit.attempt(), grant.turn()));
      long version = versions.merge(unit.attempt().table(), 2L, (old, two) -> old + 1);
      broker.send(
          new UnitPublished(
              unit.attempt(), grant.turn(), List.of(version), through(unit.spec()), 1, 1, 0));
      broker.send(new UnitReleased(unit.attempt(), 0));
    } else if (order instanceof CancelUnit cancel && running.remove(cancel.attempt()) != null) {
      broker.send(
          new UnitFailed(cancel.attempt(), "PREPARE", cancel.code(), cancel.message(), null));
      broker.send(new UnitReleased(cancel.attempt(), 0));
    }
  }

  private static SortedMap<ShardId, Long> through(Object spec) {
    SortedMap<ShardId, Long> through = new TreeMap<>();
    ((MergeWal) spec).ranges().forEach((shard, range) -> through.put(shard, range.last()));
    return through;
  }

  @Override
  public void close() {
    ended = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
