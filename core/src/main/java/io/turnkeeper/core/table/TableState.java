package io.turnkeeper.core.table;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import java.util.function.UnaryOperator;

/** Everything the rules know of one table. */
public record TableState(TableId table) {
  Shard shard(ShardId shard) {
    return new Shard(0);
  }

  TableState withShard(ShardId id, Shard shard) {
    return this;
  }

  TableState withAttempt(Attempt attempt, UnaryOperator<Unit> change) {
    return this;
  }

  TableState withoutFailure(String key) {
    return this;
  }

  TableState withPolicy(Object document) {
    return this;
  }

  TableState registered(Object event) {
    return this;
  }

  TableState released(Object event) {
    return this;
  }

  TableState probed(Object event) {
    return this;
  }

  TableState reservationEnded(Object event) {
    return this;
  }

  TableState turnTaken(Attempt attempt, long turn, Now now) {
    return this;
  }

  TableState observed(Object event, Now now) {
    return this;
  }

  TableState dropped(Object event, Now now) {
    return this;
  }

  TableState published(Object event, Now now) {
    return this;
  }

  TableState refused(Object event, Now now) {
    return this;
  }

  TableState failed(Object event, Now now) {
    return this;
  }

  TableState foundNothing(Object event, Now now) {
    return this;
  }

  TableState headObserved(Object event, Now now) {
    return this;
  }

  TableState acted(Object event, Now now) {
    return this;
  }

  TableState placed(Object event, Now now) {
    return this;
  }

  TableState placementRefused(Object event, Now now) {
    return this;
  }

  TableState executorLost(Object event, Now now) {
    return this;
  }

  TableState started(Object event, Now now) {
    return this;
  }

  TableState granted(Object event, Now now) {
    return this;
  }

  TableState cancelling(Object event, Now now) {
    return this;
  }

  TableState opened(Object event, Now now) {
    return this;
  }

  TableState placementRequested(Object event, Now now) {
    return this;
  }

  TableState grantWithdrawn(Object event, Now now) {
    return this;
  }

  TableState turnExpired(Object event, Now now) {
    return this;
  }

  TableState failedByRule(Object event, Now now) {
    return this;
  }

  TableState probeSent(Object event, Now now) {
    return this;
  }
}
