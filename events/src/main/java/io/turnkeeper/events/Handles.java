package io.turnkeeper.events;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The accessors and the constructor of a record, as handles; records may be package-private. */
final class Handles {
  private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);
  private static final MethodType COMPONENTS = MethodType.methodType(Object[].class, Object.class);
  private static final MethodType CONSTRUCTOR = MethodType.methodType(Object.class, Object[].class);

  private Handles() {}

  static MethodHandle accessor(Class<?> type, RecordComponent component) {
    try {
      return lookup(type).unreflect(component.getAccessor()).asType(GETTER);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("expected access to " + type, e);
    }
  }

  /**
   * Takes all components of a record at once, in the order of its constructor's arguments: one call
   * that is compiled as a whole instead of one for each component.
   */
  static MethodHandle components(Class<?> type) {
    MethodHandle[] accessors =
        Arrays.stream(type.getRecordComponents())
            .map(component -> accessor(type, component))
            .toArray(MethodHandle[]::new);
    MethodHandle all =
        MethodHandles.identity(Object[].class).asCollector(Object[].class, accessors.length);
    return MethodHandles.permuteArguments(
        MethodHandles.filterArguments(all, 0, accessors), COMPONENTS, new int[accessors.length]);
  }

  static MethodHandle constructor(Class<?> type) {
    Class<?>[] parameters =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      return lookup(type)
          .findConstructor(type, MethodType.methodType(void.class, parameters))
          .asSpreader(Object[].class, parameters.length)
          .asType(CONSTRUCTOR);
    } catch (NoSuchMethodException | IllegalAccessException e) {
      throw new IllegalStateException("expected access to the constructor of " + type, e);
    }
  }

  private static MethodHandles.Lookup lookup(Class<?> type) throws IllegalAccessException {
    return MethodHandles.privateLookupIn(type, MethodHandles.lookup());
  }

  @SuppressWarnings("NullAway") // A handle's result has no nullness; the schema decides.
  static Object get(MethodHandle accessor, Object record) {
    try {
      return (Object) accessor.invokeExact(record);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("expected an accessor without checked exceptions", e);
    }
  }

  /** What {@link #components} takes from a record. */
  static @Nullable Object[] all(MethodHandle components, Object record) {
    try {
      return (Object[]) components.invokeExact(record);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("expected accessors without checked exceptions", e);
    }
  }

  /**
   * Makes a record, running the checks of its constructor.
   *
   * @throws InvalidRecordException with what the constructor says about a value
   */
  static Object construct(MethodHandle constructor, @Nullable Object[] values)
      throws InvalidRecordException {
    try {
      return (Object) constructor.invokeExact(values);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new InvalidRecordException(
          InvalidRecordException.Code.OUT_OF_RANGE, String.valueOf(e.getMessage()), e);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("expected a constructor without checked exceptions", e);
    }
  }
}
