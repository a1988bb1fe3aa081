package io.turnkeeper.worker.work;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.schema.LanceField;

/** A table's columns by their field ids, which survive a rename and are never given twice. */
record ColumnIds(List<String> columns) {

  static ColumnIds of(Dataset table) {
    return new ColumnIds(
        table.getLanceSchema().fields().stream().map(ColumnIds::describe).toList());
  }

  /** Why {@code fresh} has other columns than these, or null. */
  @Nullable String staleness(Dataset fresh) {
    ColumnIds now = of(fresh);
    return now.equals(this)
        ? null
        : "expected the columns " + columns + ", but they are " + now.columns;
  }

  void describe(ArrayNode into) {
    columns.forEach(into::add);
  }

  static ColumnIds read(JsonNode array) {
    List<String> columns = new ArrayList<>();
    array.forEach(column -> columns.add(column.textValue()));
    return new ColumnIds(List.copyOf(columns));
  }

  private static String describe(LanceField field) {
    StringBuilder text =
        new StringBuilder().append(field.getId()).append(':').append(field.getLogicalType());
    field.getChildren().forEach(child -> text.append('(').append(describe(child)).append(')'));
    return text.toString();
  }

  static @Nullable LanceField named(Dataset table, String column) {
    return table.getLanceSchema().fields().stream()
        .filter(field -> field.getName().equals(column))
        .findFirst()
        .orElse(null);
  }

  static @Nullable LanceField withId(Dataset table, int id) {
    return table.getLanceSchema().fields().stream()
        .filter(field -> field.getId() == id)
        .findFirst()
        .orElse(null);
  }
}
