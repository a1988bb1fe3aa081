package io.turnkeeper.events.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.policy.Backpressure;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.policy.PolicyMode;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyJsonTest {
  private static final PolicyDocument EVERYTHING =
      PolicyDocument.of(
          d -> {
            d.mode = PolicyMode.DRAIN;
            d.pool = new PoolId("big");
            d.kinds = List.of(Kind.MERGE_WAL, Kind.INDEX);
            d.prepareCompact = true;
            d.prepareIndex = false;
            d.mergeMinGenerations = 3L;
            d.mergeMinBytes = 0L;
            d.mergeMaxAgeMillis = 90_000L;
            d.mergeUrgent = 512L;
            d.mergeMaxGenerations = 32L;
            d.mergeMaxBytes = 1536L << 20;
            d.indexMinUncovered = 2L;
            d.observeAfterMillis = 1_500L;
            d.observeRescanAfterMillis = 86_400_000L;
            d.compactMinFragments = 4L;
            d.compactTargetRows = 1_000L;
            d.compactTargetBytes = 1_000L;
            d.compactMaxSourceFragments = 8L;
            d.indexes = List.of(new IndexSpec("by_id", "id", IndexType.BTREE));
            d.maxConsecutive = new TreeMap<>(Map.of(Kind.MERGE_WAL, 5L));
            d.publishTimeoutMillis = 60_000L;
            d.maxWaitMillis = new TreeMap<>(Map.of(Kind.INDEX, 3_600_000L));
            d.minIntervalMillis = new TreeMap<>(Map.of(Kind.RETIRE, 60_000L));
            d.idleTimeoutMillis = 600_000L;
            d.backpressure = Backpressure.OFF;
            d.retireAfterMillis = 1L;
            d.retireKeepVersions = 7L;
            d.retireGarbageMaxBytes = 1L << 40;
          });

  @Test
  void twoIndexesOfOneNameAreRefused() {
    String index = "{\"name\":\"a\",\"column\":\"%s\",\"type\":\"BTREE\"}";
    String both = String.format(index, "x") + "," + String.format(index, "y");
    assertThatThrownBy(() -> PolicyJson.read("{\"indexes\":[" + both + "]}"))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessageContaining("indexes: expected each name once, but 'a' comes twice");
  }

  @Test
  void aPoolIsNamedAsPoolsAre() {
    assertThatThrownBy(() -> PolicyJson.read("{\"pool\":\"a b\"}"))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessageContaining("pool: ");
  }

  @Test
  void whatIsWrittenIsReadBack() throws Exception {
    String text = PolicyJson.write(EVERYTHING);
    assertThat(PolicyJson.read(text)).isEqualTo(EVERYTHING);
    assertThat(text).contains("\"maxAge\" : \"90s\"", "\"maxBytes\" : \"1536MiB\"");
    assertThat(PolicyJson.read("{}")).isEqualTo(PolicyDocument.EMPTY);
    assertThat(PolicyJson.write(PolicyDocument.EMPTY)).isEqualTo("{ }");
  }

  @Test
  void everyFieldOfTheDocumentHasAPlace() {
    // EVERYTHING sets each component, so one without a place in JSON would be lost.
    long set = PolicyField.ALL.stream().filter(f -> f.of(EVERYTHING).isPresent()).count();
    assertThat(set).isEqualTo(PolicyDocument.class.getRecordComponents().length);
  }

  @Test
  void theSchemaAllowsExactlyTheFieldsThatAreRead() throws Exception {
    Set<String> allowed = new TreeSet<>();
    JsonNode properties = new ObjectMapper().readTree(PolicyJson.schema()).get("properties");
    properties
        .properties()
        .forEach(
            each -> {
              JsonNode inner = each.getValue().path("properties");
              if (inner.isMissingNode() || inner.has("MERGE_WAL")) {
                allowed.add(each.getKey());
              } else {
                inner.fieldNames().forEachRemaining(n -> allowed.add(each.getKey() + "." + n));
              }
            });
    assertThat(PolicyField.ALL.stream().map(PolicyField::path))
        .containsExactlyInAnyOrderElementsOf(allowed);
  }

  @Test
  void anUnknownFieldIsRefusedByName() {
    assertThatThrownBy(() -> PolicyJson.read("{\"merge\": {\"minGeneration\": 3}, \"mood\": 1}"))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessageStartingWith("BAD_POLICY: ")
        .hasMessageContaining("merge.minGeneration: unknown field")
        .hasMessageContaining("mood: unknown field");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"999999999999ms", "999999999999s", "99999999999m", "999999999h", "99999999d"})
  void theLongestTimesThatTheSchemaAllowsAreTimes(String time) throws Exception {
    assertThat(PolicyJson.read("{\"idleTimeout\": \"" + time + "\"}").idleTimeoutMillis())
        .isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"999999999999B", "999999999999KiB", "999999999MiB", "999999GiB", "7999TiB", "1B"})
  void theLargestSizesThatTheSchemaAllowsAreSizes(String size) throws Exception {
    assertThat(PolicyJson.read("{\"merge\": {\"maxBytes\": \"" + size + "\"}}").mergeMaxBytes())
        .isPositive();
  }

  @Test
  void valuesOutOfRangeAreRefusedByName() {
    assertRefused("{\"merge\": {\"urgent\": 0}}", "merge.urgent: ");
    assertRefused("{\"merge\": {\"urgent\": 9007199254740992}}", "urgent");
    assertRefused("{\"merge\": {\"maxAge\": \"soon\"}}", "merge.maxAge: ");
    assertRefused("{\"merge\": {\"maxAge\": \"0s\"}}", "maxAge");
    assertRefused("{\"idleTimeout\": \"100000000d\"}", "idleTimeout: expected a time above 0");
    assertRefused(
        "{\"merge\": {\"maxAge\": \"99999999999999999999s\"}}",
        "merge.maxAge: expected a time above 0 like 90s");
    assertRefused("{\"idleTimeout\": \"0s\"}", "idleTimeout: expected a time above 0");
    for (String size : List.of("1MB", "0B", "000TiB", "1000000GiB", "8000TiB")) {
      assertRefused(
          "{\"merge\": {\"maxBytes\": \"" + size + "\"}}",
          "merge.maxBytes: expected a size above 0 like 64MiB");
    }
    assertRefused(
        "{\"merge\": {\"minBytes\": \"1MB\"}}", "merge.minBytes: expected a size like 64MiB");
    assertRefused(
        "{\"maxWait\": {\"INDEX\": \"999999999999d\"}}", "maxWait.INDEX: expected a time above 0");
    assertRefused("{\"mode\": \"active\"}", "but it is \"active\"");
    assertRefused("{\"kinds\": [\"VACUUM\"]}", "kinds");
    assertRefused("{\"maxWait\": {\"VACUUM\": \"1s\"}}", "VACUUM");
    assertRefused("{\"indexes\": [{\"name\": \"a\", \"column\": \"b\"}]}", "indexes[0]: ");
  }

  @Test
  void whatIsNotOneObjectIsRefused() {
    assertRefused("", "expected one JSON object, but there is nothing");
    assertRefused("[]", "expected one JSON object, but there is a list");
    assertRefused("   ", "there is nothing");
    assertRefused("7", "a single value");
    assertRefused("{} {}", "something follows it at line 1, column 4");
    assertRefused("{\n  \"mode\": ACTIVE}", "not JSON at line 2, column ");
    assertRefused("{\"mode\"", "not JSON at line 1");
    assertRefused("{\"mode\": \"ACTIVE\", \"mode\": \"DRAIN\"}", "Duplicate");
  }

  @Test
  void differencesNameFieldAndBothValues() {
    PolicyDocument other = PolicyDocument.of(d -> d.mergeUrgent = 512L);
    assertThat(PolicyJson.differences(PolicyDocument.EMPTY, other))
        .containsExactly("merge.urgent: inherited -> 512");
    assertThat(PolicyJson.differences(EVERYTHING, EVERYTHING)).isEmpty();
  }

  private static void assertRefused(String text, String reason) {
    assertThatThrownBy(() -> PolicyJson.read(text))
        .as(text)
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessageContaining(reason)
        .message()
        .doesNotContain("Exception", "java", "jackson", "overflow", "unknown found", "REDACTED")
        .doesNotContainPattern("(^|[ :])/");
  }
}
