package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.split.Rank;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/// What ranks deliver together.
final class TogetherRanks {
  private TogetherRanks() {}

  /// Asserts that two to four ranks together have the rows of one, in its order, and that each has
  /// as many batches, which is known before.
  ///
  /// @param loader makes the loader of a rank
  /// @param batches reads the rows of each batch of an epoch
  static <T> void assertHaveTheRowsOfOne(
      Random random,
      Function<Rank, DataLoader> loader,
      Function<DataLoader, List<List<T>>> batches) {
    List<T> one = new ArrayList<>();
    try (DataLoader alone = loader.apply(Rank.SINGLE)) {
      batches.apply(alone).forEach(one::addAll);
    }
    int world = 2 + random.nextInt(3);
    List<T> together = new ArrayList<>();
    List<Long> counts = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      try (DataLoader own = loader.apply(new Rank(rank, world))) {
        List<List<T>> delivered = batches.apply(own);
        counts.add((long) delivered.size());
        counts.add(own.batchesPerEpoch());
        delivered.forEach(together::addAll);
      }
    }
    assertThat(together).isEqualTo(one);
    assertThat(counts.stream().distinct()).as("%s", counts).hasSize(1);
  }
}
