package io.turnkeeper.events;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Matches Java records with schemas, once, and says exactly where they disagree. The rules: a
 * record is the Avro record of the same simple name and the same field names; a record whose only
 * component is {@code value} is that value; a component that may be null is a union with null; a
 * sealed interface is a union of its records.
 */
final class ShapeCompiler {
  private final SealedFamilies families;
  private final Map<Class<?>, Compiled> records = new HashMap<>();

  private record Compiled(Schema schema, RecordShape shape) {}

  ShapeCompiler(SealedFamilies families) {
    this.families = families;
  }

  /**
   * The shape of a record.
   *
   * @throws IllegalStateException naming the place where record and schema disagree
   */
  RecordShape compile(Class<?> type, Schema schema) {
    return record(type.getSimpleName(), type, schema);
  }

  private Shape shape(String where, AnnotatedType type, Schema schema) {
    Class<?> raw = rawType(type);
    if (families.isFamily(raw)) {
      return union(where, raw, isNullable(type), schema);
    }
    if (!isNullable(type)) {
      return present(where, type, raw, schema);
    }
    if (!schema.isUnion() || schema.getTypes().size() != 2 || !schema.isNullable()) {
      throw disagree(
          where, "a union of null and one type, since the component may be null", schema);
    }
    int nullPosition = schema.getTypes().get(0).getType() == Schema.Type.NULL ? 0 : 1;
    Schema other = schema.getTypes().get(1 - nullPosition);
    return new NullableShape(nullPosition, present(where, type, raw, other));
  }

  private Shape present(String where, AnnotatedType type, Class<?> raw, Schema schema) {
    Scalar scalar = Scalar.of(raw);
    if (scalar != null) {
      require(where, schema, scalar.avroType());
      return scalar;
    }
    if (raw.isEnum()) {
      return enumeration(where, raw, schema);
    }
    if (raw == List.class) {
      require(where, schema, Schema.Type.ARRAY);
      return new ListShape(shape(where + "[]", argument(type, 0), schema.getElementType()));
    }
    if (raw == SortedMap.class) {
      require(where, schema, Schema.Type.MAP);
      MapKey key = key(where, rawType(argument(type, 0)));
      return new MapShape(key, shape(where + "{}", argument(type, 1), schema.getValueType()));
    }
    if (isValue(raw)) {
      RecordComponent value = raw.getRecordComponents()[0];
      Shape shape = shape(where, value.getAnnotatedType(), schema);
      return recordOf(raw, List.of(new RecordShape.Field(shape, 0)));
    }
    if (raw.isRecord()) {
      return record(where, raw, schema);
    }
    throw new IllegalStateException(
        "expected a type with a shape at "
            + where
            + " (a record, an enum, a sealed interface, List, SortedMap, int, long, double, boolean"
            + " or String), but it is "
            + raw.getName());
  }

  private RecordShape record(String where, Class<?> type, Schema schema) {
    require(where, schema, Schema.Type.RECORD);
    if (!schema.getName().equals(type.getSimpleName())) {
      throw disagree(where, "the record " + type.getSimpleName(), schema);
    }
    Compiled known = records.get(type);
    if (known == null) {
      known = new Compiled(schema, fields(type, schema));
      records.put(type, known);
    } else if (!known.schema().equals(schema)) {
      throw disagree(where, "the same " + type.getSimpleName() + " everywhere", schema);
    }
    return known.shape();
  }

  private RecordShape fields(Class<?> type, Schema schema) {
    Map<String, Integer> arguments = new TreeMap<>();
    RecordComponent[] components = type.getRecordComponents();
    for (int i = 0; i < components.length; i++) {
      arguments.put(components[i].getName(), i);
      if (schema.getField(components[i].getName()) == null) {
        throw new IllegalStateException(
            "expected the schema of "
                + type.getSimpleName()
                + " to have a field "
                + components[i].getName()
                + ", as the Java record has, but it has none");
      }
    }
    List<RecordShape.Field> fields = new ArrayList<>();
    for (Schema.Field field : schema.getFields()) {
      Integer argument = arguments.get(field.name());
      if (argument == null) {
        throw new IllegalStateException(
            "expected the Java record "
                + type.getName()
                + " to have a component "
                + field.name()
                + ", as its schema has, but it has none");
      }
      RecordComponent component = components[argument];
      String where = type.getSimpleName() + "." + field.name();
      Shape shape = shape(where, component.getAnnotatedType(), field.schema());
      fields.add(new RecordShape.Field(shape, argument));
    }
    return recordOf(type, fields);
  }

