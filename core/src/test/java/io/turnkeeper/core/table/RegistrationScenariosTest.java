package io.turnkeeper.core.table;

import static io.turnkeeper.core.Kind.COMPACT;
import static io.turnkeeper.core.Kind.MERGE_WAL;
import static io.turnkeeper.core.Kind.OBSERVE;
import static io.turnkeeper.core.table.Scenario.SHARD;
import static io.turnkeeper.core.table.Scenario.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.policy.PolicyDocument;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A table dropped and registered again is another table. */
class RegistrationScenariosTest {
  @Test
  void registeringAgainChangesTheRegistrationAndTriesAgain() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 1_000).placed(COMPACT).claimed(COMPACT);
    scenario.failed(COMPACT, "NO_SUCH_TABLE").sealed(SHARD, 3);
    scenario.given(registered(1, "/tables/moved")).expectOpened(COMPACT, Mode.OUTSIDE);
    assertThat(scenario.state().registration())
        .satisfies(known -> assertThat(known.uri()).isEqualTo("/tables/moved"));
    assertThat(scenario.state().pendingGenerations()).isEqualTo(3);
  }

  @Test
  void whatIsSaidBeforeTheRegistrationIsLookedUp() {
    Scenario scenario = new Scenario(Settings.DEFAULT, PolicyDocument.EMPTY).sealed(SHARD, 8);
    assertThat(scenario.state().shards()).isEmpty();
    scenario.given(registered(1, "/tables/flights")).expectOpened(OBSERVE, Mode.OUTSIDE);
  }

  @Test
  void aLateRegistrationOfADroppedTableDoesNotBringItBack() {
    Scenario scenario = Scenario.prepared().given(registered(4, "/tables/new"));
    scenario.given(new DemandEvent.TableDropped(TABLE, 4));
    scenario.given(registered(4, "/tables/new"), registered(3, "/tables/old")).expectNothing();
    assertThat(scenario.state().registration()).isNull();
    scenario.given(registered(5, "/tables/newest")).expectOpened(OBSERVE, Mode.OUTSIDE);
  }

  @Test
  void aLateWordOfAnEarlierTableChangesNothing() {
    Scenario scenario = Scenario.prepared().given(registered(3, "/tables/new")).sealed(SHARD, 2);
    TableState before = scenario.state();
    scenario.given(registered(2, "/tables/old"), new DemandEvent.TableDropped(TABLE, 2));
    scenario.observed(9, 40, 1_000);
    assertThat(scenario.state()).isEqualTo(before);
  }

  @Test
  void aNewTableStartsCleanAndItsWorkersAreTold() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 10).sealed(SHARD, 8).prepare(MERGE_WAL);
    UnitId waiting = scenario.unit(COMPACT).id();
    Attempt running = scenario.attempt(MERGE_WAL);
    scenario.given(registered(2, "/tables/new"));
    assertThat(scenario.last(Assignment.CancelUnit.class).attempt()).isEqualTo(running);
    assertThat(scenario.last(UnitDecision.EndReservation.class).unit()).isEqualTo(waiting);
    assertThat(scenario.state().shards()).isEmpty();
    assertThat(scenario.state().observation()).isNull();
    assertThat(scenario.state().held()).extracting(TableState.Held::attempt).contains(running);
    assertThat(scenario.state().turns()).isEqualTo(Turns.NONE.raisedTo(1));
    assertThat(scenario.unit(OBSERVE).id().sequence()).isEqualTo(4);
  }

  @Test
  void aDroppedTableKeepsItsPolicy() {
    PolicyDocument document = PolicyDocument.of(draft -> draft.mergeUrgent = 9L);
    Scenario scenario =
        Scenario.prepared().given(new PolicyEvent.PolicySet(TABLE, document, "operator", "test"));
    scenario.given(new PolicyApplied(TABLE, 3), new DemandEvent.TableDropped(TABLE, 1));
    assertThat(scenario.state().policy()).isEqualTo(document);
    assertThat(scenario.state().defaultsVersion()).isEqualTo(3);
    assertThat(scenario.state().incarnation()).isEqualTo(1);
  }

  @Test
  void aDropIsBelievedFromItsOwnTimeOn() {
    Scenario scenario = Scenario.prepared().given(new DemandEvent.TableDropped(TABLE, 7));
    scenario.given(registered(6, "/tables/late")).expectNothing();
    assertThat(scenario.state().registration()).isNull();
    assertThat(scenario.state().incarnation()).isEqualTo(7);
  }

  @Test
  void theSameVersionSeenAgainIsNews() {
    Scenario scenario = Scenario.prepared().observed(2, 3, 10).observed(2, 4, 10);
    assertThat(scenario.state().observation())
        .satisfies(seen -> assertThat(seen.smallFragments()).isEqualTo(4));
  }

  private static DemandEvent registered(long incarnation, String uri) {
    return new DemandEvent.TableRegistered(
        TABLE, incarnation, uri, "/wal/flights", List.of(), MergeMode.APPEND, List.of());
  }
}
