package io.turnkeeper.streams.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.events.Topics;
import io.turnkeeper.streams.LiveStores;
import io.turnkeeper.streams.NotHereException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.streams.state.HostInfo;
import org.jspecify.annotations.Nullable;

/**
 * A page of the tables of all instances, by the bytes of their names. If the table partitions of
 * some instance are missing there is no page: a list that looks whole and is not helps nobody.
 */
record TableList(LiveStores stores, Peers peers, StateJson json, @Nullable HostInfo self) {
  private static final int MAX_PAGE = 200;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** What one instance said, or all of them together. */
  private record Page(List<JsonNode> tables, Set<Integer> partitions) {}

  Answer answer(Question question) throws Problem {
    int limit = limit(question);
    Page page = own(question.query().get("after"), limit);
    if (question.forwarded()) {
      return Answer.of(shown(page, limit));
    }
    if (page.partitions().size() < stores.tablePartitions()) {
      List<HostInfo> others =
          stores.owners().stream().filter(owner -> !owner.equals(self)).toList();
      for (Answer answer : peers.ask(others, question)) {
        add(answer, page);
      }
    }
    if (page.partitions().size() < stores.tablePartitions()) {
      throw new Problem(
          Problem.Code.MOVING,
          "expected "
              + stores.tablePartitions()
              + " partitions, but only "
              + page.partitions()
              + " are answered for");
    }
    return Answer.of(shown(page, limit));
  }

  private Page own(@Nullable String after, int limit) throws Problem {
    try {
      // One more than asked for shows whether the page is the last.
      LiveStores.Part part = stores.tables(after, limit + 1);
      List<JsonNode> tables = new ArrayList<>();
      for (TableState state : part.tables()) {
        tables.add(json.summary(state));
      }
      return new Page(tables, new HashSet<>(part.partitions()));
    } catch (NotHereException e) {
      throw new Problem(Problem.Code.MOVING, String.valueOf(e.getMessage()), e);
    }
  }

  private static void add(Answer answer, Page page) throws Problem {
    if (!answer.isGood()) {
      throw new Problem(
          Problem.Code.OWNER_UNREACHABLE, "instance " + answer.instance() + " has no answer");
    }
    try {
      JsonNode other = MAPPER.readTree(answer.body());
      Set<Integer> more = new HashSet<>();
      other.path("partitions").forEach(partition -> more.add(partition.asInt()));
      if (more.removeAll(page.partitions())) {
        throw new Problem(Problem.Code.MOVING, "two instances answer for the same partition");
      }
      page.partitions().addAll(more);
      other.path("tables").forEach(page.tables()::add);
    } catch (IOException e) {
      throw new Problem(
          Problem.Code.OWNER_UNREACHABLE, "instance " + answer.instance() + " answers no JSON", e);
    }
  }

  private static ObjectNode shown(Page page, int limit) {
    List<JsonNode> sorted =
        page.tables().stream()
            .sorted(
                Comparator.comparing(
                    table -> Topics.utf8(table.path("table").asText()), Arrays::compareUnsigned))
            .toList();
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    ArrayNode tables = node.putArray("tables");
    sorted.stream().limit(limit).forEach(tables::add);
    if (sorted.size() > limit) {
      node.put("next", sorted.get(limit - 1).path("table").asText());
    } else {
      node.putNull("next");
    }
    page.partitions().stream().sorted().forEach(node.putArray("partitions")::add);
    return node;
  }

  private static int limit(Question question) throws Problem {
    String text = question.query().getOrDefault("limit", Integer.toString(MAX_PAGE));
    try {
      int limit = Integer.parseInt(text);
      if (limit >= 1 && limit <= MAX_PAGE) {
        return limit;
      }
    } catch (NumberFormatException e) {
      throw new Problem(
          Problem.Code.BAD_REQUEST, "expected a number for limit, but it is " + text, e);
    }
    throw new Problem(
        Problem.Code.BAD_REQUEST, "expected a limit of 1 to " + MAX_PAGE + ", but it is " + text);
  }
}
