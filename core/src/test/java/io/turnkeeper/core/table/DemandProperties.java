package io.turnkeeper.core.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Now;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class DemandProperties {
  private static final TableId TABLE = new TableId("t");

  @Property
  void immuneTo61FoldingIsIdempotentAndOrderFree(
      @ForAll("demandLogs") List<WalSealed> log, @ForAll Random random) {
    TableState once = fold(log);
    List<WalSealed> shuffled = new ArrayList<>(log);
    shuffled.addAll(log.subList(0, log.size() / 2));
    Collections.shuffle(shuffled, random);
    assertThat(fold(shuffled)).isEqualTo(once);
    List<WalSealed> someThenTheRest = new ArrayList<>(log);
    someThenTheRest.removeIf(event -> random.nextBoolean());
    someThenTheRest.addAll(shuffled);
    assertThat(fold(someThenTheRest)).isEqualTo(once);
  }

  @Property
  void immuneTo66MergingBeforeOrAfterTheNewsIsTheSame(
      @ForAll("demandLogs") List<WalSealed> log, @ForAll("marks") long merged) {
    TableState before = mergedTo(registered(), merged);
    for (WalSealed event : log) {
      before = event.applyTo(before, new Now(1, 1));
    }
    TableState after = mergedTo(fold(log), merged);
    assertThat(before).isEqualTo(after);
  }

  @Property
  void nothingIsEverNegative(
      @ForAll("demandLogs") List<WalSealed> log, @ForAll("marks") long merged) {
    for (Shard shard : mergedTo(fold(log), merged).shards().values()) {
      assertThat(shard.pending()).isNotNegative();
      assertThat(shard.pendingBytes()).isNotNegative();
    }
  }

  private static TableState registered() {
    return new TableRegistered(
            TABLE, 1, "/tables/t", "/wal/t", List.of(), MergeMode.APPEND, List.of())
        .applyTo(TableState.unknown(TABLE), new Now(1, 1));
  }

  private static TableState fold(List<WalSealed> log) {
    TableState state = registered();
    for (WalSealed event : log) {
      state = event.applyTo(state, new Now(1, 1));
    }
    return state;
  }

  private static TableState mergedTo(TableState state, long generation) {
    TableState after = state;
    for (String name : List.of("a", "b")) {
      ShardId id = new ShardId(name);
      after = after.withShard(id, after.shard(id).mergedTo(generation));
    }
    return after;
  }

  /** Two shards, three epochs, both sources; bytes and time follow from the generation. */
  @Provide
  Arbitrary<List<WalSealed>> demandLogs() {
    Arbitrary<WalSealed> event =
        Combinators.combine(
                Arbitraries.of("a", "b"),
                Arbitraries.longs().between(1, 3),
                Arbitraries.longs().between(1, 60),
                Arbitraries.longs().between(0, 5),
                Arbitraries.of(SealSource.values()))
            .as(
                (shard, epoch, generation, late, source) ->
                    new WalSealed(
                        TABLE,
                        1,
                        new ShardId(shard),
                        epoch,
                        generation,
                        generation * 100,
                        generation * 10,
                        generation * 1_000 + late,
                        source));
    return event.list().ofMaxSize(80);
  }

  @Provide
  Arbitrary<Long> marks() {
    return Arbitraries.longs().between(0, 70);
  }
}
