package io.turnkeeper.events.storage;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All storages that a process can reach, each by the options of the root it lies below. */
public final class Storages implements AutoCloseable {
  /** The system property that names the file with the settings of this process. */
  public static final String SETTINGS_PROPERTY = "turnkeeper.storage";

  /** The variable that names it, unless the property does. */
  public static final String SETTINGS_VARIABLE = "TURNKEEPER_STORAGE";

  /** The variable that is {@code true} where it must be known what Lance moves. */
  public static final String COUNTED_VARIABLE = "TURNKEEPER_STORAGE_COUNTED";

  private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*)://.*");

  /** Of a place below no root: what the environment says. */
  private static final StorageRoot ELSEWHERE = new StorageRoot("", new TreeMap<>());

  private final SortedMap<String, StorageProvider> providers = new TreeMap<>();
  private final List<StorageRoot> longestFirst;
  private final Map<Connection, StorageAccess> accesses = new ConcurrentHashMap<>();

  private record Connection(String scheme, StorageRoot root) {}

  /** Those of each file that was read: connections are shared by all who say the same. */
  private static final Map<String, Storages> OF_FILES = new ConcurrentHashMap<>();

  /** The storages as {@code roots} say; of two that hold a place, the longer one counts. */
  public Storages(Collection<StorageRoot> roots) {
    longestFirst =
        roots.stream()
            .sorted(Comparator.comparing((StorageRoot root) -> root.uri().length()).reversed())
            .toList();
    ServiceLoader.load(StorageProvider.class, StorageProvider.class.getClassLoader())
        .forEach(provider -> providers.put(provider.scheme(), provider));
  }

  /** The file that this process is told of; empty if there is none. */
  public static String settingsFile() {
    return StorageSettings.file(System.getenv());
  }

  /**
   * The storages as this process is told: by the file that the system property {@link
   * #SETTINGS_PROPERTY} or the variable {@link #SETTINGS_VARIABLE} names. It is read once.
   *
   * @throws IllegalArgumentException saying what is wrong with that file
   */
  public static Storages ofEnvironment() {
    return OF_FILES.computeIfAbsent(
        settingsFile(),
        file -> new Storages(file.isEmpty() ? List.of() : StorageSettings.read(Path.of(file))));
  }

  /**
   * The storage with the root {@code uri}, which need not exist.
   *
   * @param uri a path, or a URI with a scheme that is known here
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public Storage at(String uri) {
    if (isLocal(uri)) {
      return LocalStorage.at(uri);
    }
    String scheme = schemeOf(uri);
    StorageProvider provider = providers.get(scheme);
    if (provider == null) {
      throw new IllegalArgumentException(
          "expected a local path, or a URI of %s, but it is '%s'".formatted(known(), uri));
    }
    StorageRoot root =
        longestFirst.stream().filter(each -> each.holds(uri)).findFirst().orElse(ELSEWHERE);
    return accesses
        .computeIfAbsent(new Connection(scheme, root), unused -> provider.connect(root.options()))
        .at(uri);
  }

  /** Whether {@code place} is a path or a {@code file:} URI. */
  public static boolean isLocal(String place) {
    String scheme = schemeOf(place);
    return scheme.isEmpty() || scheme.equals(LocalStorage.SCHEME);
  }

  /** In lower case; empty for a path. */
  private static String schemeOf(String place) {
    if (place.startsWith(LocalStorage.SCHEME + ":")) {
      return LocalStorage.SCHEME;
    }
    Matcher matcher = SCHEME.matcher(place);
    return matcher.matches() ? matcher.group(1).toLowerCase(Locale.ROOT) : "";
  }

  private String known() {
    return Stream.concat(Stream.of(LocalStorage.SCHEME), providers.keySet().stream())
        .collect(Collectors.joining(", "));
  }

  @Override
  public void close() {
    accesses.values().forEach(StorageAccess::close);
  }
}
