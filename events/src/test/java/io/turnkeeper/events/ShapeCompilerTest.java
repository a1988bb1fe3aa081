package io.turnkeeper.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.turnkeeper.core.table.IndexType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A schema and a record that disagree stop the start, with the place. */
class ShapeCompilerTest {
  record Name(String value) implements Comparable<Name> {
    @Override
    public int compareTo(Name other) {
      return value.compareTo(other.value);
    }
  }

  record Rank(long value) implements Comparable<Rank> {
    @Override
    public int compareTo(Rank other) {
      return Long.compare(value, other.value);
    }
  }

  sealed interface Choice {}

  record Yes(String why) implements Choice {}

  record No() implements Choice {}

  record Small(Name name, int count, @Nullable Long size) {}

  record Big(Choice choice, @Nullable Choice other, List<@Nullable String> notes) {}

  record Keys(
      SortedMap<Name, Long> byName,
      SortedMap<Rank, Boolean> byRank,
      SortedMap<Long, Double> byLong,
      SortedMap<IndexType, Integer> byEnum) {}

  private static final String SMALL =
      "{'type':'record','name':'Small','fields':[{'name':'name','type':'string'},"
          + "{'name':'count','type':'int'},{'name':'size','type':['null','long']}]}";
  private static final String YES =
      "{'type':'record','name':'Yes','fields':[{'name':'why','type':'string'}]}";
  private static final String NO = "{'type':'record','name':'No','fields':[]}";
  private static final String BIG =
      "{'type':'record','name':'Big','fields':[{'name':'choice','type':["
          + YES
          + ","
          + NO
          + "]},{'name':'other','type':['null','No','Yes']},"
          + "{'name':'notes','type':{'type':'array','items':['string','null']}}]}";
  private static final String KEYS =
      "{'type':'record','name':'Keys','fields':["
          + "{'name':'byName','type':{'type':'map','values':'long'}},"
          + "{'name':'byRank','type':{'type':'map','values':'boolean'}},"
          + "{'name':'byLong','type':{'type':'map','values':'double'}},"
          + "{'name':'byEnum','type':{'type':'map','values':'int'}}]}";

  @Test
  void everyShapeComesBack() throws Exception {
    requireSame(SMALL, new Small(new Name("n"), 3, null));
    requireSame(SMALL, new Small(new Name("n"), -3, Long.MIN_VALUE));
    requireSame(BIG, new Big(new No(), null, Arrays.asList("a", null)));
    requireSame(BIG, new Big(new Yes("why not"), new No(), List.of()));
    requireSame(
        KEYS,
        new Keys(
            new TreeMap<>(Map.of(new Name("z"), 1L, new Name("a"), 2L)),
            new TreeMap<>(Map.of(new Rank(10), true, new Rank(9), false)),
            new TreeMap<>(Map.of(-5L, 0.5, 12L, Double.NaN)),
            new TreeMap<>(Map.of(IndexType.BTREE, 1))));
  }

  private static void requireSame(String schema, Record value) throws Exception {
    RecordCodec codec = codec(value.getClass(), schema, List.of());

    assertThat(codec.decode(codec.encode(value))).isEqualTo(value);
  }

  @Test
  void whatIsMissingOnOneSideIsNamed() {
    requireFault(
        Small.class,
        SMALL.replace(",{'name':'size','type':['null','long']}", ""),
        "expected the schema of Small to have a field size");
    requireFault(
        Small.class,
        SMALL.replace("]}]}", "]},{'name':'more','type':'int'}]}"),
        "Small to have a component more, as its schema has, but it has none");
  }

  @Test
  void anotherTypeIsNamedWithItsPlace() {
    requireFault(
        Small.class,
        SMALL.replace("'count','type':'int'", "'count','type':'long'"),
        "expected Avro's int at Small.count, but the schema has long");
    requireFault(
        Small.class,
        SMALL.replace("['null','long']", "'long'"),
        "expected a union of null and one type, since the component may be null at Small.size");
    requireFault(
        Small.class,
        SMALL.replace("'name':'name','type':'string'", "'name':'name','type':['null','string']"),
        "expected Avro's string at Small.name, but the schema has union of 2");
  }

