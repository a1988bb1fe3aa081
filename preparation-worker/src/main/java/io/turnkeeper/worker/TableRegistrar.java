package io.turnkeeper.worker;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.worker.fence.Fence;
import io.turnkeeper.worker.fence.Registration;
import io.turnkeeper.worker.fence.RegistrationOutcome;
import io.turnkeeper.worker.fence.TableSnapshot;
import io.turnkeeper.worker.work.LocalPath;
import io.turnkeeper.worker.work.TableObservation;
import io.turnkeeper.worker.work.WorkCancelledException;
import io.turnkeeper.worker.work.WorkFailedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

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

  /** Registers the table and tells of it; a refusal says what to do. */
  public RegistrationOutcome register(TableRequest request, Deadline deadline) {
    Registration registration = new Registration(authority, allocator);
    Schema schema = request.schema();
    RegistrationOutcome outcome =
        schema == null
            ? registration.adopt(request.table(), request.uri(), deadline)
            : registration.create(request.table(), request.uri(), schema, deadline);
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
      requireColumns(request, snapshot.dataset().getSchema());
      Head head = snapshot.head();
      Path wal = LocalPath.of("log", request.walUri()).toAbsolutePath().normalize();
      reports.send(
          new TableRegistered(
              request.table(),
              head.tableIncarnation(),
              head.uri(),
              wal.toString(),
              request.keyColumns(),
              request.mergeMode(),
              request.indexes()));
      reports.send(
          observation.of(
              snapshot.dataset(), request.table(), head.tableIncarnation(), head.uri(), Set.of()));
      return registered;
    } catch (WorkFailedException e) {
      return new RegistrationOutcome.Refused(e.code(), e.reason());
    } catch (WorkCancelledException e) {
      throw new IllegalStateException("nobody cancels a registration", e);
    }
  }

  private static void requireColumns(TableRequest request, Schema schema)
      throws WorkFailedException {
    List<String> wanted = new ArrayList<>(request.keyColumns());
    request.indexes().stream().map(IndexSpec::column).forEach(wanted::add);
    for (String column : wanted) {
      if (schema.getFields().stream().noneMatch(field -> field.getName().equals(column))) {
        throw new WorkFailedException(
            FailureCode.BAD_POLICY,
            "expected a column '" + column + "' in table " + request.table() + ", but it has none");
      }
    }
  }
}
