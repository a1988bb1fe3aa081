package io.turnkeeper.streams.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.pool.Waiting;
import io.turnkeeper.core.table.WhyNot;
import io.turnkeeper.core.table.WhyNot.WaitingForPlacement;
import io.turnkeeper.streams.LiveStores;
import io.turnkeeper.streams.NotHereException;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.state.HostInfo;
import org.jspecify.annotations.Nullable;

/** What can be read of a pool, and how those who wait in it stand. */
final class PoolReads {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final LiveStores stores;
  private final Peers peers;
  private final StateJson json;
  private final @Nullable HostInfo self;

  PoolReads(LiveStores stores, Peers peers, StateJson json, @Nullable HostInfo self) {
    this.stores = stores;
    this.peers = peers;
    this.json = json;
    this.self = self;
  }

  /** Answers {@code /v1/pools/POOL} and {@code /v1/pools/POOL/waiting/UNIT}. */
  Answer answer(Question question) throws Problem {
    List<String> path = question.path();
    PoolId id = poolId(path.get(2));
    boolean ofOne = path.size() == 5 && path.get(3).equals("waiting");
    if (!ofOne && path.size() != 3) {
      throw new Problem(
          Problem.Code.NO_SUCH_PATH, "expected /v1/pools/POOL or /v1/pools/POOL/waiting/UNIT");
    }
    UnitId unit = ofOne ? unitId(path.get(4)) : null;
    try {
      PoolState pool = stores.pool(id);
      if (pool == null) {
        throw new Problem(Problem.Code.NO_SUCH_POOL, "nothing is known of pool " + id);
      }
      return Answer.of(unit == null ? json.pool(pool) : json.waiting(unit, Waiting.of(unit, pool)));
    } catch (NotHereException e) {
      return peers.askOwner(stores.owner(id), self, question, e);
    }
  }

  /**
   * How many are served before each kind that waits for its place. One about which its pool cannot
   * be asked now, or of which it has yet to hear, is left out: the reason stands without it.
   */
  Map<Kind, Long> ahead(Map<Kind, WhyNot> reasons, Question question) {
    Map<Kind, Long> ahead = new EnumMap<>(Kind.class);
    reasons.forEach(
        (kind, reason) -> {
          JsonNode place =
              reason instanceof WaitingForPlacement waits ? ask(waits, question) : null;
          if (place != null && place.path("ahead").isNumber()) {
            ahead.put(kind, place.path("ahead").asLong());
          }
        });
    return ahead;
  }

  private @Nullable JsonNode ask(WaitingForPlacement waits, Question question) {
    String pool = waits.pool().value();
    String unit = waits.unit().toString();
    Question next =
        new Question(
            "/v1/pools/" + ReadClient.encoded(pool) + "/waiting/" + ReadClient.encoded(unit),
            List.of("v1", "pools", pool, "waiting", unit),
            Map.of(),
            false, // It is another question, so it may be passed on though the first one was.
            question.deadlineNanos());
    try {
      Answer answer = answer(next);
      return answer.isGood() ? MAPPER.readTree(answer.body()) : null;
    } catch (Problem | IOException e) {
      return null;
    }
  }

  private static PoolId poolId(String text) throws Problem {
    try {
      return new PoolId(text);
    } catch (IllegalArgumentException e) {
      throw new Problem(Problem.Code.BAD_REQUEST, String.valueOf(e.getMessage()), e);
    }
  }

  private static UnitId unitId(String text) throws Problem {
    int end = text.lastIndexOf('#');
    try {
      return new UnitId(
          new TableId(text.substring(0, Math.max(0, end))),
          Long.parseLong(text.substring(end + 1)));
    } catch (IllegalArgumentException e) {
      throw new Problem(Problem.Code.BAD_REQUEST, "expected TABLE#NUMBER, but it is " + text, e);
    }
  }
}
