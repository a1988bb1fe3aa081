package io.turnkeeper.local.demo;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.events.EventProducer;
import io.turnkeeper.worker.KafkaReports;
import io.turnkeeper.worker.TableRegistrar;
import io.turnkeeper.worker.TableRequest;
import io.turnkeeper.worker.WorkerConfig;
import io.turnkeeper.worker.authority.EtcdAuthority;
import io.turnkeeper.worker.authority.EtcdSettings;
import io.turnkeeper.worker.fence.RegistrationOutcome;
import io.turnkeeper.worker.work.TableObservation;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/** The demo's table: an empty Lance table that is brought under maintenance. */
final class DemoTable {
  static final TableId ID = new TableId("demo/flights");

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final TableId id;
  private final String uri;
  private final String wal;

  /** The first, unless registering says otherwise. */
  private long incarnation = 1;

  /** A table that lies with its log in {@code tables}, a path or a URI. */
  DemoTable(TableId id, String tables) {
    this.id = id;
    this.uri = tables + "/" + id + ".lance";
    this.wal = tables + "/" + id + ".wal";
  }

  TableId id() {
    return id;
  }

  String wal() {
    return wal;
  }

  /** Which creation of the table is registered. */
  long incarnation() {
    return incarnation;
  }

  void register(URI etcd, EventProducer producer, Schema schema, BufferAllocator allocator) {
    try (Authority authority = EtcdAuthority.connect(EtcdSettings.of(etcd))) {
      incarnation =
          new TableRegistrar(
                  authority,
                  allocator,
                  new KafkaReports(producer),
                  new TableObservation(
                      DemoPolicies.TARGET_ROWS, WorkerConfig.DEFAULT_OBSERVE_TARGET_BYTES))
              .register(
                  new TableRequest(id, uri, wal, schema, List.of(), MergeMode.APPEND, List.of()),
                  Deadline.after(PATIENCE))
              .match(new MustBeRegistered())
              .tableIncarnation();
    }
  }

  private static final class MustBeRegistered implements RegistrationOutcome.Cases<Head> {
    @Override
    public Head registered(RegistrationOutcome.Registered outcome) {
      return outcome.head();
    }

    @Override
    public Head refused(RegistrationOutcome.Refused outcome) {
      throw new IllegalStateException(outcome.code() + ": " + outcome.message());
    }
  }
}
