package io.turnkeeper.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.TableId;
import io.turnkeeper.local.Instance.Said;
import io.turnkeeper.streams.ConfigException;
import io.turnkeeper.streams.Sharing;
import io.turnkeeper.streams.read.DescribeCommand;
import io.turnkeeper.streams.read.TablesCommand;
import io.turnkeeper.streams.read.WhyCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.common.GroupType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Two instances share the tables; whichever is asked, the one that decides answers. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@OnBrokers
class ReadIT {
  private static final int PARTITIONS = 4;
  private static final String ODD = "données/a b+c%";
  private static final List<String> NAMES = names();

  /** The other one: {@code -Dturnkeeper.test.flags=-Dgroup.protocol=streams}. */
  private static final String PROTOCOL =
      System.getProperty("group.protocol", "classic").toUpperCase(Locale.ROOT);

  private static final Sharing SHARING =
      new Sharing(Sharing.Protocol.valueOf(PROTOCOL), Sharing.DEFAULT.listen(), null);

  @TempDir static Path temp;
  private static SchedulerOnBroker broker;
  private static Instance first;
  private static Instance second;

  private static List<String> names() {
    List<String> names =
        new ArrayList<>(IntStream.range(0, 20).mapToObj(i -> String.format("t%02d", i)).toList());
    names.add(0, ODD);
    return names;
  }

  @BeforeAll
  static void start() throws Exception {
    broker = new SchedulerOnBroker(temp, PARTITIONS);
    first = Instance.start(broker, broker.topics, "first", temp, SHARING);
    second = Instance.start(broker, broker.topics, "second", temp, SHARING);
    for (String name : NAMES) {
      broker.register(new TableId(name));
      broker.seal(new TableId(name), "w1", 3);
    }
    broker.heartbeat("worker-1");
    broker.awaitSent();
    awaitSharing(() -> owned(first) > 0 && owned(second) > 0);
    awaitSharing(() -> owned(first) + owned(second) == PARTITIONS);
    assertThat(broker.admin.listGroups().all().get())
        .filteredOn(group -> group.groupId().equals(broker.application()))
        .extracting(GroupListing::type)
        .containsExactly(Optional.of(GroupType.valueOf(PROTOCOL)));
    SchedulerOnBroker.await("all tables", () -> tables(first, "").size() == NAMES.size());
  }

  private static void awaitSharing(BooleanSupplier condition) throws InterruptedException {
    try {
      SchedulerOnBroker.await("both to share", condition);
    } catch (AssertionError e) {
      throw new AssertionError(
          first.get("/health").body() + " and " + second.get("/health").body(), e);
    }
  }

  @AfterAll
  static void stop() {
    first.close();
    second.close();
    broker.close();
  }

  private static int owned(Instance instance) {
    return instance.get("/health").body().path("tablePartitions").size();
  }

  private static List<String> tables(Instance instance, String query) {
    List<String> names = new ArrayList<>();
    instance
        .get("/v1/tables" + query)
        .body()
        .path("tables")
        .forEach(table -> names.add(table.path("table").asText()));
    return names;
  }

