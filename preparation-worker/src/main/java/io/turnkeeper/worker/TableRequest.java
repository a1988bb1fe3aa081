package io.turnkeeper.worker;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.MergeMode;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A table to bring under maintenance.
 *
 * @param uri where the Lance table lies, a path or a file: URI
 * @param walUri where its log lies or will lie
 * @param schema creates an empty table of these columns if there is none; null adopts what is there
 * @param keyColumns the key of an upsert, empty for append
 */
public record TableRequest(
    TableId table,
    String uri,
    String walUri,
    @Nullable Schema schema,
    List<String> keyColumns,
    MergeMode mergeMode,
    List<IndexSpec> indexes) {
  public TableRequest {
    keyColumns = List.copyOf(keyColumns);
    indexes = List.copyOf(indexes);
  }
}
