package io.turnkeeper.events;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.turnkeeper.core.Decision;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.table.ClaimEvent;
import io.turnkeeper.core.table.DemandEvent;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.PolicyEvent;
import io.turnkeeper.core.table.PublishEvent;
import io.turnkeeper.core.table.TableSnapshot;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.events.InvalidRecordException.Code;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.specific.SpecificData;
import org.junit.jupiter.api.Test;

class RecordCodecTest {
  private static final RecordCodec CODEC = new RecordCodec();
  private static final WalSealed SEALED = (WalSealed) Samples.events().get(0);

  @Test
  void aComponentWhoseBytesAreAtHandIsNotWrittenAgain() throws Exception {
    var snapshot = (TableSnapshot) Objects.requireNonNull(Samples.golden().get("TableSnapshot"));
    byte[] state = CODEC.encode(snapshot.state());
    byte[] expected = CODEC.encode(snapshot);
    assertThat(CODEC.encode(snapshot, snapshot.state(), state)).isEqualTo(expected);

    TableState other = TableState.unknown(snapshot.state().table());
    byte[] copied = CODEC.encode(snapshot, snapshot.state(), CODEC.encode(other));
    assertThat(CODEC.decode(copied, TableSnapshot.class).state()).isEqualTo(other);

    state[2]++; // As if it was written under an earlier schema.
    assertThat(CODEC.encode(snapshot, snapshot.state(), state)).isEqualTo(expected);
    assertThat(CODEC.encode(snapshot, snapshot.state(), new byte[3])).isEqualTo(expected);
  }

  @Test
  void everySampleComesBackEqual() throws Exception {
    for (Event event : Samples.events()) {
      assertThat(CODEC.decode(CODEC.encode(event))).isEqualTo(event);
      JournalEntry entry = Samples.journaled(event);
      assertThat(CODEC.decode(CODEC.encode(entry))).isEqualTo(entry);
    }
    for (Decision decision : Samples.decisions()) {
      var record = Samples.recorded(decision);
      assertThat(CODEC.decode(CODEC.encode(record))).isEqualTo(record);
    }
  }

  @Test
  void absentValuesComeBackAbsent() throws Exception {
    var policy = new PolicyEvent.PolicySet(Samples.TABLE, PolicyDocument.EMPTY, "a", "");
    var failed = new PublishEvent.UnitFailed(Samples.ATTEMPT, "TAKE", "IO", "", null);
    var entry = new JournalEntry(1, Samples.AT, null, failed);

    assertThat(CODEC.decode(CODEC.encode(policy))).isEqualTo(policy);
    assertThat(CODEC.decode(CODEC.encode(entry))).isEqualTo(entry);
  }

  @Test
  void aPoolsStateOfTheFirstVersionIsReadWithoutWhatItDidNotHave() throws Exception {
    String hex = Files.readString(Path.of("src/test/resources/old/PoolState-v1.hex"), US_ASCII);
    byte[] bytes = HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    PoolState now = (PoolState) Objects.requireNonNull(Samples.golden().get("PoolState"));
    PoolState old = (PoolState) CODEC.decode(bytes);
    assertThat(old.executors()).isEqualTo(now.executors());
    assertThat(old.requests()).isEqualTo(now.requests());
    assertThat(old.refused()).isEmpty();
    assertThat(old.reservations().values()).noneMatch(PoolState.Reservation::letGo).hasSize(1);
  }

  @Test
  void theGeneratedClassesReadTheSameBytes() throws Exception {
    BinaryMessageDecoder<io.turnkeeper.schemas.WalSealed> decoder =
        io.turnkeeper.schemas.WalSealed.createDecoder(CODEC.schemaStore());

    io.turnkeeper.schemas.WalSealed generated = decoder.decode(CODEC.encode(SEALED));

    assertThat(generated.getTable()).isEqualTo(SEALED.table().value());
    assertThat(generated.getBytesThrough()).isEqualTo(SEALED.bytesThrough());
    assertThat(generated.toByteBuffer().array()).isEqualTo(CODEC.encode(SEALED));
  }

  @Test
  void theGeneratedJournalEntryReadsEveryEvent() throws Exception {
    var decoder = io.turnkeeper.schemas.JournalEntry.getDecoder();
    for (Event event : Samples.events()) {
      Object branch = decoder.decode(CODEC.encode(Samples.journaled(event))).getEvent();
      assertThat(SpecificData.get().getSchema(branch.getClass()).getName())
          .isEqualTo(event.getClass().getSimpleName());
    }
  }