  private static String path(String table) {
    return "/v1/tables/" + URLEncoder.encode(table, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Test
  @Order(1)
  void aReadAtEitherInstanceReachesTheOwner() {
    Set<String> owners = new HashSet<>();
    for (String name : NAMES) {
      Said here = first.get(path(name));
      Said there = second.get(path(name));
      assertThat(here.status()).as("%s", here.body()).isEqualTo(200);
      assertThat(here.body().path("table").asText()).isEqualTo(name);
      assertThat(here.body().at("/state/shards/w1/sealedThrough").asLong()).isEqualTo(3);
      assertThat(there.status()).isEqualTo(200);
      assertThat(there.instance()).isEqualTo(here.instance());
      owners.add(here.instance());
    }
    assertThat(owners).containsExactlyInAnyOrder("first", "second");
    for (Instance asked : List.of(first, second)) {
      JsonNode pool = asked.get("/v1/pools/default").body();
      assertThat(pool.at("/executors/worker-1/reservedBytes").isNumber()).as("%s", pool).isTrue();
    }
  }

  @Test
  @Order(1)
  void aListHasTheTablesOfAllInstancesPageByPage() {
    assertThat(tables(first, "")).containsExactlyInAnyOrderElementsOf(NAMES);
    assertThat(tables(second, "")).isEqualTo(tables(first, ""));
    List<String> paged = new ArrayList<>();
    JsonNode page = second.get("/v1/tables?limit=8").body();
    while (true) {
      page.path("tables").forEach(table -> paged.add(table.path("table").asText()));
      if (page.path("next").isNull()) {
        break;
      }
      assertThat(page.path("tables")).hasSize(8);
      String after = URLEncoder.encode(page.path("next").asText(), StandardCharsets.UTF_8);
      page = second.get("/v1/tables?limit=8&after=" + after.replace("+", "%20")).body();
    }
    assertThat(paged).isEqualTo(tables(first, ""));
  }

  @Test
  @Order(1)
  void eachKindHasOneReason() {
    for (String name : NAMES) {
      JsonNode why = first.get(path(name) + "/why").body();
      List<String> kinds = new ArrayList<>();
      why.path("reasons").forEach(reason -> kinds.add(reason.path("kind").asText()));
      assertThat(kinds).containsExactly(kinds());
      assertThat(why.path("reasons").findValuesAsText("reason")).contains("BELOW_THRESHOLD");
    }
  }

  @Test
  @Order(1)
  void whoWaitsForAPlaceIsToldHowManyGoFirst() throws Exception {
    // The only executor has no slots, so the first look at each table waits.
    SchedulerOnBroker.await(
        "all to wait",
        () -> second.get("/v1/pools/default").body().path("requests").size() == NAMES.size());
    for (Instance asked : List.of(first, second)) {
      Set<Long> ahead = new HashSet<>();
      for (String name : NAMES) {
        JsonNode reasons = asked.get(path(name) + "/why").body().path("reasons");
        for (JsonNode reason : reasons) {
          if (reason.path("reason").asText().equals("WAITING_FOR_PLACEMENT")) {
            ahead.add(reason.path("ahead").asLong(-1));
          }
        }
      }
      assertThat(ahead)
          .containsExactlyInAnyOrderElementsOf(LongStream.range(0, NAMES.size()).boxed().toList());
    }
    assertProblem(first.get("/v1/pools/default/waiting/nothing"), 400, "BAD_REQUEST");
    assertProblem(first.get("/v1/pools/default/other"), 404, "NO_SUCH_PATH");
  }

  private static String[] kinds() {
    return Arrays.stream(Kind.values()).map(Kind::name).toArray(String[]::new);
  }

  @Test
  @Order(1)
  void whatCannotBeAnsweredIsAProblem() {
    assertProblem(first.get(path("nobody")), 404, "NO_SUCH_TABLE");
    assertProblem(first.get(path("nobody") + "/why"), 404, "NO_SUCH_TABLE");
    assertProblem(first.get("/v1/pools/nobody"), 404, "NO_SUCH_POOL");
    assertProblem(first.get(path("a/../b")), 400, "BAD_REQUEST");
    assertProblem(first.get(path("_partition")), 400, "BAD_REQUEST");
    assertProblem(first.get("/v1/tables/%FF"), 400, "BAD_REQUEST");
    assertProblem(first.get("/v1/tables?limit=0"), 400, "BAD_REQUEST");
    assertProblem(first.get("/v1/other"), 404, "NO_SUCH_PATH");
    assertProblem(first.send("DELETE", path("t01")), 405, "METHOD_NOT_ALLOWED");
  }

  private static void assertProblem(Said said, int status, String code) {
    assertThat(said.status()).as("%s", said.body()).isEqualTo(status);
    assertThat(said.body().path("code").asText()).isEqualTo(code);
    assertThat(said.body().path("type").asText()).isEqualTo("urn:turnkeeper:problem:" + code);
    assertThat(said.body().path("status").asInt()).isEqualTo(status);
    assertThat(said.response().headers().firstValue("Content-Type"))
        .contains("application/problem+json");
  }

  @Test
  @Order(1)
  void theCommandsShowWhatIsAnswered() throws Exception {
    String listed = run(new TablesCommand(), 0);
    assertThat(listed.lines().count()).isEqualTo(NAMES.size() + 1);
    assertThat(listed).contains(ODD);
    assertThat(run(new DescribeCommand(), 0, ODD))
        .contains("entry ")
        .contains("w1: sealed 3, merged 0, pending 3");
    assertThat(run(new WhyCommand(), 0, ODD)).contains("MERGE_WAL  BELOW_THRESHOLD");
    JsonNode json = new ObjectMapper().readTree(run(new WhyCommand(), 0, ODD, "--output", "json"));
    assertThat(json.path("table").asText()).isEqualTo(ODD);
    String unknown = "NO_SUCH_TABLE: nothing is known of table nobody";
    assertThat(run(new WhyCommand(), 2, "nobody")).isEqualTo(unknown);
    assertThat(run(new DescribeCommand(), 2, "nobody")).isEqualTo(unknown);
    assertThat(run(new DescribeCommand(), 2, "_partition")).contains("_partition");
  }

  private static String run(Object command, int expected, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--server", second.server()));
    StringWriter words = new StringWriter();
    int code =
        new CommandLine(command)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(new PrintWriter(words))
            .setErr(new PrintWriter(words))
            .setExecutionExceptionHandler(
                (e, line, parsed) -> {
                  words.write(String.valueOf(e.getMessage()));
                  return e instanceof ConfigException ? 2 : 1;
                })
            .execute(all.toArray(new String[0]));
    assertThat(code).as("%s", words).isEqualTo(expected);
    return words.toString();
  }

  @Test
  @Order(2)
  void whileAnInstanceLeavesEachReadIsRightOrMayBeRepeated() throws Exception {
    Map<String, Long> newest = new ConcurrentHashMap<>();
    AtomicBoolean enough = new AtomicBoolean();
    ExecutorService readers = Executors.newFixedThreadPool(3);
    List<Future<Set<String>>> reading = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      List<String> own = NAMES.subList(7 * i, 7 * i + 7);
      reading.add(readers.submit(() -> readOn(own, newest, enough)));
    }
    SchedulerOnBroker.await("reads", () -> newest.size() == NAMES.size());
    second.close();
    SchedulerOnBroker.await("the other to have all", () -> owned(first) == PARTITIONS);
    enough.set(true);
    Set<String> answeredBy = new HashSet<>();
    for (Future<Set<String>> one : reading) {
      answeredBy.addAll(one.get(30, TimeUnit.SECONDS));
    }
    readers.shutdown();
    assertThat(answeredBy).containsExactlyInAnyOrder("first", "second");

    for (String name : NAMES) {
      Said said = first.get(path(name));
      assertThat(said.status()).as("%s", said.body()).isEqualTo(200);
      assertThat(said.instance()).isEqualTo("first");
      assertThat(first.get(path(name) + "/why").status()).isEqualTo(200);
    }
    assertThat(tables(first, "")).containsExactlyInAnyOrderElementsOf(NAMES);
  }

  /** Answers who answered; what is read of a table never becomes older. */
  private static Set<String> readOn(
      List<String> names, Map<String, Long> newest, AtomicBoolean enough) {
    Set<String> answeredBy = new HashSet<>();
    while (!enough.get()) {
      for (String name : names) {
        long before = System.nanoTime();
        Said said = first.get(path(name));
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(7));
        if (said.status() == 200) {
          assertThat(said.body().path("table").asText()).isEqualTo(name);
          assertThat(said.body().at("/state/shards/w1/sealedThrough").asLong()).isEqualTo(3);
          long sequence = said.body().path("sequence").asLong();
          assertThat(sequence).isGreaterThanOrEqualTo(newest.getOrDefault(name, 0L));
          newest.put(name, sequence);
          answeredBy.add(said.instance());
        } else {
          assertThat(said.isRetryable()).as("%s", said.body()).isTrue();
        }
      }
    }
    return answeredBy;
  }
}
