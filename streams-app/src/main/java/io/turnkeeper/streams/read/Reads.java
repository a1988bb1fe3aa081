package io.turnkeeper.streams.read;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.WhyNot;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.streams.LiveStores;
import io.turnkeeper.streams.LiveTable;
import io.turnkeeper.streams.NotHereException;
import io.turnkeeper.streams.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.streams.state.HostInfo;
import org.jspecify.annotations.Nullable;

/**
 * What can be read: from the stores here, or from the instance that has them. Such a question is
 * passed on once, so that a client needs to reach only one instance; whoever it is passed on to
 * does not pass it on again, since two instances may take each other for the owner while a
 * partition changes hands.
 */
final class Reads {
  private static final Duration PAUSE = Duration.ofMillis(20);

  /** A table that waits for a decision this long waits for something else. */
  private static final Duration REST_LIMIT = Duration.ofSeconds(3);

  private final Scheduler scheduler;
  private final Peers peers = new Peers();
  private final StateJson json = new StateJson(new RecordCodec());

  Reads(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  Answer answer(Question question) throws Problem {
    List<String> path = question.path();
    if (path.equals(List.of("health"))) {
      return health();
    }
    if (path.size() >= 2 && path.get(0).equals("v1")) {
      boolean ofTables = path.get(1).equals("tables");
      if (ofTables && path.size() == 2) {
        return new TableList(stores(), peers, json, self()).answer(question);
      }
      if (ofTables && path.size() == 3) {
        return table(tableId(path.get(2)), question);
      }
      if (ofTables && path.size() == 4 && path.get(3).equals("why")) {
        return why(tableId(path.get(2)), question);
      }
      if (path.get(1).equals("pools") && path.size() >= 3) {
        return pools().answer(question);
      }
    }
    throw new Problem(
        Problem.Code.NO_SUCH_PATH,
        "expected /health, /v1/tables, /v1/tables/TABLE, /v1/tables/TABLE/why, /v1/pools/POOL or"
            + " /v1/pools/POOL/waiting/UNIT");
  }

  private PoolReads pools() throws Problem {
    return new PoolReads(stores(), peers, json, self());
  }

  private @Nullable HostInfo self() {
    return scheduler.config().sharing().advertised();
  }

  private LiveStores stores() throws Problem {
    LiveStores stores = scheduler.stores();
    if (!stores.isAlive()) {
      throw notServing(stores);
    }
    return stores;
  }

  private static Problem notServing(LiveStores stores) {
    return new Problem(Problem.Code.NOT_SERVING, "it is " + stores.status());
  }

  private Answer health() throws Problem {
    LiveStores stores = scheduler.stores();
    if (!stores.isRunning()) {
      throw notServing(stores);
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("status", stores.status());
    body.put("instance", scheduler.config().instanceId());
    stores.partitions(false).forEach(body.putArray("tablePartitions")::add);
    stores.partitions(true).forEach(body.putArray("poolPartitions")::add);
    return Answer.of(body);
  }

  private Answer table(TableId id, Question question) throws Problem {
    LiveStores stores = stores();
    try {
      return Answer.of(json.table(found(id, stores.table(id))));
    } catch (NotHereException e) {
      return peers.askOwner(stores.owner(id), self(), question, e);
    }
  }

  private Answer why(TableId id, Question question) throws Problem {
    LiveStores stores = stores();
    try {
      long deadline = System.nanoTime() + REST_LIMIT.toNanos();
      LiveTable table = found(id, stores.table(id));
      while (!table.isAtRest()) {
        if (System.nanoTime() > deadline) {
          throw new Problem(
              Problem.Code.NOT_AT_REST, "the rules have yet to look at what changed of " + id);
        }
        LockSupport.parkNanos(PAUSE.toNanos());
        table = found(id, stores.table(id));
      }
      Map<Kind, WhyNot> reasons = table.whyNot();
      return Answer.of(json.why(table, reasons, pools().ahead(reasons, question)));
    } catch (NotHereException e) {
      return peers.askOwner(stores.owner(id), self(), question, e);
    }
  }

  private static LiveTable found(TableId id, @Nullable LiveTable table) throws Problem {
    if (table == null) {
      throw new Problem(Problem.Code.NO_SUCH_TABLE, "nothing is known of table " + id);
    }
    return table;
  }

  private static TableId tableId(String text) throws Problem {
    try {
      TableId id = new TableId(text);
      if (!id.isReserved()) {
        return id;
      }
    } catch (IllegalArgumentException e) {
      throw new Problem(Problem.Code.BAD_REQUEST, String.valueOf(e.getMessage()), e);
    }
    throw new Problem(Problem.Code.BAD_REQUEST, "no table is named " + text);
  }
}
