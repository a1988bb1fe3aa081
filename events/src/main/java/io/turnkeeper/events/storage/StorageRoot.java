package io.turnkeeper.events.storage;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a process reaches everything at and below one place.
 *
 * @param uri the place, without a slash at its end
 * @param options what the provider of its scheme understands. They name where credentials are, and
 *     are none.
 */
public record StorageRoot(String uri, SortedMap<String, String> options) {
  public StorageRoot {
    while (uri.endsWith("/")) {
      uri = uri.substring(0, uri.length() - 1);
    }
    options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
  }

  boolean holds(String place) {
    return place.equals(uri) || place.startsWith(uri + "/");
  }
}
