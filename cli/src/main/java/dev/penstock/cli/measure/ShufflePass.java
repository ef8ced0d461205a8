package dev.penstock.cli.measure;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.Mixture;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.Progress;
import dev.penstock.cli.output.Step;
import dev.penstock.compose.Composition;
import dev.penstock.options.LoaderOptions;
import dev.penstock.report.OrderSample;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Measures how epochs are shuffled, each in a separate pass that reads row numbers and labels.
///
/// The order of an epoch does not depend on the columns that are read. So the pass sees the epoch's
/// rows in the same batches, and the epoch's digests, times and states are not affected by the
/// pass.
public final class ShufflePass implements AutoCloseable {
  private static final String ROW = "row of the shuffle report";
  private static final String SOURCE = "source of the shuffle report";
  private static final int LABELS_MAX = 1000;

  /// The rows of a mixture's sources are numbered one source after another. Each source has as many
  /// numbers as these bits count.
  private static final int SOURCE_BITS = 48;

  private final Optional<String> label;
  private final List<Long> starts; // the place of the first row of each source of a mixture
  private final String sourceColumn;
  private final Map<@Nullable Object, Integer> labels = new LinkedHashMap<>(); // by number
  private final DataLoader loader;

  /// Makes the pass.
  ///
  /// @param split cuts a dataset as that of the loader
  /// @throws IllegalArgumentException if the column of labels does not exist or has an unsuitable
  ///   type
  public ShufflePass(
      DataLoader measured, UnaryOperator<StructuredDataset> split, Optional<String> label) {
    this.label = label;
    StructuredDataset dataset = measured.dataset();
    Optional<Mixture> mixture = dataset.mixture();
    label.ifPresent(column -> requireLabels(dataset.columns(column).schema()));
    this.starts = mixture.map(ShufflePass::starts).orElse(List.of(0L));
    this.sourceColumn = mixture.flatMap(Mixture::sourceColumn).orElse(SOURCE);
    StructuredDataset numbered =
        mixture.isPresent()
            ? split.apply(numbered(dataset, mixture.get(), sourceColumn))
            : dataset.rowIndex(ROW);
    Set<String> columns = new LinkedHashSet<>(List.of(ROW));
    label.ifPresent(columns::add);
    measured.options().batching().composition().map(Composition::column).ifPresent(columns::add);
    if (mixture.isPresent()) {
      columns.add(sourceColumn);
    }
    LoaderOptions options = measured.options().nulls(NullPolicy.mask()).output(OutputFormat.MAP);
    this.loader = DataLoader.of(numbered.columns(List.copyOf(columns)), options);
  }

  private static void requireLabels(Schema schema) {
    Field field = schema.fields().getFirst();
    switch (field.type()) {
      case DataType.Utf8 _, DataType.Int _, DataType.Bool _ -> {}
      default ->
          throw new IllegalArgumentException(
              "Cannot use column '"
                  + field.name()
                  + "' as label: it is of type "
                  + field.type()
                  + ", but labels are strings, integers or booleans.");
    }
  }

  private static StructuredDataset numbered(
      StructuredDataset dataset, Mixture mixture, String sourceColumn) {
    Mixture numbered =
        Mixture.of(
                mixture.sources().stream()
                    .map(source ->
                        new Mixture.Source(source.dataset().rowIndex(ROW), source.weight()))
                    .toList())
            .stop(mixture.stop())
            .sourceColumn(sourceColumn);
    for (Mixture.Weights later : mixture.later()) {
      numbered =
          numbered.weightsFrom(
              later.row(), later.weights().stream().mapToDouble(Double::doubleValue).toArray());
    }
    StructuredDataset all = new StructuredDataset(numbered);
    return dataset.filter().map(all::filter).orElse(all);
  }

  /// Returns the places of the sources' first rows. Sources of the same files have the same places.
  private static List<Long> starts(Mixture mixture) {
    List<List<String>> locations =
        mixture.sources().stream().map(source -> source.dataset().locations()).toList();
    return locations.stream().map(each -> (long) locations.indexOf(each) << SOURCE_BITS).toList();
  }

  /// Measures an epoch.
  ///
  /// @param rows its number of rows before the filter
  /// @throws IllegalArgumentException if the column of labels has too many values
  public ShuffleReport measure(long epoch, String name, long rows, Progress progress) {
    RankCorrelation correlation = new RankCorrelation();
    EvenSample<Long> points = new EvenSample<>(OrderSample.ROWS_MAX);
    Optional<LabelMix> mix = label.map(_ -> new LabelMix(LABELS_MAX));
    long start = System.nanoTime();
    loader.setEpoch(epoch);
    try (EpochIterator<Batch> batches = loader.iterator()) {
      while (batches.hasNext()) {
        try (Batch batch = batches.next()) {
          addPlaces(batch, correlation, points);
          mix.ifPresent(each -> addLabels(batch.list(label.orElseThrow()), each));
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
    return new ShuffleReport(
        epoch,
        correlation.rows(),
        correlation.sampled(),
        correlation.value(),
        mix.map(each ->
            new ShuffleReport.Labels(
                label.orElseThrow(), each.perBatch(), each.overall(), each.ratio())),
        order(correlation, points, mix));
  }

  /// Returns the sample of the order; of a mixture empty, since its sources have no order together.
  private Optional<OrderSample> order(
      RankCorrelation correlation, EvenSample<Long> points, Optional<LabelMix> mix) {
    double value = correlation.value();
    List<String> texts = labels.keySet().stream().map(String::valueOf).toList();
    return starts.size() > 1
        ? Optional.empty()
        : Optional.of(
            new OrderSample(
                correlation.rows(),
                points.numbers(),
                points.elements(),
                Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value),
                mix.map(each -> each.shares(label.orElseThrow(), texts))));
  }

  private void addPlaces(Batch batch, RankCorrelation correlation, EvenSample<Long> points) {
    List<?> rows = batch.list(ROW);
    List<?> sources = starts.size() == 1 ? List.of() : batch.list(sourceColumn);
    for (int i = 0; i < rows.size(); i++) {
      int source = sources.isEmpty() ? 0 : (Integer) Objects.requireNonNull(sources.get(i));
      long place = starts.get(source) + (Long) Objects.requireNonNull(rows.get(i));
      correlation.add(place);
      points.add(place);
    }
  }

  private void addLabels(List<?> values, LabelMix mix) {
    for (Object value : values) {
      int number = labels.computeIfAbsent(value, _ -> labels.size());
      if (number == LABELS_MAX) {
        throw new IllegalArgumentException(
            "Cannot use column '"
                + label.orElseThrow()
                + "' as label: it has more than "
                + Numbers.count(LABELS_MAX)
                + " different values. Choose a column of classes.");
      }
      mix.add(number);
    }
    mix.endBatch();
  }

  @Override
  public void close() {
    loader.close();
  }
}
