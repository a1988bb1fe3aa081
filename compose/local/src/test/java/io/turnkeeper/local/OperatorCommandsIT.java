package io.turnkeeper.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.events.CommittedReader;
import io.turnkeeper.events.EventProducer;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import io.turnkeeper.streams.ActCommand;
import io.turnkeeper.streams.ConfigException;
import io.turnkeeper.streams.PolicyCommand;
import io.turnkeeper.streams.RebuildListener;
import io.turnkeeper.streams.RebuildMode;
import io.turnkeeper.streams.Scheduler;
import io.turnkeeper.streams.audit.JournalCommand;
import io.turnkeeper.streams.audit.ReplayCommand;
import io.turnkeeper.streams.rejected.RejectedCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@OnBrokers
class OperatorCommandsIT {
  private static final TableId FLIGHTS = new TableId("flights");

  @TempDir static Path temp;
  private static SchedulerOnBroker broker;
  private static Scheduler scheduler;

  private record Said(int code, String out) {}

  @BeforeAll
  static void start() throws Exception {
    broker = new SchedulerOnBroker(temp, 2);
    scheduler = broker.start(RebuildMode.REFUSE, RebuildListener.SILENT);
    broker.register(FLIGHTS);
    broker.awaitSent();
    SchedulerOnBroker.await("the table", () -> policy("get", FLIGHTS.value()).code() == 0);
  }

