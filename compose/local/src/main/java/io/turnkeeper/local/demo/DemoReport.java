package io.turnkeeper.local.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.local.story.Telling;
import io.turnkeeper.local.story.TurnStory;
import io.turnkeeper.local.story.UnitStory;
import io.turnkeeper.local.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The end of a demo, for people and as JSON.
 *
 * @param verdict what the separate process found
 * @param telling what the journal tells of units and turns
 * @param mergesDuringIndexPreparation merges published while an index was being prepared
 * @param overlapIsDue whether an index takes so long to prepare that merges must be among them
 * @param stages how long each part of the demo took, in milliseconds
 */
record DemoReport(
    Verdict verdict,
    Telling telling,
    long mergesDuringIndexPreparation,
    boolean overlapIsDue,
    Map<String, Long> stages) {

  /** Every reason why the demo did not show what it is to show. */
  List<String> problems() {
    List<String> problems = new ArrayList<>(verdict.problems());
    if (overlapIsDue && mergesDuringIndexPreparation == 0) {
      problems.add("no merge was published while an index was being prepared");
    }
    return problems;
  }

  boolean ok() {
    return problems().isEmpty();
  }

  String forPeople() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "rows      %,d sealed, %,d in the table, %d missing, %d doubled%n",
            verdict.rowsSealed(),
            verdict.rowsInTable(),
            verdict.missingKeys(),
            verdict.duplicateKeys()));
    text.append(
        String.format(
            "log       %d generations sealed, %d merged%n",
            verdict.generationsSealed(), verdict.generationsMerged()));
    text.append(
        String.format(
            "index     %d keys looked up, answers %s, index %s%n",
            verdict.sampledKeys(),
            verdict.indexAgrees() ? "agree" : "DIFFER",
            verdict.indexUsed() ? "used" : "NOT USED"));
    text.append(
        String.format(
            "versions  %d; newest: disk %d, etcd %d, journal %d; %s%n",
            verdict.versions(),
            verdict.newestOnDisk(),
            verdict.newestInEtcd(),
            verdict.newestInJournal(),
            verdict.versionsNameGrantedTurns() ? "each names a granted turn" : "TURNS DISAGREE"));
    text.append(String.format("turns     %s%n", turns()));
    text.append(
        String.format(
            "index build  %d merges were published while an index was prepared%n",
            mergesDuringIndexPreparation));
    telling.units().stream()
        .filter(unit -> unit.prepareMillis() > 0)
        .collect(
            Collectors.groupingBy(
                unit -> String.valueOf(unit.kind()), TreeMap::new, Collectors.toList()))
        .forEach(
            (kind, units) ->
                text.append(
                    String.format(
                        "  %-9s %3d prepared, %s%n",
                        kind,
                        units.size(),
                        spread(
                            "preparation",
                            units.stream().map(UnitStory::prepareMillis).toList()))));
    text.append(
        String.format(
            "time      %s%n",
            stages.entrySet().stream()
                .map(stage -> String.format("%s %.1f s", stage.getKey(), stage.getValue() / 1000.0))
                .collect(Collectors.joining(", "))));
    problems().forEach(problem -> text.append("PROBLEM   ").append(problem).append('\n'));
    text.append(ok() ? "result    ok\n" : "result    NOT OK\n");
    return text.toString();
  }

  private String turns() {
    List<TurnStory> granted = telling.turns().stream().filter(TurnStory::wasGranted).toList();
    return granted.size()
        + " granted, "
        + spread("held", granted.stream().map(TurnStory::heldMillis).toList())
        + ", "
        + spread("waited for", granted.stream().map(TurnStory::waitedMillis).toList());
  }

  private static String spread(String what, List<Long> millis) {
    List<Long> sorted = millis.stream().sorted().toList();
    if (sorted.isEmpty()) {
      return what + " -";
    }
    int last = sorted.size() - 1;
    long median = (sorted.get(last / 2) + sorted.get(sorted.size() / 2)) / 2;
    return String.format("%s %d ms (median), %d ms (longest)", what, median, sorted.get(last));
  }

  void write(Path file) throws IOException {
    ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    ObjectNode root = json.createObjectNode();
    root.put("ok", ok());
    root.put("rowsSealed", verdict.rowsSealed());
    root.put("rowsInTable", verdict.rowsInTable());
    root.put("duplicateKeys", verdict.duplicateKeys());
    root.put("missingKeys", verdict.missingKeys());
    root.put("unknownKeys", verdict.unknownKeys());
    root.put("generationsSealed", verdict.generationsSealed());
    root.put("generationsMerged", verdict.generationsMerged());
    root.put("versions", verdict.versions());
    root.put("newestOnDisk", verdict.newestOnDisk());
    root.put("newestInEtcd", verdict.newestInEtcd());
    root.put("newestInJournal", verdict.newestInJournal());
    root.put("versionsNameGrantedTurns", verdict.versionsNameGrantedTurns());
    root.put("headEqualsDisk", verdict.headEqualsDisk());
    root.put("indexAgrees", verdict.indexAgrees());
    root.put("indexUsed", verdict.indexUsed());
    root.put("sampledKeys", verdict.sampledKeys());
    root.put("plan", verdict.plan());
    root.put("mergesDuringIndexPreparation", mergesDuringIndexPreparation);
    stages.forEach(root.putObject("stageMillis")::put);
    problems().forEach(root.putArray("problems")::add);
    turns(root.putArray("turns"));
    units(root.putArray("units"));
    Files.writeString(file, json.writeValueAsString(root) + "\n");
  }

  private void turns(ArrayNode array) {
    Map<Long, UnitStory> units =
        telling.units().stream().collect(Collectors.toMap(UnitStory::unit, unit -> unit));
    for (TurnStory turn : telling.turns()) {
      UnitStory unit = units.get(turn.unit());
      array
          .addObject()
          .put("turn", turn.turn())
          .put("kind", unit == null ? "" : String.valueOf(unit.kind()))
          .put("unit", turn.unit())
          .put("heldMillis", turn.heldMillis())
          .put("waitedMillis", turn.waitedMillis())
          .put("outcome", turn.outcome())
          .put("reason", turn.reason());
    }
  }

  private void units(ArrayNode array) {
    for (UnitStory unit : telling.units()) {
      array
          .addObject()
          .put("unit", unit.unit())
          .put("kind", String.valueOf(unit.kind()))
          .put("mode", String.valueOf(unit.mode()))
          .put("outcome", unit.outcome())
          .put("attempts", unit.attempts())
          .put("turn", unit.turn())
          .put("rows", unit.rows())
          .put("prepareMillis", unit.prepareMillis())
          .put("totalMillis", unit.totalMillis())
          .put("reason", unit.reason());
    }
  }
}
