package io.turnkeeper.events.storage;

import java.util.SortedMap;

/** Makes the storages of one scheme. Those on the class path are found by {@code ServiceLoader}. */
public interface StorageProvider {
  /** What its URIs begin with, up to the colon, in lower case. */
  String scheme();

  /**
   * Gets ready to reach storages, without reaching for one yet.
   *
   * @param options how, by the provider's own names; none for what the environment says
   * @throws IllegalArgumentException naming the option that cannot be used
   */
  StorageAccess connect(SortedMap<String, String> options);
}
