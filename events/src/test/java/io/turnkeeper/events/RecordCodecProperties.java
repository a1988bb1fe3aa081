package io.turnkeeper.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Whatever arrives, decoding gives a record or a refusal, never anything else. */
class RecordCodecProperties {
  private static final RecordCodec CODEC = new RecordCodec();
  private static final List<byte[]> ENCODED =
      Samples.golden().values().stream().map(CODEC::encode).toList();

  @Property
  void randomBytesAreRefused(@ForAll @Size(max = 200) byte[] bytes) {
    assertThat(decodes(bytes)).isFalse();
  }

  @Property(tries = 5_000)
  void randomPayloadsAreRecordsOrRefused(
      @ForAll("samples") byte[] sample, @ForAll @Size(max = 300) byte[] payload) {
    byte[] bytes = Arrays.copyOf(sample, SingleObject.HEADER_BYTES + payload.length);
    System.arraycopy(payload, 0, bytes, SingleObject.HEADER_BYTES, payload.length);
    requireCanonical(bytes);
  }

  @Property(tries = 20_000)
  void changedBytesAreRecordsOrRefused(
      @ForAll("samples") byte[] sample,
      @ForAll @IntRange(max = 10_000) int at,
      @ForAll byte value,
      @ForAll @IntRange(max = 10_000) int at2,
      @ForAll byte value2) {
    byte[] bytes = sample.clone();
    bytes[at % bytes.length] = value;
    bytes[at2 % bytes.length] = value2;
    requireCanonical(bytes);
  }

  @Property(tries = 5_000)
  void shortenedBytesAreRefused(
      @ForAll("samples") byte[] sample, @ForAll @IntRange(min = 1, max = 10_000) int cut) {
    int length = sample.length - 1 - (cut % sample.length);
    assertThat(decodes(Arrays.copyOf(sample, Math.max(0, length)))).isFalse();
  }

  @Provide
  Arbitrary<byte[]> samples() {
    return Arbitraries.of(ENCODED);
  }

  /** What decodes encodes again, and to something equal. */
  private static void requireCanonical(byte[] bytes) {
    Object value;
    try {
      value = CODEC.decode(bytes);
    } catch (InvalidRecordException e) {
      assertThat(e.code()).isNotNull();
      return;
    }
    try {
      assertThat(CODEC.decode(CODEC.encode(value))).isEqualTo(value);
    } catch (InvalidRecordException e) {
      throw new AssertionError("expected what was decoded to be accepted again: " + value, e);
    }
  }

  private static boolean decodes(byte[] bytes) {
    try {
      CODEC.decode(bytes);
      return true;
    } catch (InvalidRecordException e) {
      return false;
    }
  }
}
