package io.turnkeeper.events.storage;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The roots that a process knows, as a properties file. Each has a name of its own, which stands
 * before {@code .uri} and before each of its options:
 *
 * <pre>
 * lake.uri=s3://bucket/tables
 * lake.endpoint=https://store.example
 * lake.credentials=file:/etc/turnkeeper/credentials
 * </pre>
 */
final class StorageSettings {
  private static final String URI = "uri";

  private StorageSettings() {}

  /** The file that this process is told of; empty if there is none. */
  static String file(Map<String, String> environment) {
    return System.getProperty(
            Storages.SETTINGS_PROPERTY, environment.getOrDefault(Storages.SETTINGS_VARIABLE, ""))
        .strip();
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  static List<StorageRoot> read(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "expected the storage settings in " + file + ", but they cannot be read: " + e, e);
    }
    return of(properties);
  }

  /**
   * Reads properties.
   *
   * @throws IllegalArgumentException naming the key that cannot be used
   */
  static List<StorageRoot> of(Properties properties) {
    SortedMap<String, SortedMap<String, String>> named = new TreeMap<>();
    for (String key : properties.stringPropertyNames()) {
      int dot = key.indexOf('.');
      if (dot <= 0) {
        throw new IllegalArgumentException("expected NAME.uri or NAME.OPTION, but there is " + key);
      }
      named
          .computeIfAbsent(key.substring(0, dot), unused -> new TreeMap<>())
          .put(key.substring(dot + 1), properties.getProperty(key).strip());
    }
    List<StorageRoot> roots = new ArrayList<>();
    named.forEach(
        (name, options) -> {
          String uri = options.remove(URI);
          if (uri == null || uri.isEmpty()) {
            throw new IllegalArgumentException("expected a value for " + name + "." + URI);
          }
          roots.add(new StorageRoot(uri, options));
        });
    return roots;
  }
}
