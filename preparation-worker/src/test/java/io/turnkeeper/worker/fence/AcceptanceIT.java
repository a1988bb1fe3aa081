package io.turnkeeper.worker.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.worker.fence.CrashPoint.Step;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lance.operation.Operation;

/** What an operator can do about versions that were made around the turns, and about a table. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AcceptanceIT extends FenceTrial {

  @Test
  void anAcceptedVersionIsTheHeadAndMaintenanceGoesOn() throws Exception {
    try (FencedTable fenced = open(take(1))) {
      Operation merged = table.append("merged", 2);
      assertPublished(
          fenced.commit(1, merged, new TreeMap<>(Map.of(new ShardId("a"), 4L)), true), 2);
    }
    table.commitAround(table.append("rogue", 3));
    table.commitAround(table.append("rogue", 3));
    assertThat(refused(accept(3)).message()).contains("the newest version of the table, 4");
    assertThat(refused(accept(5)).code()).isEqualTo(FailureCode.BAD_POLICY);

    RegistrationOutcome.Registered accepted = (RegistrationOutcome.Registered) accept(4);

    assertThat(accepted.head().version()).isEqualTo(4);
    assertThat(accepted.head().mergedThrough()).containsEntry(new ShardId("a"), 4L);
    assertPublished(append(head().highestTurn() + 1, "again", 1), 5);
    assertThat(table.rowsOf("rogue")).isEqualTo(6);
    assertThat(table.rowsOf("again")).isEqualTo(1);
  }

  @Test
  void nothingIsAcceptedInPlaceOfACommittedVersion() throws Exception {
    Operation rogue = table.append("rogue", 4);
    CrashPoint interfere =
        step -> {
          if (step == Step.STAGED) {
            table.commitAround(rogue);
          }
        };
    try (FencedTable fenced = open(take(1), interfere)) {
      append(fenced, "committed", 1);
    }
    assertThat(refused(accept(2)).message()).contains("remove that file and register again");

    Storage.at(uri).delete(List.of(ManifestPaths.visible(2)));
    assertThat(new Registration(authority(), allocator).adopt(TABLE, uri, soon()))
        .isInstanceOf(RegistrationOutcome.Registered.class);
    try (TableSnapshot snapshot = read()) {
      assertThat(snapshot.dataset().countRows("writer = 'committed'")).isEqualTo(1);
    }
  }

  @Test
  void aZombieOfBeforeTheAcceptanceIsRefused() throws Exception {
    try (FencedTable zombie = open(take(1))) {
      table.commitAround(table.append("rogue", 3));
      accept(2);
      assertFenced(append(zombie, "zombie", 1), FailureCode.TURN_LOST);
    }
    assertThat(table.rowsOf("zombie")).isZero();
  }

  @Test
  void whatIsCommittedIsVisibleBeforeTheTableIsDropped() throws Exception {
    CrashPoint die =
        step -> {
          if (step == Step.COMMITTED) {
            throw new IllegalStateException("crash");
          }
        };
    try (FencedTable fenced = open(take(1), die)) {
      assertThatThrownBy(() -> append(fenced, "late", 5)).isInstanceOf(Exception.class);
    }
    assertThat(table.version()).isEqualTo(1);
    assertThat(new Deregistration(authority()).drop(TABLE, soon()))
        .isInstanceOf(RegistrationOutcome.Registered.class);
    assertThat(table.rowsOf("late")).isEqualTo(5);
    assertThat(authority().head(TABLE, soon())).isEmpty();

    RegistrationOutcome again =
        new Registration(authority(), allocator).adopt(new TableId("renamed"), uri, soon());
    assertThat(((RegistrationOutcome.Registered) again).head().version()).isEqualTo(2);
  }

  @Test
  void aTableThatIsNotRegisteredCannotBeDropped() {
    assertThat(refused(new Deregistration(authority()).drop(new TableId("none"), soon())).code())
        .isEqualTo(FailureCode.NO_SUCH_TABLE);
  }

  @Test
  void aRefusedRegistrationLeavesNoTableBehind() throws Exception {
    String place = beside("new/table");
    Registration registration =
        new Registration(authority(), allocator, schema -> "no such column");
    RegistrationOutcome wrongColumn =
        registration.create(new TableId("other"), place, SmallTable.SCHEMA, soon());
    assertThat(refused(wrongColumn).message()).isEqualTo("no such column");
    assertThat(refused(registration.adopt(new TableId("other"), uri, soon())).message())
        .isEqualTo("no such column");
    RegistrationOutcome elsewhere =
        new Registration(authority(), allocator).create(TABLE, place, SmallTable.SCHEMA, soon());
    assertThat(refused(elsewhere).message()).contains("it lies at " + uri + " already");

    assertThat(Storage.at(beside("")).list("").folders()).containsExactly("table/");
    assertThat(authority().head(new TableId("other"), soon())).isEmpty();
    assertThat(authority().location(place, soon())).isEmpty();
  }

  private RegistrationOutcome accept(long version) {
    return new Acceptance(authority()).accept(TABLE, version, soon());
  }

  private static RegistrationOutcome.Refused refused(RegistrationOutcome outcome) {
    assertThat(outcome).isInstanceOf(RegistrationOutcome.Refused.class);
    return (RegistrationOutcome.Refused) outcome;
  }
}
