package dev.penstock.score;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.batch.NullPolicy;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import java.util.List;

/// The rows of a table in file order, and what tells them from those of another: the state of a
/// loader of the keys, which knows nothing of how rows are read and scored.
record PlannedRows(long count, String state) {
  static PlannedRows of(Scorer scorer) {
    try (DataLoader loader = loader(scorer, scorer.keys)) {
      return new PlannedRows(loader.plan(0).withoutPruned().rows(), loader.state().toJson());
    }
  }

  private static DataLoader loader(Scorer scorer, List<String> keys) {
    return DataLoader.of(
        keys.isEmpty() ? scorer.dataset : scorer.dataset.columns(keys),
        LoaderOptions.defaults()
            .workers(1)
            .rank(Rank.SINGLE)
            .nulls(NullPolicy.mask())
            .countMatches(false));
  }

  /// Checks that a table's rows are those of a job.
  ///
  /// @throws IllegalArgumentException if not; the message says what differs
  static void requireSame(Scorer scorer, Job job) {
    try (DataLoader loader = loader(scorer, job.keys())) {
      loader.resume(LoaderState.parse(job.plan()));
      loader.iterator().close();
    }
  }
}
