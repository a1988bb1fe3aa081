package io.turnkeeper.worker.work;

import io.turnkeeper.core.table.IndexType;
import java.util.Optional;
import org.lance.index.IndexParams;
import org.lance.index.scalar.BTreeIndexParams;
import org.lance.index.scalar.ZoneMapIndexParams;

/** The key indexes in Lance's words. */
final class IndexTypes {
  private IndexTypes() {}

  static org.lance.index.IndexType ofLance(IndexType type) {
    return switch (type) {
      case BTREE -> org.lance.index.IndexType.BTREE;
      case ZONEMAP -> org.lance.index.IndexType.ZONEMAP;
    };
  }

  /** Empty for index types that are none of ours. */
  static Optional<IndexType> of(org.lance.index.IndexType type) {
    return switch (type) {
      case BTREE -> Optional.of(IndexType.BTREE);
      case ZONEMAP -> Optional.of(IndexType.ZONEMAP);
      default -> Optional.empty();
    };
  }

  static IndexParams params(IndexType type) {
    return IndexParams.builder()
        .setScalarIndexParams(
            switch (type) {
              case BTREE -> BTreeIndexParams.builder().build();
              case ZONEMAP -> ZoneMapIndexParams.builder().build();
            })
        .build();
  }
}
