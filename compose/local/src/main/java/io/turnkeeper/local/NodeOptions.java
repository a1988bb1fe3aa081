package io.turnkeeper.local;

import io.turnkeeper.worker.WorkerConfig;

/**
 * How a local node differs from the default one.
 *
 * @param kafkaPort the broker's port, {@link Ports#ANY} for the remembered or a free one
 * @param etcdPort etcd's client port, likewise
 * @param readPort the port for reads, likewise
 * @param targetRows from how many rows on a fragment counts as compacted
 */
public record NodeOptions(int kafkaPort, int etcdPort, int readPort, long targetRows) {
  public static final NodeOptions DEFAULT =
      new NodeOptions(Ports.ANY, Ports.ANY, Ports.ANY, WorkerConfig.DEFAULT_OBSERVE_TARGET_ROWS);

  public NodeOptions withPorts(int kafka, int etcd, int read) {
    return new NodeOptions(kafka, etcd, read, targetRows);
  }

  public NodeOptions withTargetRows(long rows) {
    return new NodeOptions(kafkaPort, etcdPort, readPort, rows);
  }
}
