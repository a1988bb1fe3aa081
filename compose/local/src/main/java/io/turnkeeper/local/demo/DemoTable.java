package io.turnkeeper.local.demo;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.events.EventProducer;
import io.turnkeeper.local.LocalNode;
import io.turnkeeper.worker.authority.Authority;
import io.turnkeeper.worker.authority.Deadline;
import io.turnkeeper.worker.authority.EtcdAuthority;
import io.turnkeeper.worker.authority.EtcdSettings;
import io.turnkeeper.worker.authority.Head;
import io.turnkeeper.worker.fence.Registration;
import io.turnkeeper.worker.fence.RegistrationOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/** The demo's table: an empty Lance table that is brought under maintenance. */
final class DemoTable {
  static final TableId ID = new TableId("demo/flights");

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Path uri;
  private final Path wal;

  DemoTable(Path tables) {
    this.uri = tables.resolve("flights.lance");
    this.wal = tables.resolve("flights.wal");
  }

  Path wal() {
    return wal;
  }

  void register(LocalNode node, EventProducer producer, Schema schema, BufferAllocator allocator)
      throws Exception {
    Files.createDirectories(uri.getParent());
    Files.createDirectories(wal);
    try (Authority authority = EtcdAuthority.connect(EtcdSettings.of(node.etcdUri()))) {
      Head head =
          new Registration(authority, allocator)
              .create(ID, uri.toString(), schema, Deadline.after(PATIENCE))
              .match(new MustBeRegistered());
      producer
          .publish(
              new TableRegistered(
                  ID,
                  head.tableIncarnation(),
                  head.uri(),
                  wal.toString(),
                  List.of(),
                  MergeMode.APPEND,
                  List.of()))
          .get();
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
