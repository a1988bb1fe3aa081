package io.turnkeeper.worker.work;

import io.turnkeeper.worker.wal.Generations;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.c.ArrowArrayStream;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.fragment.FragmentUpdateResult;
import org.lance.operation.Merge;
import org.lance.operation.Operation;
import org.lance.operation.Update;

/** Rewrites the column {@code id} of the first fragment into another file, as an upsert can. */
final class InPlaceRewrite {
  private InPlaceRewrite() {}

  /** By an operation that says which columns it changed. */
  static void byUpdate(LanceTable table) throws Exception {
    try (Dataset dataset = table.open()) {
      FragmentUpdateResult result = rewritten(table, dataset);
      table.commit(
          dataset.version(),
          Update.builder()
              .updatedFragments(List.of(result.getUpdatedFragment()))
              .removedFragmentIds(List.of())
              .newFragments(List.of())
              .fieldsModified(result.getFieldsModified())
              .build());
    }
  }

  /** By an operation that swaps the fragments' files. */
  static void byMerge(LanceTable table) throws Exception {
    try (Dataset dataset = table.open()) {
      List<FragmentMetadata> fragments =
          new ArrayList<>(dataset.getFragments().stream().map(Fragment::metadata).toList());
      fragments.set(0, rewritten(table, dataset).getUpdatedFragment());
      Operation merge = Merge.builder().fragments(fragments).schema(dataset.getSchema()).build();
      table.commit(dataset.version(), merge);
    }
  }

  private static FragmentUpdateResult rewritten(LanceTable table, Dataset dataset)
      throws Exception {
    try (ArrowArrayStream stream = table.stream(Generations.SCHEMA, 0, 10)) {
      return dataset.getFragments().get(0).updateColumns(stream, "n", "n");
    }
  }
}