  @Test
  void theOrderOfAMapDoesNotDependOnItsComparator() {
    var forward = new TreeMap<>(Map.of(Kind.MERGE_WAL, 1L, Kind.INDEX, 2L, Kind.RETIRE, 3L));
    var backward = new TreeMap<Kind, Long>(Comparator.reverseOrder());
    backward.putAll(forward);

    assertThat(CODEC.encode(withConsecutive(forward)))
        .isEqualTo(CODEC.encode(withConsecutive(backward)));
  }

  private static PolicyEvent.PolicySet withConsecutive(SortedMap<Kind, Long> consecutive) {
    var document = PolicyDocument.of(draft -> draft.maxConsecutive = consecutive);
    return new PolicyEvent.PolicySet(Samples.TABLE, document, "a", "r");
  }

  @Test
  void bytesThatAreNotSingleObjectsAreRefused() {
    assertRefused(new byte[0], Code.NOT_SINGLE_OBJECT, "there are 0 bytes");
    assertRefused(
        "{\"table\":1}".getBytes(StandardCharsets.UTF_8), Code.NOT_SINGLE_OBJECT, "7B 22");
    assertRefused(new byte[] {(byte) 0xC3, 1, 5}, Code.TRUNCATED, "there are 3");
  }

  @Test
  void anUnknownFingerprintIsNamed() {
    byte[] bytes = SingleObject.header(0x0123456789abcdefL);

    assertRefused(bytes, Code.UNKNOWN_SCHEMA, "0123456789abcdef");
  }

  @Test
  void everyTruncationIsRefused() {
    byte[] bytes = CODEC.encode(SEALED);
    for (int length = SingleObject.HEADER_BYTES; length < bytes.length; length++) {
      assertRefused(Arrays.copyOf(bytes, length), Code.TRUNCATED, "WalSealed");
    }
  }

  @Test
  void trailingBytesAreRefused() {
    byte[] bytes = CODEC.encode(SEALED);

    assertRefused(Arrays.copyOf(bytes, bytes.length + 1), Code.UNDECODABLE, "go on");
  }

  @Test
  void aValueThatTheRecordRefusesIsOutOfRange() throws Exception {
    var generated =
        new io.turnkeeper.schemas.WalSealed(
            "t", 1L, "s", 1L, 0L, 0L, 0L, 0L, io.turnkeeper.schemas.SealSource.SCAN);

    assertRefused(generated.toByteBuffer().array(), Code.OUT_OF_RANGE, "sealedThrough >= 1");
  }

  @Test
  void aHostileLengthAllocatesNothing() {
    byte[] bytes =
        concat(
            Arrays.copyOf(CODEC.encode(SEALED), SingleObject.HEADER_BYTES),
            new byte[] {(byte) 0xFE, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x0F});

    assertRefused(bytes, Code.TOO_LARGE, "WalSealed");
  }

  @Test
  void anOversizedEventIsRefusedBothWays() {
    byte[] bytes = Arrays.copyOf(CODEC.encode(SEALED), AvroLimits.MAX_EVENT_BYTES + 1);
    var many = java.util.Collections.nCopies(AvroLimits.MAX_EVENT_BYTES, 1L);
    var planned =
        new io.turnkeeper.core.table.CheckpointEvent.PreparationPlanned(Samples.ATTEMPT, 1, many);

    assertRefused(bytes, Code.TOO_LARGE, "at most 900000 bytes");
    assertThatThrownBy(() -> CODEC.encode(planned))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 900000 bytes, but this PreparationPlanned has");
  }

  @Test
  void anotherTypeThanAskedForIsRefused() {
    byte[] bytes = CODEC.encode(SEALED);

    var refused =
        catchThrowableOfType(
            InvalidRecordException.class, () -> CODEC.decode(bytes, ClaimEvent.class));

    assertThat(refused.code()).isEqualTo(Code.UNEXPECTED_TYPE);
    assertThat(refused).hasMessage("expected a ClaimEvent, but it is a WalSealed");
  }

  @Test
  void aPartThatDoesNotTravelAloneIsABug() {
    assertThatThrownBy(() -> CODEC.encode(new TableId("t")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("io.turnkeeper.core.TableId");
  }

  @Test
  void decodedEventsKeepTheirFamily() throws Exception {
    assertThat(CODEC.decode(CODEC.encode(SEALED), DemandEvent.class)).isEqualTo(SEALED);
  }

  private static void assertRefused(byte[] bytes, Code code, String message) {
    var refused = catchThrowableOfType(InvalidRecordException.class, () -> CODEC.decode(bytes));
    assertThat(refused).as("a refusal").isNotNull();
    assertThat(refused.code()).isEqualTo(code);
    assertThat(refused).hasMessageContaining(message);
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
