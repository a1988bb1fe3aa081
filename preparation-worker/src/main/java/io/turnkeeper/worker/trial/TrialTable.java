package io.turnkeeper.worker.trial;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.TakeOutcome;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.wal.WalWriter;
import io.turnkeeper.worker.fence.Deregistration;
import io.turnkeeper.worker.fence.Fence;
import io.turnkeeper.worker.fence.FencedTable;
import io.turnkeeper.worker.fence.OpenOutcome;
import io.turnkeeper.worker.fence.OpenTable;
import io.turnkeeper.worker.fence.PublishOutcome;
import io.turnkeeper.worker.fence.Registration;
import io.turnkeeper.worker.fence.RegistrationOutcome;
import io.turnkeeper.worker.fence.TableSnapshot;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.Transaction;
import org.lance.WriteParams;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;
import org.lance.operation.Append;

/** A small registered table with a log, and what anybody but the zombie does to it. */
final class TrialTable {
  /** The rows that are there from the start, in fragments small enough to be compacted. */
  static final int SEEDS = 30;

  static final int FRAGMENTS = 3;

  /** The rows of the log, which a merge adds. */
  static final int LOGGED = 10;

  /** The first row of those who commit meanwhile. */
  static final int FIRST_MEANWHILE = 1_000;

  static final int MEANWHILE = 4;

  /** The turn that {@link #create} used up. */
  static final long USED_TURN = 1;

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration TTL = Duration.ofSeconds(30);

  private final Authority authority;
  private final BufferAllocator allocator;
  private final TableId id;
  private final String place;

  /** A table that lies with its log below {@code place}, a path or a URI. */
  TrialTable(Authority authority, BufferAllocator allocator, TableId id, String place) {
    this.authority = authority;
    this.allocator = allocator;
    this.id = id;
    this.place = place;
  }

  TableId id() {
    return id;
  }

  /** The files of the table and of its log. */
  Storage files() {
    return Storage.at(place);
  }

  String uri() {
    return place + "/table";
  }

  String walUri() {
    return place + "/wal";
  }

  /** Makes the table, its rows and its log as {@code work} meets them, and registers it. */
  void create(TrialWork work) throws IOException {
    long incarnation = register();
    List<FragmentMetadata> seeds = new ArrayList<>();
    for (int i = 0; i < FRAGMENTS; i++) {
      seeds.addAll(fragment(i * SEEDS / FRAGMENTS, SEEDS / FRAGMENTS));
    }
    commit(USED_TURN, seeds);
    try (WalWriter writer =
        WalWriter.open(
            id,
            incarnation,
            walUri(),
            new ShardId("a"),
            (WalSealed event) -> new CompletableFuture<>(),
            Clock.systemUTC())) {
      for (int i = 0; i < 2; i++) {
        TrialRows.append(writer, work.firstLogged() + i * LOGGED / 2, LOGGED / 2, allocator);
        writer.seal();
      }
    }
    if (work == TrialWork.REPAIR) {
      Storage.at(uri()).delete(List.of(file(seeds.get(0))));
    }
  }

  private static String file(FragmentMetadata fragment) {
    return "data/" + fragment.getFiles().get(0).getPath();
  }

  long register() {
    RegistrationOutcome outcome =
        new Registration(authority, allocator).create(id, uri(), TrialRows.SCHEMA, soon());
    if (outcome instanceof RegistrationOutcome.Registered registered && registered.created()) {
      return registered.head().tableIncarnation();
    }
    throw new IllegalStateException("expected to register " + id + ", but: " + outcome);
  }

  void drop() {
    RegistrationOutcome outcome = new Deregistration(authority).drop(id, soon());
    if (!(outcome instanceof RegistrationOutcome.Registered)) {
      throw new IllegalStateException("expected to drop " + id + ", but: " + outcome);
    }
  }

  Head head() throws Exception {
    return authority.head(id, soon()).orElseThrow();
  }

