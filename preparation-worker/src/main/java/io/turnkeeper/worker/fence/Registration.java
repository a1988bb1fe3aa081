package io.turnkeeper.worker.fence;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.AuthorityUnavailableException;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.Location;
import io.turnkeeper.authority.Manifest;
import io.turnkeeper.authority.RegisterOutcome;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.TableId;
import io.turnkeeper.events.storage.Storage;
import java.io.IOException;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.WriteParams;

/**
 * Brings a Lance table under maintenance: its head and its location begin to exist together. Nobody
 * may commit to the table meanwhile; what is committed around the turns is a fork.
 */
public final class Registration {
  /**
   * Says what is wrong with the columns of a table, before anything is made; null if nothing is.
   */
  @FunctionalInterface
  public interface ColumnCheck {
    /** Accepts every table. */
    ColumnCheck NONE = schema -> null;

    @Nullable String refusal(Schema schema);
  }

  private final Authority authority;
  private final BufferAllocator allocator;
  private final ColumnCheck columns;

  public Registration(Authority authority, BufferAllocator allocator) {
    this(authority, allocator, ColumnCheck.NONE);
  }

  /** A registration of tables whose columns must pass a check. */
  public Registration(Authority authority, BufferAllocator allocator, ColumnCheck columns) {
    this.authority = authority;
    this.allocator = allocator;
    this.columns = columns;
  }

  /** Adopts the table that lies at {@code place}, a path or a URI, at its newest version. */
  public RegistrationOutcome adopt(TableId table, String place, Deadline deadline) {
    return at(table, place, () -> adoptAt(table, TablePath.canonical(place), deadline));
  }

  /** Creates an empty table at {@code place}, unless there is one, and adopts it. */
  public RegistrationOutcome create(TableId table, String place, Schema schema, Deadline deadline) {
    return at(
        table,
        place,
        () -> {
          String path = TablePath.canonicalIfMade(place);
          String wrong = columns.refusal(schema);
          // First what can be refused, so that a refusal leaves no table behind.
          RegistrationOutcome refusal =
              wrong == null ? taken(table, path, deadline) : refused(FailureCode.BAD_POLICY, wrong);
          if (refusal != null) {
            return refusal;
          }
          TablePath.makeParent(place);
          if (!isTable(path)) {
            create(path, schema);
          }
          return adoptAt(table, path, deadline);
        });
  }

  /** Why the id or the place is not free; null if they are, or belong to each other already. */
  private @Nullable RegistrationOutcome taken(TableId table, String path, Deadline deadline) {
    try {
      Optional<Head> head = authority.head(table, deadline);
      Optional<Location> location = authority.location(path, deadline);
      if (head.isPresent() && !head.get().uri().equals(path)) {
        return elsewhere(table, head.get());
      }
      return location.isPresent() && !location.get().table().equals(table)
          ? belongsTo(path, location.get().table())
          : null;
    } catch (AuthorityUnavailableException e) {
      return refused(FailureCode.AUTHORITY_UNAVAILABLE, String.valueOf(e.getMessage()));
    }
  }

  private static RegistrationOutcome elsewhere(TableId table, Head head) {
    return refused(
        FailureCode.BAD_POLICY,
        "expected %s to be a new table, but it lies at %s already".formatted(table, head.uri()));
  }

  private static RegistrationOutcome belongsTo(String path, TableId owner) {
    return refused(
        FailureCode.BAD_POLICY,
        "expected %s to belong to no table, but it is %s".formatted(path, owner));
  }

  private interface AtPath {
    RegistrationOutcome register() throws IOException;
  }

  private static RegistrationOutcome at(TableId table, String place, AtPath registration) {
    if (table.isReserved()) {
      return refused(
          FailureCode.BAD_POLICY,
          "expected a table id that does not begin with '_', but it is '" + table + "'");
    }
    try {
      return registration.register();
    } catch (IllegalArgumentException e) {
      return refused(FailureCode.BAD_POLICY, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return refused(FailureCode.NO_SUCH_TABLE, "expected " + place + " to be readable, but " + e);
    }
  }

  private static boolean isTable(String path) throws IOException {
    return !Manifests.at(path).table().list(ManifestPaths.VERSIONS).files().isEmpty();
  }

  private void create(String path, Schema schema) throws IOException {
    try {
      Dataset.write()
          .allocator(allocator)
          .schema(schema)
          .uri(path)
          .storageOptions(Storage.at(path).lanceOptions())
          .mode(WriteParams.WriteMode.CREATE)
          // Lance 7.0.0 answers wrongly from indexes of tables with stable row ids.
          .enableStableRowIds(false)
          .execute()
          .close();
    } catch (RuntimeException e) {
      // Somebody else may have created it meanwhile, which is as good.
      if (!isTable(path)) {
        throw e;
      }
    }
  }

  private RegistrationOutcome adoptAt(TableId table, String path, Deadline deadline)
      throws IOException {
    long version;
    String unsafe;
    String wrong;
    try (Dataset dataset = OpenTable.newest(path, allocator)) {
      version = dataset.version();
      unsafe = UnsafeTable.reason(dataset).orElse("");
      wrong = columns.refusal(dataset.getSchema());
    } catch (RuntimeException e) {
      Refusal refusal = LanceErrors.refusal(e);
      return refused(
          FailureCode.NO_SUCH_TABLE, "expected a table at " + path + ", but " + refusal.message());
    }
    if (wrong != null) {
      return refused(FailureCode.BAD_POLICY, wrong);
    }
    Manifests manifests = Manifests.at(path);
    Optional<Manifest> manifest = manifests.read(ManifestPaths.visible(version));
    if (manifest.isEmpty()) {
      return refused(
          FailureCode.UNSAFE_TABLE,
          "expected manifests named in the second scheme at %s: migrate them with Dataset.migrateManifestPathsV2()"
              .formatted(path));
    }
    return authority
        .register(table, path, version, manifest.get(), new TreeMap<>(), deadline)
        .match(new Registered(table, path, unsafe));
  }

  private static RegistrationOutcome refused(FailureCode code, String message) {
    return new RegistrationOutcome.Refused(code, message);
  }

  private record Registered(TableId table, String path, String unsafe)
      implements RegisterOutcome.Cases<RegistrationOutcome> {
    @Override
    public RegistrationOutcome registered(RegisterOutcome.Registered outcome) {
      return new RegistrationOutcome.Registered(outcome.head(), true, unsafe);
    }

    @Override
    public RegistrationOutcome alreadyRegistered(RegisterOutcome.AlreadyRegistered outcome) {
      return new RegistrationOutcome.Registered(outcome.head(), false, unsafe);
    }

    @Override
    public RegistrationOutcome registeredElsewhere(RegisterOutcome.RegisteredElsewhere outcome) {
      return elsewhere(table, outcome.head());
    }

    @Override
    public RegistrationOutcome locationTaken(RegisterOutcome.LocationTaken outcome) {
      return belongsTo(path, outcome.by());
    }

    @Override
    public RegistrationOutcome tooManyShards(RegisterOutcome.TooManyShards outcome) {
      return refused(
          FailureCode.BAD_POLICY,
          "expected a head of at most %d bytes, but with %d shards it has %d"
              .formatted(outcome.limitBytes(), outcome.shards(), outcome.headBytes()));
    }

    @Override
    public RegistrationOutcome unavailable(RegisterOutcome.Unavailable outcome) {
      return refused(FailureCode.AUTHORITY_UNAVAILABLE, outcome.reason());
    }
  }
}