  @AfterAll
  static void stop() {
    scheduler.close();
    broker.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"flights", "_default"})
  void aPolicyThatIsSetIsShownAndComparedUntilItIsCleared(String table) throws Exception {
    Path file = Files.writeString(temp.resolve("p.json"), "{\"merge\": {\"maxAge\": \"90s\"}}");
    SchedulerOnBroker.await(table, () -> policy("get", table).code() == 0);
    assertThat(policy("diff", table, file.toString()).out())
        .isEqualToIgnoringNewLines("merge.maxAge: inherited -> \"90s\"");
    assertThat(policy("set", table, file.toString(), "--reason", "sooner").code()).isZero();
    SchedulerOnBroker.await(
        "the policy of " + table, () -> policy("get", table).out().contains("90s"));
    assertThat(policy("diff", table, file.toString()).out())
        .isEqualToIgnoringNewLines("nothing changes");
    assertThat(policy("clear", table, "--reason", "enough").code()).isZero();
    SchedulerOnBroker.await(
        "no policy of " + table, () -> !policy("get", table).out().contains("90s"));
  }

  @Test
  void aPolicyOfNobodyAndABadPolicyAreRefused() throws Exception {
    for (Said unknown :
        List.of(
            policy("get", "nobody"),
            run(new JournalCommand(), "nobody"),
            run(new ReplayCommand(), own(), "--table=nobody"))) {
      assertThat(unknown.code()).as(unknown.out()).isEqualTo(2);
      assertThat(unknown.out()).isEqualTo("NO_SUCH_TABLE: nothing is known of table nobody");
    }
    Path bad = Files.writeString(temp.resolve("bad.json"), "{\"merge\": {\"maxage\": \"90s\"}}");
    Said refused = policy("set", "flights", bad.toString(), "--reason", "typo");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.out()).contains("BAD_POLICY").contains("maxage");
  }

  @Test
  void whatCameOnTheWrongPartitionIsTakenWhenItIsResubmitted() throws Exception {
    int wrong = 1 - Topics.partitionOf(Topics.utf8(FLIGHTS.value()), 2);
    send(wrong, FLIGHTS.value(), broker.codec.encode(sealed("lost")));
    String id = idOf("WRONG_PARTITION");

    Said shown = rejected("show", id);
    assertThat(shown.code()).isZero();
    assertThat(new ObjectMapper().readTree(shown.out()).at("/value/shard").asText())
        .as(shown.out())
        .isEqualTo("lost");
    Said sent = rejected("resubmit", "--code", "WRONG_PARTITION");
    assertThat(sent.out()).contains("1 of 1 sent");
    assertThat(sent.code()).isZero();
    SchedulerOnBroker.await("the shard", () -> journal().contains("lost"));
    assertThat(rejected("list", "--code", "WRONG_PARTITION").out().lines()).hasSize(1);
  }

  @Test
  void aFollowedJournalGoesOnWithWhatComesUntilItIsInterrupted() throws Exception {
    StringWriter words = new StringWriter();
    Thread follower =
        new Thread(() -> run(new JournalCommand(), words, FLIGHTS.value(), "--follow"), "follower");
    follower.start();
    SchedulerOnBroker.await("what is there", () -> words.toString().contains("TableRegistered"));
    broker.send(sealed("followed"));
    broker.awaitSent();
    SchedulerOnBroker.await("what comes", () -> words.toString().contains("followed"));
    assertThat(follower.isAlive()).isTrue();
    follower.interrupt();
    SchedulerOnBroker.await("it to end", () -> !follower.isAlive());
    assertThat(words.toString().lines().filter(line -> line.contains("TableRegistered")))
        .hasSize(1);
  }

  @Test
  void whatWouldBeRefusedAgainIsNotResubmitted() throws Exception {
    send(0, "\u001B[2Jevil", "no event".getBytes(UTF_8));
    String id = idOf("NOT_SINGLE_OBJECT");

    assertThat(rejected("show", id).out()).contains("\"valueHex\"").doesNotContain("\u001B");
    Said refused = rejected("resubmit", id);
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.out()).contains("NOT_SINGLE_OBJECT").contains("0 of 1 sent");
    assertThat(rejected("list").out()).doesNotContain("\u001B");
  }

  @Test
  void aRejectedRecordThatIsNotThereIsNamed() {
    assertThat(rejected("show", "1:99999").out()).contains("NO_SUCH_RECORD").contains("1:99999");
    assertThat(rejected("show", "7:0").code()).isEqualTo(2);
    assertThat(rejected("show", "newest").out()).contains("PARTITION:OFFSET");
    assertThat(rejected("resubmit").code()).isEqualTo(2);
  }

  @Test
  void aReplayThatHasNothingToCompareIsRefusedAndNotCalledEqual() {
    Said other = run(new ReplayCommand(), "--application-id=other");
    assertThat(other.code()).as(other.out()).isEqualTo(2);
    assertThat(other.out()).contains("NO_STORES", "other-tables-changelog").doesNotContain("equal");
    Said before = run(new ReplayCommand(), own(), "--until=1970-01-01T00:00:00Z");
    assertThat(before.code()).as(before.out()).isEqualTo(2);
    assertThat(before.out()).contains("NOTHING").doesNotContain("equal");
    Said all = run(new ReplayCommand(), own(), "--verify");
    assertThat(all.code()).as(all.out()).isZero();
    assertThat(all.out()).contains("all equal", "decisions made again by rules", "all as recorded");
  }

  @Test
  void aTopicThatIsNotThereIsNamedAtOnce() throws Exception {
    assertThatThrownBy(() -> Topics.existing(broker.admin, "nix."))
        .hasMessageContaining("nix.journal");
    try (CommittedReader reader = new CommittedReader(broker.client())) {
      TopicPartition missing = new TopicPartition("nix.rejected", 0);
      assertThatThrownBy(() -> reader.read(missing, record -> {}))
          .hasMessageContaining("nix.rejected");
    }
  }

  @Test
  void aListOfNothingSaysSo() {
    assertThat(rejected("list", "--code", "WRONG_KEY").out())
        .isEqualToIgnoringNewLines("no record was refused with WRONG_KEY");
    assertThat(rejected("list", "--code", "WRONG_KEY", "--output=json").out()).isEmpty();
    Said nothing = rejected("resubmit", "--code", "WRONG_KEY");
    assertThat(nothing.code()).isZero();
    assertThat(nothing.out())
        .isEqualToIgnoringNewLines("nothing to send: no record was refused with WRONG_KEY");
  }

  @Test
  void aCodeThatNoRecordCanHaveIsWrongUsage() {
    for (String command : List.of("list", "resubmit")) {
      Said refused = rejected(command, "--code", "NOSUCH");
      assertThat(refused.code()).as(refused.out()).isEqualTo(2);
      assertThat(refused.out()).contains("--code", "NOSUCH", "WRONG_PARTITION", "NULL_VALUE");
    }
  }

  @Test
  void aPolicyForATableNobodyKnowsYetSaysThatItWaits() throws Exception {
    Path file = Files.writeString(temp.resolve("q.json"), "{\"merge\": {\"maxAge\": \"90s\"}}");
    Said set = policy("set", "flihgts", file.toString(), "--reason", "sooner");
    assertThat(set.code()).isZero();
    assertThat(set.out()).contains("nothing is known of table flihgts yet");
  }

  @Test
  void whatAnOperatorDoesByHandIsInTheJournal() throws Exception {
    for (String action : List.of("pause", "resume", "trigger", "cancel")) {
      Said done = act(action, "flights", "compact", "--author=ana", "--reason=night work");
      assertThat(done.code()).as(done.out()).isZero();
      String told =
          "OperatorActed table=flights action=%s kind=COMPACT author=ana reason=night work"
              .formatted(action.toUpperCase(Locale.ROOT));
      SchedulerOnBroker.await(told, () -> journal().contains(told));
    }
    assertThat(act("pause", "flights", "--reason=all of it").code()).isZero();
    SchedulerOnBroker.await(
        "a pause of all kinds", () -> journal().contains("action=PAUSE author"));
    assertThat(act("resume", "flights", "--reason=go on").code()).isZero();
  }

  @Test
  void whatCannotBeMeantIsRefusedWhateverIsDoneByHand() throws Exception {
    Said nobody = act("pause", "nobody", "--reason=x");
    assertThat(nobody.code()).isEqualTo(2);
    assertThat(nobody.out()).isEqualTo("NO_SUCH_TABLE: nothing is known of table nobody");
    Said kind = act("pause", "flights", "merging", "--reason=x");
    assertThat(kind.code()).isEqualTo(2);
    assertThat(kind.out()).contains("KIND", "merging", "MERGE_WAL");
    assertThat(act("pause", "flights").out()).contains("--reason");
    assertThat(act("pause", "two words", "--reason=x").code()).isEqualTo(2);
    broker.send(sealed("whole"));
    broker.awaitSent();
    SchedulerOnBroker.await(
        "the shard",
        () -> act("skip", "flights", "whole", "1", "--reason=x").out().contains("NOT_BAD"));
    Said good = act("skip", "flights", "whole", "1", "--reason=x");
    assertThat(good.code()).as("its rows would be lost for nothing").isEqualTo(2);
    Said other = act("skip", "flights", "nix", "1", "--reason=x");
    assertThat(other.code()).isEqualTo(2);
    assertThat(other.out()).startsWith("NO_SUCH_SHARD").contains("whole", "'nix'");
    assertThat(journal()).doesNotContain("GenerationSkipped");
  }

  private static Said act(String... command) {
    return run(new ActCommand(), command);
  }

  private static String own() {
    return "--application-id=" + broker.application();
  }

  private static WalSealed sealed(String shard) {
    return new WalSealed(
        FLIGHTS,
        1,
        new ShardId(shard),
        1,
        1,
        100,
        10,
        System.currentTimeMillis(),
        SealSource.WRITER);
  }

  private static void send(int partition, String key, byte[] value) throws Exception {
    try (var producer =
        new KafkaProducer<byte[], byte[]>(EventProducer.settings(broker.client()))) {
      producer
          .send(
              new ProducerRecord<>(
                  broker.topics.name(Topic.DEMAND), partition, key.getBytes(UTF_8), value))
          .get();
    }
  }

  private static String idOf(String code) throws Exception {
    SchedulerOnBroker.await(
        code, () -> !rejected("list", "--code", code, "--output=json").out().isEmpty());
    return new ObjectMapper()
        .readTree(rejected("list", "--code", code, "--output=json").out())
        .get("id")
        .asText();
  }

  private static String journal() {
    return run(new JournalCommand(), FLIGHTS.value()).out();
  }

  private static Said policy(String... command) {
    return run(new PolicyCommand(), command);
  }

  private static Said rejected(String... command) {
    return run(new RejectedCommand(), command);
  }

  private static Said run(Object tool, String... command) {
    return run(tool, new StringWriter(), command);
  }

  private static Said run(Object tool, StringWriter words, String... command) {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(
        List.of("--prefix", broker.topics.prefix(), "--bootstrap-servers", broker.bootstrap()));
    int code =
        new CommandLine(tool)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(new PrintWriter(words))
            .setErr(new PrintWriter(words))
            .setExecutionExceptionHandler(
                (e, line, parsed) -> {
                  words.write(String.valueOf(e.getMessage()));
                  return e instanceof ConfigException ? 2 : 1;
                })
            .execute(all.toArray(new String[0]));
    return new Said(code, words.toString());
  }
}
