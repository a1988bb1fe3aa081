package io.turnkeeper.core.table;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.policy.PolicyDocument;
import org.jspecify.annotations.Nullable;

/** What an operator decided; each with author and reason. */
public sealed interface PolicyEvent extends TableEvent {
  String author();

  String reason();

  /** The table's policy, or the default policy under {@link TableId#DEFAULT}. */
  record PolicySet(TableId table, PolicyDocument document, String author, String reason)
      implements PolicyEvent {
    public PolicySet {
      Require.text("author", author);
      Require.text("reason", reason);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return OperatorFold.policy(before, document);
    }
  }

  /** The table's own policy is gone; the default holds. */
  record PolicyCleared(TableId table, String author, String reason) implements PolicyEvent {
    public PolicyCleared {
      Require.text("author", author);
      Require.text("reason", reason);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return OperatorFold.policy(before, PolicyDocument.EMPTY);
    }
  }

  /**
   * A generation that cannot be merged is left out, so that its shard goes on.
   *
   * @param tableIncarnation whose log it is in: the next incarnation's generation of that number is
   *     another
   */
  record GenerationSkipped(
      TableId table,
      long tableIncarnation,
      ShardId shard,
      long generation,
      String author,
      String reason)
      implements PolicyEvent {
    public GenerationSkipped {
      Require.positive("tableIncarnation", tableIncarnation);
      Require.positive("generation", generation);
      Require.text("author", author);
      Require.text("reason", reason);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return OperatorFold.skipped(before, this);
    }
  }

  /** What an operator can do by hand. */
  enum Action {
    PAUSE,
    RESUME,
    TRIGGER,
    CANCEL
  }

  /**
   * An operator acted by hand.
   *
   * @param kind which kind to pause, resume, trigger or cancel; null for all
   */
  record OperatorActed(
      TableId table, Action action, @Nullable Kind kind, String author, String reason)
      implements PolicyEvent {
    public OperatorActed {
      Require.text("author", author);
      Require.text("reason", reason);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return OperatorFold.acted(before, this);
    }
  }
}
