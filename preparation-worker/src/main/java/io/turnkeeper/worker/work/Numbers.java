package io.turnkeeper.worker.work;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Arrays of whole numbers in a descriptor. */
final class Numbers {
  private Numbers() {}

  static List<Long> longs(JsonNode array) {
    List<Long> numbers = new ArrayList<>();
    array.forEach(number -> numbers.add(number.longValue()));
    return List.copyOf(numbers);
  }

  static List<Integer> ints(JsonNode array) {
    return longs(array).stream().map(Math::toIntExact).toList();
  }

  static long[] array(JsonNode array) {
    return longs(array).stream().mapToLong(Long::longValue).toArray();
  }

  static int[] intArray(JsonNode array) {
    return ints(array).stream().mapToInt(Integer::intValue).toArray();
  }
}
