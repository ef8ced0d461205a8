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

/// Measures how epochs are shuffled, each by a pass of its own that reads one column.
///
/// The order of an epoch does not depend on the columns that are read. So the pass has the rows of
/// the epoch in the same batches, and neither its digests nor its times and states have anything of
/// the pass.
public final class ShufflePass implements AutoCloseable {
  private final DataLoader measured;
  private final Optional<String> label;
  private final DataLoader loader;

  /// Makes the pass.
  ///
  /// @param measured the loader whose epochs are measured
  /// @param label the column of labels; empty without
  /// @throws IllegalArgumentException if it is none
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
            .nulls(NullPolicy.nan()) // fills need not fit: there are no nulls
            .transform(new RowPlaces(dataset.files(), label.isPresent()));
    this.loader = new DataLoader(column, options);
  }

  /// Returns a column that takes little to read: the narrowest of numbers, else the first.
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
  /// @param name what it is called while it runs
  /// @param rows the rows it has, if the filter leaves out none
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

  /// Returns how many batches the epoch has, where that is known before: behind the transform of
  /// this pass it is not, and then a rank of many that drops a short last batch may have one more.
  private long batchesMax() {
    try {
      return measured.batchesPerEpoch();
    } catch (IllegalStateException _) {
      return Long.MAX_VALUE; // the filter leaves it open, to the epoch as to this pass
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
