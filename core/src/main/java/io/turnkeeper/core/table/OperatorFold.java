package io.turnkeeper.core.table;

import io.turnkeeper.core.FailureCode.FailureClass;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.table.PolicyEvent.GenerationSkipped;
import io.turnkeeper.core.table.PolicyEvent.OperatorActed;
import java.util.ArrayList;
import java.util.List;

/** How policies and an operator's hand change a table. */
final class OperatorFold {
  private OperatorFold() {}

  static TableState policy(TableState before, PolicyDocument document) {
    return before.edit(
        draft -> {
          draft.policy = document;
          tryAgain(draft);
        });
  }

  static TableState defaultsChanged(TableState before, long version) {
    if (version <= before.defaultsVersion()) {
      return before;
    }
    return before.edit(
        draft -> {
          draft.defaultsVersion = version;
          tryAgain(draft);
        });
  }

  /** A new policy is a reason to try again what the old one made impossible or needless. */
  static void tryAgain(TableState.Draft draft) {
    draft.ledger.removeIf((key, entry) -> entry.failureClass() == FailureClass.CONFIG);
    draft.done.replaceAll((kind, done) -> done.forgettingNothing());
  }

  static TableState skipped(TableState before, GenerationSkipped event) {
    ShardId shard = event.shard();
    return event.tableIncarnation() == before.incarnation() && before.shards().containsKey(shard)
        ? before
            .withShard(shard, before.shard(shard).skipping(event.generation()))
            .withoutFailure(Failure.key(Kind.MERGE_WAL, shard))
        : before;
  }

  static TableState acted(TableState before, OperatorActed event) {
    List<Kind> kinds = event.kind() == null ? List.of(Kind.values()) : List.of(event.kind());
    return switch (event.action()) {
      case PAUSE -> before.edit(draft -> draft.paused = union(draft.paused, kinds));
      case RESUME ->
          before.edit(
              draft ->
                  draft.paused =
                      draft.paused.stream().filter(kind -> !kinds.contains(kind)).toList());
      case TRIGGER ->
          before.edit(
              draft -> {
                draft.triggered = union(draft.triggered, kinds);
                kinds.forEach(kind -> draft.ledger.remove(Failure.key(kind)));
                draft.done.replaceAll((kind, done) -> done.forgettingNothing());
              });
      case CANCEL -> before.edit(draft -> draft.cancels = union(draft.cancels, kinds));
    };
  }

  private static List<Kind> union(List<Kind> some, List<Kind> more) {
    List<Kind> all = new ArrayList<>(some);
    more.stream().filter(kind -> !all.contains(kind)).forEach(all::add);
    all.sort(null);
    return all;
  }
}
