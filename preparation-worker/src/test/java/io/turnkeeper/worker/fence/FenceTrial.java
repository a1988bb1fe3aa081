package io.turnkeeper.worker.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.TakeOutcome;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StoredFile;
import io.turnkeeper.worker.authority.DisturbedEtcd;
import io.turnkeeper.worker.authority.EtcdProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A registered empty table in Lance and in etcd, and the people who work on it. */
@SuppressWarnings("NullAway.Init")
abstract class FenceTrial {
  static final TableId TABLE = new TableId("flights");
  static final Duration TTL = Duration.ofSeconds(30);

  private static EtcdProcess process;

  @TempDir Path directory;

  RootAllocator allocator;
  DisturbedEtcd etcd;
  SmallTable table;
  String uri;

  @BeforeAll
  static void start() throws Exception {
    process = EtcdProcess.start();
  }

  @AfterAll
  static void stop() {
    process.close();
  }

  @BeforeEach
  void register() throws Exception {
    allocator = new RootAllocator();
    etcd = DisturbedEtcd.at(process.endpoint());
    uri = place();
    table = new SmallTable(allocator, uri);
    assertThat(
            new Registration(authority(), allocator).create(TABLE, uri, SmallTable.SCHEMA, soon()))
        .isInstanceOf(RegistrationOutcome.Registered.class);
  }

  /** Where the table is to lie, with the name {@code table}. */
  String place() throws IOException {
    return directory.toRealPath() + "/table";
  }

  /** A place next to that of the table. */
  String beside(String name) {
    return uri.substring(0, uri.length() - "table".length()) + name;
  }

  @AfterEach
  void close() {
    etcd.close();
    allocator.close();
  }

  Authority authority() {
    return etcd.authority();
  }

  static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(20));
  }

  HeldTurn take(long turn) {
    Attempt attempt = new Attempt(new UnitId(TABLE, turn), 1, new ExecutorId("worker"), 5);
    return ((TakeOutcome.Taken) authority().take(attempt, turn, TTL, soon())).held();
  }

  FencedTable open(HeldTurn held) {
    return open(held, CrashPoint.NONE);
  }

  FencedTable open(HeldTurn held, CrashPoint crashPoint) {
    OpenOutcome<FencedTable> outcome =
        new Fence(authority(), crashPoint).open(held, uri, allocator, soon());
    assertThat(outcome).isInstanceOf(OpenOutcome.Opened.class);
    return ((OpenOutcome.Opened<FencedTable>) outcome).table();
  }

  TableSnapshot read() {
    OpenOutcome<TableSnapshot> outcome = new Fence(authority()).read(TABLE, allocator, soon());
    assertThat(outcome).isInstanceOf(OpenOutcome.Opened.class);
    return ((OpenOutcome.Opened<TableSnapshot>) outcome).table();
  }

  /** Takes the turn and appends rows under it. */
  PublishOutcome append(long turn, String writer, int rows) {
    HeldTurn held = take(turn);
    try (FencedTable fenced = open(held)) {
      return append(fenced, writer, rows);
    }
  }

  PublishOutcome append(FencedTable fenced, String writer, int rows) {
    return fenced.commit(
        fenced.dataset().version(), table.append(writer, rows), SmallTable.noMarks(), true);
  }

  Head head() throws Exception {
    return authority().head(TABLE, soon()).orElseThrow();
  }

  /** The files of one directory of the table. */
  List<String> files(String name) throws Exception {
    return Storage.at(uri).list(name + "/").files().stream().map(StoredFile::baseName).toList();
  }

  static void assertFenced(PublishOutcome outcome, FailureCode code) {
    assertThat(outcome).isInstanceOf(PublishOutcome.Fenced.class);
    assertThat(((PublishOutcome.Fenced) outcome).code()).isEqualTo(code);
  }

  static HeldTurn assertPublished(PublishOutcome outcome, long version) {
    assertThat(outcome).isInstanceOf(PublishOutcome.Published.class);
    PublishOutcome.Published published = (PublishOutcome.Published) outcome;
    assertThat(published.head().version()).isEqualTo(version);
    return published.next();
  }
}
