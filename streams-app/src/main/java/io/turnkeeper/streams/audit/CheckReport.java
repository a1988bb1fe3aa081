package io.turnkeeper.streams.audit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** What {@code check} found, for people and for programs. */
record CheckReport(JournalCheck tables, JournalCheck pools, Problems problems) {
  boolean holds() {
    return problems.count() == 0;
  }

  private long notFolded() {
    return tables.notFolded() + pools.notFolded();
  }

  private List<JournalCheck.Note> notes() {
    List<JournalCheck.Note> notes = new ArrayList<>(tables.notes());
    notes.addAll(pools.notes());
    return notes;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            "tables: %,d entries, %,d decisions; %,d units opened, %,d ended; %,d turns granted;"
                + " %,d versions",
            tables.entries(),
            tables.decisions(),
            tables.sum(TableCheck::opened),
            tables.sum(TableCheck::ended),
            tables.sum(TableCheck::turns),
            tables.sum(TableCheck::versions)));
    lines.add(
        String.format("pools: %,d entries, %,d decisions", pools.entries(), pools.decisions()));
    notes().forEach(note -> lines.add(note.toString()));
    problems.told().forEach(problem -> lines.add("BROKEN " + problem));
    String verdict = holds() ? "all hold" : String.format("%,d broken", problems.count());
    lines.add(
        notFolded() == 0
            ? verdict
            : String.format(
                "%s; of %,d entries little but the order is checked", verdict, notFolded()));
    return lines;
  }

  /** The same; {@code broken} has the first hundred, {@code brokenCount} counts all. */
  ObjectNode json() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    half(node.putObject("tables"), tables)
        .put("unitsOpened", tables.sum(TableCheck::opened))
        .put("unitsEnded", tables.sum(TableCheck::ended))
        .put("turnsGranted", tables.sum(TableCheck::turns))
        .put("versions", tables.sum(TableCheck::versions));
    half(node.putObject("pools"), pools);
    ArrayNode notes = node.putArray("notes");
    for (JournalCheck.Note note : notes()) {
      notes
          .addObject()
          .put("code", note.code().name())
          .put("half", note.half())
          .put("partition", note.partition())
          .put("entry", note.entry())
          .put("text", note.text());
    }
    ArrayNode broken = node.putArray("broken");
    problems.told().forEach(broken::add);
    return node.put("brokenCount", problems.count()).put("holds", holds());
  }

  private static ObjectNode half(ObjectNode node, JournalCheck check) {
    return node.put("entries", check.entries())
        .put("decisions", check.decisions())
        .put("entriesOnlyInOrder", check.notFolded());
  }
}
