package dev.penstock.cli.measure;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderOptions;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.Tensor;
import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.Progress;
import dev.penstock.cli.output.Step;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Measures how epochs are shuffled, each in a separate pass that reads one column.
///
/// The order of an epoch does not depend on the columns that are read. So the pass sees the epoch's
/// rows in the same batches, and the epoch's digests, times and states are not affected by the
/// pass.
public final class ShufflePass implements AutoCloseable {
  private final DataLoader measured;
  private final Optional<String> label;
  private final DataLoader loader;

  /// Makes the pass.
  ///
  /// @param measured the loader whose epochs are measured
  /// @param label the column of labels; empty for none
  /// @throws IllegalArgumentException if it does not exist or has an unsuitable type
  public ShufflePass(DataLoader measured, Optional<String> label) {
    this.measured = measured;
    this.label = label;
    StructuredDataset dataset = measured.dataset();
    StructuredDataset column = dataset.columns(label.orElseGet(() -> cheapest(dataset)));
    if (label.isPresent()) {
      RowPlaces.requireLabels(column.schema().fields().getFirst());
    }
    LoaderOptions options =
        measured
            .options()
            .nulls(NullPolicy.nan()) // a fill value might not fit, and there are no nulls
            .transform(new RowPlaces(dataset.files(), label.isPresent()));
    this.loader = new DataLoader(column, options);
  }

  /// Returns a column that is cheap to read: the narrowest column of numbers, else the first
  /// column.
  private static String cheapest(StructuredDataset dataset) {
    return dataset.schema().fields().stream()
        .filter(field -> field.type() instanceof DataType.Bool || field.type().byteWidth() > 0)
        .min(Comparator.comparingInt(field -> field.type().byteWidth()))
        .or(() -> dataset.schema().fields().stream().findFirst())
        .map(Field::name)
        .orElseThrow();
  }

  /// Measures an epoch.
  ///
  /// @param epoch its number
  /// @param name its name while it runs
  /// @param rows its number of rows before the filter
  /// @param progress shows how far it is
  /// @return the report of the epoch
  /// @throws IllegalArgumentException if the column of labels has too many values
  public ShuffleReport measure(long epoch, String name, long rows, Progress progress) {
    RankCorrelation correlation = new RankCorrelation();
    Optional<LabelEntropy> entropy = label.map(_ -> new LabelEntropy(RowPlaces.LABELS_MAX));
    long batchesMax = batchesMax();
    long start = System.nanoTime();
    loader.setEpoch(epoch);
    try (EpochIterator<Batch> batches = loader.iterator()) {
      for (long i = 0; i < batchesMax && batches.hasNext(); i++) {
        try (Batch batch = batches.next()) {
          addPlaces(batch, correlation);
          entropy.ifPresent(each -> addLabels(batch, each));
        }
        progress.update(() ->
            new Step(
                name + ", its shuffle",
                "row",
                0,
                correlation.rows(),
                rows,
                System.nanoTime() - start,
                List.of()));
      }
    }
    progress.clear();
    return ShuffleReport.of(
        epoch,
        correlation,
        entropy.map(each -> ShuffleReport.Labels.of(label.orElseThrow(), each)));
  }

  /// Returns the epoch's number of batches, if known beforehand. With this pass's transform it is
  /// not known, and one of several ranks that drops a short last batch may have one more.
  private long batchesMax() {
    try {
      return measured.batchesPerEpoch();
    } catch (IllegalStateException _) {
      return Long.MAX_VALUE; // with a filter neither the epoch nor this pass knows it
    }
  }

  private static void addPlaces(Batch batch, RankCorrelation correlation) {
    Tensor places = batch.tensor(RowPlaces.PLACE);
    for (int row = 0; row < batch.rowCount(); row++) {
      correlation.add(places.getLong(row));
    }
  }

  private void addLabels(Batch batch, LabelEntropy entropy) {
    Tensor labels = batch.tensor(RowPlaces.LABEL);
    for (int row = 0; row < batch.rowCount(); row++) {
      int number = labels.getInt(row);
      if (number == RowPlaces.LABELS_MAX) {
        throw new IllegalArgumentException(
            "Cannot use column '"
                + label.orElseThrow()
                + "' as label: it has more than "
                + Numbers.count(RowPlaces.LABELS_MAX)
                + " different values. Choose a column of classes.");
      }
      entropy.add(number);
    }
    entropy.endBatch();
  }

  @Override
  public void close() {
    loader.close();
  }
}
