package io.turnkeeper.worker.fence;

import io.turnkeeper.authority.Manifest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The files of one table that the fence touches: manifests only. Paths are relative to the table's
 * root and use slashes.
 */
interface FenceStore {

  /** Copies a staged manifest to {@code path}, which is new, so that it outlives a power cut. */
  Manifest keep(String staged, String path) throws IOException;

  /**
   * Makes the content of {@code manifest} visible as {@code path}, durably and in one step, unless
   * there is something of that name.
   *
   * @return false if there was
   */
  boolean createExclusively(String path, Manifest manifest) throws IOException;

  /** What lies at {@code path}, read to the end; empty if there is nothing. */
  Optional<Manifest> read(String path) throws IOException;

  boolean exists(String path) throws IOException;

  /** The size of a file that exists. */
  long sizeBytes(String path) throws IOException;

  /** The paths of the files in a directory, in no order; empty if it does not exist. */
  List<String> list(String directory) throws IOException;

  /** Deletes a file if it is there. */
  void delete(String path) throws IOException;

  /** The path as Lance writes it: absolute, without the leading slash. */
  String lancePath(String path);

  /** The table's root as Lance takes it. */
  String location();
}