  @Test
  void aForgottenBranchIsNamed() {
    requireFault(
        Big.class,
        BIG.replace(YES + "," + NO, YES).replace("['null','No','Yes']", "['null','Yes']"),
        "in the union at Big.choice, but the schema lacks [No]");
    requireFault(
        Big.class,
        BIG.replace("['null','No','Yes']", "['No','Yes']"),
        "expected a union with null at Big.other");
  }

  @Test
  void anEnumMustHaveTheSameConstants() {
    record Typed(IndexType type) {}
    requireFault(
        Typed.class,
        "{'type':'record','name':'Typed','fields':[{'name':'type','type':"
            + "{'type':'enum','name':'IndexType','symbols':['BTREE']}}]}",
        "expected the constants of io.turnkeeper.core.table.IndexType at Typed.type");
  }

  @Test
  void aTypeWithoutShapeIsNamed() {
    record Odd(float f) {}
    requireFault(
        Odd.class,
        "{'type':'record','name':'Odd','fields':[{'name':'f','type':'float'}]}",
        "expected a type with a shape at Odd.f");
  }

  @Test
  void aRecordWithoutContractIsNamed() {
    Function<String, List<Schema>> none = name -> List.of();
    assertThatThrownBy(
            () ->
                new RecordCodec(
                    List.of(Small.class),
                    new SealedFamilies(Map.of()),
                    ReleasedSchemas::current,
                    none))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("expected an Avro record Small in schemas/src/main/avro, but there is none");
  }

  @Test
  void olderBytesAreReadUnderTheCurrentSchema() throws Exception {
    String current = SMALL.replace("['null','long']}", "['null','long'],'default':null}");
    String old = SMALL.replace(",{'name':'size','type':['null','long']}", "");
    RecordCodec codec = codec(Small.class, current, List.of(parse(old)));
    long fingerprint = SchemaNormalization.parsingFingerprint64(parse(old));
    byte[] payload = {2, 'n', 6};
    byte[] bytes = Arrays.copyOf(SingleObject.header(fingerprint), 13);
    System.arraycopy(payload, 0, bytes, SingleObject.HEADER_BYTES, payload.length);

    assertThat(codec.decode(bytes)).isEqualTo(new Small(new Name("n"), 3, null));
    for (int length : new int[] {12, 14}) {
      byte[] broken = Arrays.copyOf(bytes, length);
      assertThat(catchThrowableOfType(InvalidRecordException.class, () -> codec.decode(broken)))
          .isNotNull();
    }
  }

  @Test
  void aKeyThatComesTwiceIsRefused() throws Exception {
    record Labels(SortedMap<String, Boolean> labels) {}
    String schema =
        "{'type':'record','name':'Labels','fields':[{'name':'labels','type':"
            + "{'type':'map','values':'boolean'}}]}";
    RecordCodec codec = codec(Labels.class, schema, List.of());
    byte[] once = codec.encode(new Labels(new TreeMap<>(Map.of("a", true, "b", true))));
    byte[] twice = once.clone();
    twice[SingleObject.HEADER_BYTES + 5] = 'a';

    assertThatThrownBy(() -> codec.decode(twice))
        .isInstanceOf(InvalidRecordException.class)
        .hasMessageContaining("'a' comes twice");
  }

  private static void requireFault(Class<?> type, String schema, String message) {
    assertThatThrownBy(() -> codec(type, schema, List.of()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(message);
  }

  private static RecordCodec codec(Class<?> type, String schema, List<Schema> released) {
    return new RecordCodec(
        List.of(type), new SealedFamilies(Map.of()), name -> parse(schema), name -> released);
  }

  private static Schema parse(String schema) {
    return new Schema.Parser().parse(schema.replace('\'', '"'));
  }
}
