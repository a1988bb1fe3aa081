package io.turnkeeper.core.table;

import io.turnkeeper.core.Now;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import java.util.List;

/** What a table needs, told by its writers and by whoever looked at it. */
public sealed interface DemandEvent extends TableEvent {

  /** Who found a sealed generation: its writer, or somebody who listed the log. */
  enum SealSource {
    WRITER,
    SCAN
  }

  /**
   * A shard's log is sealed up to and including {@code sealedThrough}. Watermarks are absolute.
   *
   * @param tableIncarnation whose log it is: another incarnation of the table has another log
   * @param shard the shard
   * @param writerEpoch the epoch of the writer that sealed the newest generation
   * @param sealedThrough the newest sealed generation, counted from 1
   * @param bytesThrough bytes of all generations up to there
   * @param rowsThrough rows of all generations up to there
   * @param flushedAtMillis when that generation was sealed
   */
  record WalSealed(
      TableId table,
      long tableIncarnation,
      ShardId shard,
      long writerEpoch,
      long sealedThrough,
      long bytesThrough,
      long rowsThrough,
      long flushedAtMillis,
      SealSource source)
      implements DemandEvent {
    public WalSealed {
      Require.positive("tableIncarnation", tableIncarnation);
      Require.count("writerEpoch", writerEpoch);
      Require.positive("sealedThrough", sealedThrough);
      Require.count("bytesThrough", bytesThrough);
      Require.count("rowsThrough", rowsThrough);
      Require.time("flushedAtMillis", flushedAtMillis);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return DemandFold.sealed(before, this, now);
    }
  }

  /**
   * One index as the manifest shows it.
   *
   * @param uncoveredFragments live fragments that no segment of the index covers
   * @param segments index segments of that name
   * @param damaged whether its answers were found to disagree with a scan
   */
  record IndexObserved(
      String name,
      String column,
      IndexType type,
      long uncoveredFragments,
      long segments,
      boolean damaged) {
    public IndexObserved {
      Require.count("uncoveredFragments", uncoveredFragments);
      Require.count("segments", segments);
    }
  }

  /**
   * Somebody read the manifest of {@code version}.
   *
   * @param smallFragments fragments below the compaction target
   * @param bytes bytes of all data files
   * @param missingFiles files the manifest names and the store does not have
   * @param garbageBytes bytes that RETIRE could remove now: files that only versions older than
   *     those to be kept name, merged generations, abandoned preparations
   * @param lastWriteAtMillis when that version was committed
   */
  record TableObserved(
      TableId table,
      long tableIncarnation,
      long version,
      long fragments,
      long smallFragments,
      long smallFragmentBytes,
      long rows,
      long bytes,
      long deletedRows,
      List<IndexObserved> indexes,
      long missingFiles,
      long garbageBytes,
      long lastWriteAtMillis)
      implements DemandEvent {
    public TableObserved {
      Require.positive("tableIncarnation", tableIncarnation);
      Require.positive("version", version);
      Require.count("fragments", fragments);
      Require.count("smallFragments", smallFragments);
      Require.count("smallFragmentBytes", smallFragmentBytes);
      Require.count("rows", rows);
      Require.count("bytes", bytes);
      Require.count("deletedRows", deletedRows);
      Require.count("missingFiles", missingFiles);
      Require.count("garbageBytes", garbageBytes);
      Require.time("lastWriteAtMillis", lastWriteAtMillis);
      indexes = List.copyOf(indexes);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return DemandFold.observed(before, this, now);
    }
  }

  /**
   * A table came under maintenance; its head exists in the authority.
   *
   * @param uri where the Lance table lies
   * @param walUri where its write-ahead log lies, one folder for each shard
   * @param keyColumns the key of an upsert, empty for {@link MergeMode#APPEND}
   */
  record TableRegistered(
      TableId table,
      long tableIncarnation,
      String uri,
      String walUri,
      List<String> keyColumns,
      MergeMode mergeMode,
      List<IndexSpec> indexes)
      implements DemandEvent {
    public TableRegistered {
      Require.positive("tableIncarnation", tableIncarnation);
      Require.text("uri", uri);
      Require.text("walUri", walUri);
      keyColumns = List.copyOf(keyColumns);
      indexes = List.copyOf(indexes);
      if (mergeMode == MergeMode.UPSERT && keyColumns.isEmpty()) {
        throw new IllegalArgumentException("expected keyColumns for UPSERT, but there are none");
      }
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return DemandFold.registered(before, this);
    }
  }

  /** A table left maintenance; nothing of this incarnation applies any more. */
  record TableDropped(TableId table, long tableIncarnation) implements DemandEvent {
    public TableDropped {
      Require.positive("tableIncarnation", tableIncarnation);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return DemandFold.dropped(before, this);
    }
  }
}