  private static RecordShape recordOf(Class<?> type, List<RecordShape.Field> fields) {
    return new RecordShape(
        Handles.components(type), Handles.constructor(type), List.copyOf(fields));
  }

  private Shape union(String where, Class<?> family, boolean nullable, Schema schema) {
    require(where, schema, Schema.Type.UNION);
    if (nullable != schema.isNullable()) {
      throw disagree(where, nullable ? "a union with null" : "a union without null", schema);
    }
    Map<String, Class<?>> missing = new TreeMap<>();
    for (Class<?> record : families.recordsOf(family)) {
      missing.put(record.getSimpleName(), record);
    }
    List<Shape> branches = new ArrayList<>();
    Map<Class<?>, Integer> positions = new HashMap<>();
    int nullPosition = -1;
    for (Schema branch : schema.getTypes()) {
      if (branch.getType() == Schema.Type.NULL) {
        nullPosition = branches.size();
        branches.add(UnionShape.NULL);
        continue;
      }
      Class<?> record = missing.remove(branch.getName());
      if (record == null) {
        throw disagree(where, "only records of " + family.getName(), branch);
      }
      positions.put(record, branches.size());
      branches.add(record(where, record, branch));
    }
    if (!missing.isEmpty()) {
      throw new IllegalStateException(
          "expected every record of "
              + family.getName()
              + " in the union at "
              + where
              + ", but the schema lacks "
              + missing.keySet());
    }
    return new UnionShape(
        family.getSimpleName(), List.copyOf(branches), Map.copyOf(positions), nullPosition);
  }

  private static Shape enumeration(String where, Class<?> type, Schema schema) {
    require(where, schema, Schema.Type.ENUM);
    Object[] constants = type.getEnumConstants();
    if (!schema.getName().equals(type.getSimpleName())
        || schema.getEnumSymbols().size() != constants.length) {
      throw disagree(where, "the constants of " + type.getName(), schema);
    }
    Map<Object, Integer> positions = new HashMap<>();
    for (Object constant : constants) {
      String name = ((Enum<?>) constant).name();
      if (!schema.hasEnumSymbol(name)) {
        throw disagree(where, "the symbol " + name, schema);
      }
      positions.put(constant, schema.getEnumOrdinal(name));
    }
    List<Object> inOrder = new ArrayList<>(positions.keySet());
    inOrder.sort(Comparator.comparing(positions::get));
    return new EnumShape(type.getSimpleName(), List.copyOf(inOrder), Map.copyOf(positions));
  }

  private static MapKey key(String where, Class<?> type) {
    if (type == String.class) {
      return MapKey.STRING;
    }
    if (type == Long.class) {
      return MapKey.LONG;
    }
    if (type.isEnum()) {
      return new MapKey.OfEnum(type);
    }
    if (isValue(type) && Comparable.class.isAssignableFrom(type)) {
      RecordComponent value = type.getRecordComponents()[0];
      return new MapKey.OfValue(
          key(where, boxed(value.getType())),
          Handles.accessor(type, value),
          Handles.constructor(type));
    }
    throw new IllegalStateException(
        "expected keys at "
            + where
            + " that are String, Long, an enum or a comparable record around one of these, but they"
            + " are "
            + type.getName());
  }

  private static Class<?> boxed(Class<?> type) {
    return type == long.class ? Long.class : type;
  }

  private static boolean isValue(Class<?> type) {
    return type.isRecord()
        && type.getRecordComponents().length == 1
        && type.getRecordComponents()[0].getName().equals("value");
  }

  private static boolean isNullable(AnnotatedType type) {
    return type.isAnnotationPresent(Nullable.class);
  }

  private static AnnotatedType argument(AnnotatedType type, int position) {
    return ((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments()[position];
  }

  private static Class<?> rawType(AnnotatedType type) {
    return type.getType() instanceof ParameterizedType parameterized
        ? (Class<?>) parameterized.getRawType()
        : (Class<?>) type.getType();
  }

  private static void require(String where, Schema schema, Schema.Type expected) {
    if (schema.getType() != expected) {
      throw disagree(where, "Avro's " + expected.getName(), schema);
    }
  }

  private static IllegalStateException disagree(String where, String expected, Schema schema) {
    String name = schema.isUnion() ? "union of " + schema.getTypes().size() : schema.getFullName();
    return new IllegalStateException(
        "expected " + expected + " at " + where + ", but the schema has " + name);
  }
}
