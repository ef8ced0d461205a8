package dev.penstock.report;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.Tensor;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Plan;
import dev.penstock.split.Shuffle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// Samples where a shuffle sends rows, by an epoch of the rows' numbers alone.
final class OrderPass {
  private static final long ROWS_MAX = 10_000_000;
  private static final String ROW = "row of the report";

  private OrderPass() {}

  /// Returns a sample of an epoch's order; empty where rows are not shuffled, or columns would have
  /// to be read for it.
  static Optional<OrderSample> sample(DataLoader loader, Plan plan) {
    StructuredDataset dataset = loader.dataset();
    LoaderOptions options = loader.options();
    boolean isPlain =
        dataset.mixture().isEmpty()
            && dataset.filter().isEmpty()
            && options.batching().composition().isEmpty()
            && options.transformation().keepsRows();
    if (!isPlain || options.order().shuffle().equals(Shuffle.none()) || plan.rows() > ROWS_MAX) {
      return Optional.empty();
    }
    LoaderOptions rows =
        LoaderOptions.defaults()
            .batchSize(8_192)
            .workers(0)
            .shuffle(options.order().shuffle())
            .seed(options.order().seed())
            .rankEnd(options.rankShare().end())
            .output(OutputFormat.TENSOR);
    if (options.rankShare().rank().isPresent()) {
      rows = rows.rank(options.rankShare().rank().get());
    }
    List<Long> delivered = new ArrayList<>();
    List<Long> inFiles = new ArrayList<>();
    long every = Math.max(1, Math.ceilDiv(plan.rows(), OrderSample.ROWS_MAX));
    long place = 0;
    try (DataLoader numbers = DataLoader.of(dataset.rowIndex(ROW).columns(ROW), rows)) {
      numbers.setEpoch(plan.epoch());
      for (Batch batch : numbers) {
        try (batch) {
          Tensor row = batch.tensor(ROW);
          for (int i = 0; i < batch.rowCount(); i++, place++) {
            if (place % every == 0) {
              delivered.add(place);
              inFiles.add(row.getLong(i));
            }
          }
        }
      }
    }
    return Optional.of(
        new OrderSample(place, delivered, inFiles, OptionalDouble.empty(), Optional.empty()));
  }
}
