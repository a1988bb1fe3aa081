package io.turnkeeper.streams.backtest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.events.policy.PolicyJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The outcome of a backtest as programs read it, and the notes that belong to its numbers. */
public final class BacktestReport {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Backtest backtest;

  public BacktestReport(Backtest backtest) {
    this.backtest = backtest;
  }

  /** All of it; the same history and policy give the same bytes. */
  public String json() {
    ObjectNode root = JSON.createObjectNode();
    root.put("from", time(backtest.span().fromMillis()));
    root.put("until", time(backtest.span().untilMillis()));
    root.put("entries", backtest.entries());
    root.put("replaces", backtest.options().replaced().value());
    root.set("policy", policy());
    root.set("executors", executors());
    root.set("durations", durations());
    ArrayNode kinds = root.putArray("kinds");
    for (Kind kind : Kind.values()) {
      ObjectNode row = kinds.addObject().put("kind", kind.name());
      row.set("happened", figures(backtest.happened().of(kind)));
      row.set("simulated", figures(backtest.simulated().of(kind)));
    }
    ObjectNode pending = root.putObject("pendingGenerations");
    ArrayNode at = pending.putArray("at");
    for (int point = 0; point < Figures.POINTS; point++) {
      at.add(time(backtest.happened().pointMillis(point)));
    }
    pending.set("happened", series(backtest.happened().pending()));
    pending.set("simulated", series(backtest.simulated().pending()));
    ArrayNode notes = root.putArray("notes");
    notes().forEach(notes::add);
    return root.toPrettyString();
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  private JsonNode policy() {
    try {
      return JSON.readTree(PolicyJson.write(backtest.options().policy()));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private ArrayNode executors() {
    ArrayNode executors = JSON.createArrayNode();
    backtest
        .executors()
        .forEach(
            (id, beat) -> {
              ObjectNode row = executors.addObject().put("executor", id.value());
              row.put("pool", beat.pool().value()).put("bytesTotal", beat.bytesTotal());
              ObjectNode slots = row.putObject("slots");
              beat.slots().forEach((kind, count) -> slots.put(kind.name(), count));
            });
    return executors;
  }

  private ArrayNode durations() {
    ArrayNode durations = JSON.createArrayNode();
    backtest
        .durations()
        .forEach(
            (use, attempts) ->
                durations
                    .addObject()
                    .put("kind", use.work().kind().name())
                    .put("mode", use.work().mode().name())
                    .put("sizeFrom", 1L << use.sizeLog2())
                    .put("basis", use.basis().name())
                    .put("samples", use.samples())
                    .put("attempts", attempts));
    return durations;
  }

  private static ObjectNode figures(KindFigures figures) {
    ObjectNode row = JSON.createObjectNode().put("turns", figures.turns());
    ObjectNode wait = row.putObject("turnWaitMillis");
    wait.put("p50", figures.waitMillis(0.5));
    wait.put("p99", figures.waitMillis(0.99));
    wait.put("max", figures.waitMillis(1));
    row.put("longestReadyMillis", figures.longestReadyMillis());
    row.put("longestUnservedMillis", figures.longestUnservedMillis());
    row.put("unserved", figures.unserved());
    row.put("promotions", figures.promotions());
    row.set("open", series(figures.open()));
    return row;
  }

  private static ArrayNode series(long[] values) {
    ArrayNode series = JSON.createArrayNode();
    for (long value : values) {
      series.add(value);
    }
    return series;
  }

  /** What a reader must know to read the numbers rightly. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    notes.add(
        "demand, registrations, observations and operators' actions are as recorded; executors come"
            + " and go with the capacities of their recorded heartbeats; attempts take as long as"
            + " recorded ones of the same kind, mode and size and always succeed");
    for (Durations.Use use : backtest.durations().keySet()) {
      String work = use.work().kind() + " " + use.work().mode();
      if (use.basis() == Durations.Basis.ASSUMED) {
        notes.add(
            work + ": no sample; assumed that it is " + Course.assumed(use.work().mode()).told());
      } else if (use.basis() == Durations.Basis.OTHER_MODE) {
        notes.add(work + ": no sample; that of the other mode taken");
      }
    }
    if (backtest.failed() + backtest.foundNothing() > 0) {
      notes.add(
          backtest.failed()
              + " recorded attempts failed and "
              + backtest.foundNothing()
              + " found nothing to do; simulated ones do neither");
    }
    if (backtest.otherVersions() > 0) {
      notes.add(
          backtest.otherVersions()
              + " entries were decided by other rules then, so more than the policy differs");
    }
    if (!backtest.span().poolsAreWhole()) {
      notes.add(
          "the beginning of the pools' journal is gone; pools are known from their first heartbeats"
              + " on");
    }
    return notes.stream().distinct().toList();
  }
}
