package io.turnkeeper.worker.fence;

import io.turnkeeper.core.Require;
import io.turnkeeper.events.storage.LocalStorage;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.Storages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;

/** The one spelling of a table's place, so that one directory never has two heads. */
final class TablePath {
  private TablePath() {}

  /**
   * Resolves links, relative parts and slashes at the end. Where there are no links, the storage
   * has one spelling for each place.
   *
   * @throws IOException if the place, or the directory it is to be made in, does not exist
   * @throws IllegalArgumentException saying what kind of place is not possible
   */
  static String canonical(String place) throws IOException {
    return Storages.isLocal(place) ? local(place).toString() : Storage.at(place).location();
  }

  private static Path local(String place) throws IOException {
    Path path = LocalStorage.path(place).toAbsolutePath().normalize();
    Path parent = path.getParent();
    Path name = path.getFileName();
    if (parent == null || name == null) {
      throw new IllegalArgumentException("expected a directory for a table, but it is " + place);
    }
    return checked(Files.exists(path) ? path.toRealPath() : parent.toRealPath().resolve(name));
  }

  /**
   * The same for a place whose directories are still to be made.
   *
   * @throws IOException if what exists of it cannot be read
   * @throws IllegalArgumentException saying what kind of place is not possible
   */
  static String canonicalIfMade(String place) throws IOException {
    return Storages.isLocal(place) ? localIfMade(place).toString() : Storage.at(place).location();
  }

  private static Path localIfMade(String place) throws IOException {
    Path path = LocalStorage.path(place).toAbsolutePath().normalize();
    Path existing = path;
    while (existing.getParent() != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    return path.getParent() == null
        ? local(place)
        : checked(existing.toRealPath().resolve(existing.relativize(path)).normalize());
  }

  private static Path checked(Path canonical) {
    String text = canonical.toString();
    if (!Normalizer.isNormalized(text, Normalizer.Form.NFC)) {
      throw new IllegalArgumentException(
          "expected a path in NFC, but '" + text + "' is not: rename it");
    }
    Require.text("table path", text);
    return canonical;
  }

  /**
   * Makes the directory that a new table is to be made in, where there are directories.
   *
   * @throws IOException if it cannot be made
   */
  static void makeParent(String place) throws IOException {
    if (!Storages.isLocal(place)) {
      return;
    }
    Path parent = LocalStorage.path(place).toAbsolutePath().normalize().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
  }
}