  HeldTurn take(long turn) {
    Attempt attempt = new Attempt(new UnitId(id, 1_000 + turn), 1, new ExecutorId("awake"), 1);
    TakeOutcome outcome = authority.take(attempt, turn, TTL, soon());
    if (outcome instanceof TakeOutcome.Taken taken) {
      return taken.held();
    }
    throw new IllegalStateException("expected to take turn " + turn + ", but: " + outcome);
  }

  void release(HeldTurn held) {
    authority.release(held, soon());
  }

  /** Takes the turn, appends rows under it and is sure of that. */
  void commit(long turn, int firstRow, int rows) throws IOException {
    commit(turn, fragment(firstRow, rows));
  }

  private void commit(long turn, List<FragmentMetadata> fragments) {
    HeldTurn held = take(turn);
    OpenOutcome<FencedTable> outcome = new Fence(authority).open(held, uri(), allocator, soon());
    if (!(outcome instanceof OpenOutcome.Opened<FencedTable> opened)) {
      throw new IllegalStateException("expected to open " + id + ", but: " + outcome);
    }
    try (FencedTable table = opened.table()) {
      PublishOutcome published =
          table.commit(
              held.head().version(),
              Append.builder().fragments(fragments).build(),
              new TreeMap<>(),
              true);
      if (!(published instanceof PublishOutcome.Published)) {
        throw new IllegalStateException("expected to commit to " + id + ", but: " + published);
      }
    }
  }

  private List<FragmentMetadata> fragment(int firstRow, int rows) throws IOException {
    try (VectorSchemaRoot root = TrialRows.of(firstRow, rows, allocator)) {
      return Fragment.write()
          .datasetUri(uri())
          .allocator(allocator)
          .data(root)
          .mode(WriteParams.WriteMode.APPEND)
          .storageOptions(Storage.at(uri()).lanceOptions())
          .execute();
    }
  }

  /** What a reader finds: the head, every row, and the turn that made each version. */
  Truth truth() throws Exception {
    OpenOutcome<TableSnapshot> outcome = new Fence(authority).read(id, allocator, soon());
    if (!(outcome instanceof OpenOutcome.Opened<TableSnapshot> opened)) {
      throw new IllegalStateException("expected to read " + id + ", but: " + outcome);
    }
    try (TableSnapshot snapshot = opened.table();
        Dataset plain = OpenTable.newest(uri(), allocator)) {
      List<Integer> readable = new ArrayList<>();
      for (Fragment fragment : plain.getFragments()) {
        if (Storage.at(uri()).stat(file(fragment.metadata())).isPresent()) {
          readable.add(fragment.getId());
        }
      }
      return new Truth(
          snapshot.head().version(),
          plain.version(),
          rows(plain, readable),
          plain.getFragments().size() - readable.size(),
          turns(plain));
    }
  }

  // A scanner declares that closing may throw anything.
  @SuppressWarnings("try")
  private static List<Long> rows(Dataset table, List<Integer> fragments) throws Exception {
    List<Long> rows = new ArrayList<>();
    ScanOptions options =
        new ScanOptions.Builder().columns(List.of(TrialRows.COLUMN)).fragmentIds(fragments).build();
    try (LanceScanner scanner = table.newScan(options);
        ArrowReader reader = scanner.scanBatches()) {
      while (reader.loadNextBatch()) {
        BigIntVector numbers =
            (BigIntVector) reader.getVectorSchemaRoot().getVector(TrialRows.COLUMN);
        for (int i = 0; i < numbers.getValueCount(); i++) {
          rows.add(numbers.get(i));
        }
      }
    }
    return rows;
  }

  private static List<Long> turns(Dataset table) {
    List<Long> turns = new ArrayList<>();
    for (long version = 2; version <= table.version(); version++) {
      try (Dataset past = table.checkoutVersion(version);
          Transaction transaction = past.readTransaction().orElseThrow()) {
        turns.add(
            transaction
                .transactionProperties()
                .map(properties -> properties.get(FencedTable.TURN_PROPERTY))
                .map(Long::valueOf)
                .orElse(0L));
      }
    }
    return turns;
  }

  private static Deadline soon() {
    return Deadline.after(PATIENCE);
  }
}
