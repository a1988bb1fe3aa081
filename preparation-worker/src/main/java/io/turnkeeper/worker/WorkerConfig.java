package io.turnkeeper.worker;

import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.worker.authority.EtcdSettings;
import io.turnkeeper.worker.child.Children;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * What one worker process is told.
 *
 * @param bootstrapServers the brokers
 * @param kafka settings that go to every Kafka client as they are (security, for example)
 * @param topicPrefix what the names of all topics begin with
 * @param etcd how to reach the authority
 * @param executor the name of this process, the same across its restarts
 * @param pool the pool it serves
 * @param slots how many units of each kind at once; a kind that is absent is not run
 * @param bytesTotal the memory of processes for preparations, in bytes: what units reserve, and
 *     those that are kept
 * @param observeTargetRows the rows of a compacted fragment, for counting what is small
 * @param observeTargetBytes its bytes; a fragment of that size is not small however few its rows
 * @param readyChildren how many processes for preparations are kept, at work or ready
 */
public record WorkerConfig(
    String bootstrapServers,
    Map<String, String> kafka,
    String topicPrefix,
    EtcdSettings etcd,
    ExecutorId executor,
    PoolId pool,
    SortedMap<Kind, Integer> slots,
    long bytesTotal,
    long observeTargetRows,
    long observeTargetBytes,
    int readyChildren) {
  /** One unit of each kind that a worker can do. */
  public static final SortedMap<Kind, Integer> DEFAULT_SLOTS = defaultSlots();

  /** 3 GiB, of which units have 2 GiB and more. */
  public static final long DEFAULT_BYTES_TOTAL = 3L << 30;

  /** The policy's own default for a compaction. */
  public static final long DEFAULT_OBSERVE_TARGET_ROWS = 1_000_000;

  /** 1 GiB, as the policy has it. */
  public static final long DEFAULT_OBSERVE_TARGET_BYTES = 1L << 30;

  /** A merge and what is prepared beside it: neither is to wait for a process to start. */
  public static final int DEFAULT_READY_CHILDREN = 2;

  public WorkerConfig {
    kafka = Map.copyOf(kafka);
    slots = Collections.unmodifiableSortedMap(new TreeMap<>(slots));
    if (bytesTotal <= Children.keptBytes(readyChildren)) {
      throw new IllegalArgumentException(
          "expected more memory than %d processes that are kept may take, but it is %d bytes"
              .formatted(readyChildren, bytesTotal));
    }
  }

  /** What of the memory units may reserve: a kept process has some also when it has no work. */
  long bytesForUnits() {
    return bytesTotal - Children.keptBytes(readyChildren);
  }

  /** The settings of a Kafka client, over which its own needs go. */
  Map<String, Object> client() {
    Map<String, Object> client = new HashMap<>(kafka);
    client.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    return client;
  }

  private static SortedMap<Kind, Integer> defaultSlots() {
    SortedMap<Kind, Integer> slots = new TreeMap<>();
    slots.put(Kind.MERGE_WAL, 2);
    slots.put(Kind.COMPACT, 1);
    slots.put(Kind.INDEX, 1);
    slots.put(Kind.REPAIR, 1);
    slots.put(Kind.RETIRE, 1);
    slots.put(Kind.OBSERVE, 2);
    return Collections.unmodifiableSortedMap(slots);
  }
}
