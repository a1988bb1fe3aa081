package io.turnkeeper.core.table;

import io.turnkeeper.core.Require;
import java.util.List;

/**
 * What a preparation left on storage, waiting to be committed.
 *
 * @param readVersion the table version it was prepared at
 * @param sourceFragments the fragments it read; all must be unchanged when it is published
 * @param files number of files
 * @param bytes their size
 * @param rows rows they hold
 * @param digest identifies the content for people, empty if not computed
 * @param peakBytes the most memory the preparation used, 0 if not measured
 * @param descriptor where the worker wrote down how to publish it
 */
public record Artifact(
    long readVersion,
    List<Long> sourceFragments,
    long files,
    long bytes,
    long rows,
    String digest,
    long peakBytes,
    String descriptor) {
  public Artifact {
    Require.count("readVersion", readVersion);
    Require.count("files", files);
    Require.count("bytes", bytes);
    Require.count("rows", rows);
    Require.count("peakBytes", peakBytes);
    Require.text("digest", digest);
    Require.text("descriptor", descriptor);
    sourceFragments = List.copyOf(sourceFragments);
  }
}
