package io.turnkeeper.core.table;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.policy.Policy;
import io.turnkeeper.core.table.UnitDecision.ProbeTopic;
import org.jspecify.annotations.Nullable;

/** What follows when a worker says nothing: first a probe, then the verdict. */
final class SilenceRules {
  /** The message people know a stalled preparation by. */
  static final String STALL_MESSAGE = "maintenance preparation made no progress";

  private static final String RELEASED_MESSAGE = "its worker let go of it without a word";

  private SilenceRules() {}

  /** How long a unit may be silent in its phase, and where its word would come from. */
  record Limit(long millis, ProbeTopic topic) {}

  /** An attempt that was given up may live on in a worker that was only slow to speak. */
  static @Nullable Decided<TableDecision> stopAbandoned(Situation situation) {
    TableState state = situation.state();
    if (state.abandoned().isEmpty()) {
      return null;
    }
    return new Decided<>(
        new Assignment.CancelUnit(
            state.abandoned().get(0),
            Require.MAX_NUMBER,
            FailureCode.EXECUTOR_LOST.name(),
            "the attempt was given up"),
        "the attempt was given up");
  }

  static @Nullable Decided<TableDecision> cancelOnRequest(Situation situation) {
    TableState state = situation.state();
    for (Unit unit : state.units().values()) {
      if (state.cancels().contains(unit.kind()) && !state.turns().isOpenFor(unit.id().sequence())) {
        if (unit.placement() == null) {
          return new Decided<>(
              new UnitDecision.FailUnit(
                  unit.id(),
                  unit.attempt(),
                  FailureCode.CANCELLED.name(),
                  "cancelled by an operator"),
              "cancelled by an operator");
        }
        return new Decided<>(
            new Assignment.CancelUnit(
                unit.current(),
                Require.MAX_NUMBER,
                FailureCode.CANCELLED.name(),
                "cancelled by an operator"),
            "cancelled by an operator");
      }
    }
    return null;
  }

  static @Nullable Decided<TableDecision> checkSilence(Situation situation) {
    TableState state = situation.state();
    for (Unit unit : state.units().values()) {
      Limit limit = limit(unit, situation);
      if (limit != null
          && situation.now().observedMillis() - unit.heardMillis() >= limit.millis()) {
        if (unit.silence().probe() == 0) {
          return new Decided<>(
              new UnitDecision.SendProbe(unit.id(), state.lastProbe() + 1, limit.topic()),
              "silent for " + limit.millis() + " ms as " + unit.phase());
        }
        if (unit.silence().confirmed()) {
          return verdict(unit, state, limit);
        }
      }
    }
    return null;
  }

  /** The limit of the unit's phase; null if it may be silent as long as it likes. */
  static @Nullable Limit limit(Unit unit, Situation situation) {
    if (unit.placement() == null || isGivenUp(unit, situation.state())) {
      return null;
    }
    Policy policy = situation.policy();
    Settings settings = situation.settings();
    if (unit.cancellation() != null || unit.released()) {
      return new Limit(settings.cancelTimeoutMillis(), ProbeTopic.PUBLISH);
    }
    return switch (unit.phase()) {
      case REQUESTED, PLACED, READY -> null;
      case ASSIGNED -> new Limit(settings.claimTimeoutMillis(), ProbeTopic.CLAIM);
      case CLAIMED -> null;
      case PREPARING -> new Limit(policy.idleTimeoutMillis(), ProbeTopic.CHECKPOINT);
      case GRANTED -> new Limit(settings.takeTimeoutMillis(), ProbeTopic.PUBLISH);
      case TAKEN ->
          unit.mode() == Mode.OUTSIDE
              ? new Limit(policy.publishTimeoutMillis(), ProbeTopic.PUBLISH)
              : new Limit(policy.idleTimeoutMillis(), ProbeTopic.CHECKPOINT);
    };
  }

  /** Its turn was given up: what became of it is found out by another, not by waiting. */
  private static boolean isGivenUp(Unit unit, TableState state) {
    Turns.Turn lost = state.turns().unresolved();
    return lost != null && lost.unit() == unit.id().sequence();
  }

  private static Decided<TableDecision> verdict(Unit unit, TableState state, Limit limit) {
    Unit.Cancellation order = unit.cancellation();
    if (order != null) {
      return new Decided<>(
          new UnitDecision.FailUnit(unit.id(), unit.attempt(), order.code(), order.message()),
          "no answer to the cancel for " + limit.millis() + " ms");
    }
    if (unit.released()) {
      return new Decided<>(
          new UnitDecision.FailUnit(
              unit.id(), unit.attempt(), FailureCode.UNKNOWN.name(), RELEASED_MESSAGE),
          RELEASED_MESSAGE);
    }
    Turns.Turn open = state.turns().open();
    return switch (unit.phase()) {
      case GRANTED ->
          new Decided<>(
              new UnitDecision.WithdrawGrant(unit.id(), numberOf(open, unit)),
              "turn not taken within " + limit.millis() + " ms");
      case TAKEN ->
          unit.mode() == Mode.OUTSIDE
              ? new Decided<>(
                  new UnitDecision.ExpireTurn(unit.id(), numberOf(open, unit)),
                  "not published within " + limit.millis() + " ms")
              : stalled(unit);
      case PREPARING -> stalled(unit);
      default ->
          new Decided<>(
              new UnitDecision.FailUnit(
                  unit.id(),
                  unit.attempt(),
                  FailureCode.CLAIM_TIMEOUT.name(),
                  "not claimed within " + limit.millis() + " ms"),
              "not claimed within " + limit.millis() + " ms");
    };
  }

  private static Decided<TableDecision> stalled(Unit unit) {
    return new Decided<>(
        new Assignment.CancelUnit(
            unit.current(), unit.progress(), FailureCode.STALLED.name(), STALL_MESSAGE),
        STALL_MESSAGE + ": last progress was sequence " + unit.progress());
  }

  private static long numberOf(Turns.@Nullable Turn open, Unit unit) {
    if (open == null) {
      throw new IllegalStateException("expected an open turn for " + unit);
    }
    return open.number();
  }
}
