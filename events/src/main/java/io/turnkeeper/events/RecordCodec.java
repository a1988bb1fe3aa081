package io.turnkeeper.events;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.message.SchemaStore;
import org.jspecify.annotations.Nullable;

/**
 * Turns the core's records into bytes and back: Avro single-object encoding, with every released
 * schema compiled in. Thread-safe.
 */
public final class RecordCodec {
  static {
    AvroLimits.apply();
  }

  private final Catalogue catalogue;

  /** What bytes with one fingerprint are. */
  private record Writing(WireType type, Schema writer) {}

  /** Every record matched with its schemas. */
  private record Catalogue(Map<Class<?>, WireType> byType, Map<Long, Writing> byFingerprint) {
    static Catalogue of(
        List<Class<?>> types,
        SealedFamilies families,
        Function<String, Schema> current,
        Function<String, List<Schema>> released) {
      Map<Class<?>, WireType> byType = new HashMap<>();
      Map<Long, Writing> byFingerprint = new HashMap<>();
      ShapeCompiler compiler = new ShapeCompiler(families);
      for (Class<?> type : types) {
        Schema schema = current.apply(type.getSimpleName());
        long fingerprint = SchemaNormalization.parsingFingerprint64(schema);
        WireType wireType =
            new WireType(
                type,
                schema,
                fingerprint,
                compiler.compile(type, schema),
                WireTypes.maxBytes(type));
        byType.put(type, wireType);
        for (Schema old : released.apply(type.getSimpleName())) {
          byFingerprint.put(
              SchemaNormalization.parsingFingerprint64(old), new Writing(wireType, old));
        }
        // Last, so that bytes of the current version take the short way.
        byFingerprint.put(fingerprint, new Writing(wireType, schema));
      }
      return new Catalogue(byType, byFingerprint);
    }
  }

  /** Made once for each process, since that takes some hundred milliseconds at its start. */
  private static final class ThisVersion {
    static final Catalogue CATALOGUE =
        Catalogue.of(
            WireTypes.all(), WireTypes.FAMILIES, ReleasedSchemas::current, ReleasedSchemas::of);
  }

  /** For the records of this version. */
  public RecordCodec() {
    this.catalogue = ThisVersion.CATALOGUE;
  }

  /**
   * Matches every record with its schema.
   *
   * @throws IllegalStateException naming the place where a record and its schema disagree
   */
  RecordCodec(
      List<Class<?>> types,
      SealedFamilies families,
      Function<String, Schema> current,
      Function<String, List<Schema>> released) {
    this.catalogue = Catalogue.of(types, families, current, released);
  }

  /**
   * The bytes of a record.
   *
   * @throws IllegalArgumentException if records of this class do not travel on their own, or if it
   *     is too large
   */
  public byte[] encode(Object value) {
    return typeOf(value).encode(value);
  }

  /**
   * The bytes of a record, given those of one of its components, which spares writing it again.
   *
   * @param component the very object that is a component of {@code value}
   * @param known its encoding; only used if it was made under the current schema
   * @throws IllegalArgumentException as {@link #encode(Object)} does, for either of them
   */
  public byte[] encode(Object value, Object component, byte[] known) {
    return typeOf(value).encode(value, component, typeOf(component), known);
  }

  private WireType typeOf(Object value) {
    WireType type = catalogue.byType.get(value.getClass());
    if (type == null) {
      throw new IllegalArgumentException(
          "expected a record that travels on its own, but it is a " + value.getClass().getName());
    }
    return type;
  }

  /**
   * The record that the bytes are.
   *
   * @throws InvalidRecordException if they are none, or none that the rules accept
   */
  public Object decode(byte[] bytes) throws InvalidRecordException {
    long fingerprint = SingleObject.fingerprint(bytes);
    Writing writing = catalogue.byFingerprint.get(fingerprint);
    if (writing == null) {
      throw new InvalidRecordException(
          InvalidRecordException.Code.UNKNOWN_SCHEMA,
          String.format(
              "expected a schema known to this version, but the fingerprint is %016x",
              fingerprint));
    }
    return writing.type().decode(bytes, writing.writer());
  }

  /**
   * The record that the bytes are, if it is a {@code T}.
   *
   * @throws InvalidRecordException if they are none, or of another type
   */
  public <T> T decode(byte[] bytes, Class<T> type) throws InvalidRecordException {
    Object value = decode(bytes);
    if (!type.isInstance(value)) {
      throw new InvalidRecordException(
          InvalidRecordException.Code.UNEXPECTED_TYPE,
          "expected a "
              + type.getSimpleName()
              + ", but it is a "
              + value.getClass().getSimpleName());
    }
    return type.cast(value);
  }

  /** Every schema this codec reads, for tools that decode without it. */
  public SchemaStore schemaStore() {
    return this::schemaOf;
  }

  @SuppressWarnings("NullAway") // SchemaStore returns null for an unknown fingerprint.
  private Schema schemaOf(long fingerprint) {
    @Nullable Writing writing = catalogue.byFingerprint.get(fingerprint);
    return writing == null ? null : writing.writer();
  }
}
