package io.turnkeeper.worker;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StorageExamination;
import io.turnkeeper.events.storage.Storages;
import io.turnkeeper.worker.fence.Acceptance;
import io.turnkeeper.worker.fence.Fence;
import io.turnkeeper.worker.fence.Registration;
import io.turnkeeper.worker.fence.RegistrationOutcome;
import io.turnkeeper.worker.fence.TableSnapshot;
import io.turnkeeper.worker.work.Place;
import io.turnkeeper.worker.work.TableObservation;
import io.turnkeeper.worker.work.WorkCancelledException;
import io.turnkeeper.worker.work.WorkFailedException;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Brings tables under maintenance: first their head in the authority, then the word of it, then
 * what they need. Doing it again with the same request is safe and mends a broken-off attempt.
 */
public final class TableRegistrar {
  private final Authority authority;
  private final BufferAllocator allocator;
  private final Reports reports;
  private final TableObservation observation;

  public TableRegistrar(
      Authority authority,
      BufferAllocator allocator,
      Reports reports,
      TableObservation observation) {
    this.authority = authority;
    this.allocator = allocator;
    this.reports = reports;
    this.observation = observation;
  }

  /**
   * Tries whether the stores of a table and its log keep what tables rest on; takes seconds. What a
   * file system keeps is known, but stores that speak the same language keep different things.
   *
   * @return why no table may lie there; empty if it may
   */
  public static Optional<RegistrationOutcome.Refused> examine(TableRequest request)
      throws InterruptedException {
    try {
      for (String place : List.of(request.uri(), request.walUri())) {
        Optional<String> refusal =
            Storages.isLocal(place)
                ? Optional.empty()
                : StorageExamination.refusal(Storage.at(place));
        if (refusal.isPresent()) {
          return Optional.of(
              new RegistrationOutcome.Refused(
                  FailureCode.UNSAFE_TABLE,
                  "expected a store that keeps names for good at %s, but %s (see 'turnkeeper doctor')"
                      .formatted(place, refusal.get())));
        }
      }
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(
          new RegistrationOutcome.Refused(FailureCode.BAD_POLICY, String.valueOf(e.getMessage())));
    }
  }

  /** Registers the table and tells of it; a refusal says what to do. */
  public RegistrationOutcome register(TableRequest request, Deadline deadline) {
    String place = logRefusal(request);
    if (place != null) {
      return new RegistrationOutcome.Refused(FailureCode.BAD_POLICY, place);
    }
    Registration registration =
        new Registration(authority, allocator, schema -> missingColumn(request, schema));
    Schema schema = request.schema();
    RegistrationOutcome outcome =
        schema == null
            ? registration.adopt(request.table(), request.uri(), deadline)
            : registration.create(request.table(), request.uri(), schema, deadline);
    return told(request, outcome, deadline);
  }

  /** Goes on from a version that somebody made around the turns, and tells of it. */
  public RegistrationOutcome accept(TableRequest request, long version, Deadline deadline) {
    return told(
        request, new Acceptance(authority).accept(request.table(), version, deadline), deadline);
  }

  private RegistrationOutcome told(
      TableRequest request, RegistrationOutcome outcome, Deadline deadline) {
    return outcome.match(
        new RegistrationOutcome.Cases<>() {
          @Override
          public RegistrationOutcome registered(RegistrationOutcome.Registered registered) {
            return tell(request, registered, deadline);
          }

          @Override
          public RegistrationOutcome refused(RegistrationOutcome.Refused refused) {
            return refused;
          }
        });
  }

  private RegistrationOutcome tell(
      TableRequest request, RegistrationOutcome.Registered registered, Deadline deadline) {
    try (TableSnapshot snapshot =
        Opening.required(new Fence(authority).read(request.table(), allocator, deadline))) {
      Head head = snapshot.head();
      reports.send(
          new TableRegistered(
              request.table(),
              head.tableIncarnation(),
              head.uri(),
              Place.of("log", request.walUri()).location(),
              request.keyColumns(),
              request.mergeMode(),
              request.indexes()));
      reports.send(
          observation.of(
              snapshot.dataset(),
              request.table(),
              head.tableIncarnation(),
              head.uri(),
              Set.of(),
              0));
      return registered;
    } catch (WorkFailedException e) {
      return new RegistrationOutcome.Refused(e.code(), e.reason());
    } catch (WorkCancelledException e) {
      throw new IllegalStateException("nobody cancels a registration", e);
    }
  }

  private static @Nullable String logRefusal(TableRequest request) {
    try {
      String log = Place.of("log", request.walUri()).location();
      return Normalizer.isNormalized(log, Normalizer.Form.NFC)
          ? null
          : "expected a path in NFC for the log, but '" + log + "' is not: rename it";
    } catch (WorkFailedException e) {
      return e.reason();
    }
  }

  private static @Nullable String missingColumn(TableRequest request, Schema schema) {
    List<String> wanted = new ArrayList<>(request.keyColumns());
    request.indexes().stream().map(IndexSpec::column).forEach(wanted::add);
    return wanted.stream()
        .filter(column -> schema.getFields().stream().noneMatch(f -> f.getName().equals(column)))
        .findFirst()
        .map(
            column ->
                "expected a column '"
                    + column
                    + "' for a key or an index of table "
                    + request.table()
                    + ", but it has none of that name")
        .orElse(null);
  }
}
