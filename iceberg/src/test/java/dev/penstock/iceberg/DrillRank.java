package dev.penstock.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.options.LoaderOptions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A rank of a training that may be killed: it takes steps, and keeps its state after every few of
/// them.
final class DrillRank {
  private DrillRank() {}

  /// What a rank had when it was killed.
  ///
  /// @param steps the ids of the rows of each step
  /// @param saved its states; null after steps that it did not save after
  record Left(List<List<Long>> steps, List<@Nullable String> saved) {
    /// Returns its state after a number of steps.
    ///
    /// @return JSON; null if there is none
    @Nullable String savedAfter(int count) {
      return count < saved.size() ? saved.get(count) : null;
    }
  }

  /// Trains until the rank is killed, or the epoch ends.
  ///
  /// @param every after how many steps it saves
  /// @param most the last step, behind which it is killed
  static Left train(
      StructuredDataset dataset,
      LoaderOptions options,
      @Nullable LoaderState from,
      int every,
      int most) {
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      if (from != null) {
        loader.resume(from);
      }
      EpochIterator<Batch> epoch = loader.iterator(); // left open, as by a rank that is killed
      Left left = new Left(new ArrayList<>(), new ArrayList<>());
      left.saved.add(loader.state().toJson());
      while (left.steps.size() < most && epoch.hasNext()) {
        left.steps.add(step(epoch));
        left.saved.add(left.steps.size() % every == 0 ? loader.state().toJson() : null);
      }
      return left;
    }
  }

  /// Takes a step.
  private static List<Long> step(EpochIterator<Batch> epoch) {
    List<Long> ids = new ArrayList<>();
    try (Batch batch = epoch.next()) {
      for (int row = 0; row < batch.rowCount(); row++) {
        long id = batch.tensor("id").getLong(row);
        assertThat(batch.tensor("pick").getLong(row)).isEqualTo(DrillTables.pick(id));
        ids.add(id);
      }
    }
    return ids;
  }
}
