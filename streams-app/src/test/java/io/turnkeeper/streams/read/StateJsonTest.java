package io.turnkeeper.streams.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.core.Decided;
import io.turnkeeper.core.FrozenMap;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.policy.PolicyMode;
import io.turnkeeper.core.table.Context;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.PolicyEvent.PolicySet;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableRules;
import io.turnkeeper.core.table.TableSnapshot;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.streams.LiveTable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a reason names is told with its value and with whose it is. */
class StateJsonTest {
  private static final TableId TABLE = new TableId("flights");
  private static final PolicyDocument FROZEN =
      PolicyDocument.of(draft -> draft.mode = PolicyMode.FROZEN);
  private static final PolicyDocument ONLY_LOOKS =
      PolicyDocument.of(draft -> draft.kinds = List.of(Kind.OBSERVE, Kind.REPAIR));

  @Test
  void aModeOfTheDefaultPolicyIsTold() {
    assertThat(why(FROZEN, PolicyDocument.EMPTY))
        .contains("POLICY", "field mode", "value FROZEN", "setBy _default");
  }

  @Test
  void aModeOfTheTablesOwnPolicyIsTold() {
    assertThat(why(PolicyDocument.EMPTY, FROZEN)).contains("value FROZEN", "setBy flights");
  }

  @Test
  void theKindsThatAreAllowedAreTold() {
    assertThat(why(PolicyDocument.EMPTY, ONLY_LOOKS))
        .contains("field kinds value [\"REPAIR\",\"OBSERVE\"] setBy flights");
  }

  /** The line of merges as people read it. */
  private static String why(PolicyDocument defaults, PolicyDocument own) {
    PartitionState partition =
        new PartitionState(
            9,
            1_800_000_000_000L,
            0,
            PartitionState.START.settings(),
            defaults,
            0,
            0,
            FrozenMap.of(),
            FrozenMap.of());
    TableState state = TableState.unknown(TABLE);
    state =
        new TableRegistered(TABLE, 1, "/t", "/t.wal", List.of(), MergeMode.APPEND, List.of())
            .applyTo(state, partition.now());
    state = new PolicySet(TABLE, own, "ada", "a try").applyTo(state, partition.now());
    for (Decided<TableDecision> decided :
        TableRules.decide(state, Context.of(partition), partition.now())) {
      state = decided.decision().applyTo(state, partition.now());
    }
    LiveTable table = new LiveTable(0, partition, new TableSnapshot(9, "digest", state, null));
    ObjectNode json = new StateJson(new RecordCodec()).why(table, table.whyNot(), Map.of());
    return TableText.reasons(json)
        .lines()
        .filter(line -> line.contains("MERGE_WAL"))
        .findFirst()
        .orElse("");
  }
}
