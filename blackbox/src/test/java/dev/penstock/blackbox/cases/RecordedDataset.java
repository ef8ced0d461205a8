package dev.penstock.blackbox.cases;

import dev.penstock.Mixture;
import dev.penstock.SavedPlan;
import dev.penstock.StructuredDataset;
import dev.penstock.schema.DataType;
import dev.penstock.schema.MissingColumns;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Makes datasets from choices in words, such as `table plain` and `where id < 60`.
///
/// @param files the folder of the tables
/// @param cache the folder of all caches
/// @param plans the folder of all plans: every second source that is made has one, so that runs go
///   on with a plan that began without, and the reverse
/// @param made how many sources were made
record RecordedDataset(Path files, Path cache, Path plans, AtomicInteger made) {
  /// Makes a dataset.
  StructuredDataset of(RecordedCase what) {
    List<String> mixture = what.mixture();
    // Warnings count the nulls of the first file of a plan, and else of all.
    boolean mayBePlanned = !what.options().contains("nulls nan");
    List<StructuredDataset> datasets =
        what.sources().stream()
            .map(each ->
                mayBePlanned && made.getAndIncrement() % 2 > 0 ? planned(each) : source(each))
            .toList();
    if (mixture.isEmpty()) {
      return datasets.getFirst();
    }
    double[] weights = numbers(mixture.getFirst().split(" ", -1), 1);
    Mixture mixed = Mixture.of(datasets.getFirst(), weights[0]);
    for (int source = 1; source < datasets.size(); source++) {
      mixed = mixed.and(datasets.get(source), weights[source]);
    }
    for (String choice : mixture.subList(1, mixture.size())) {
      String[] words = choice.split(" ", -1);
      mixed =
          switch (words[0]) {
            case "stop" -> mixed.stop(Mixture.Stop.valueOf(words[1]));
            case "sourceColumn" -> mixed.sourceColumn(words[1]);
            case "weightsFrom" -> mixed.weightsFrom(Long.parseLong(words[1]), numbers(words, 2));
            default -> mixed;
          };
    }
    StructuredDataset dataset = new StructuredDataset(mixed);
    for (String choice : mixture) {
      if (choice.startsWith("all ")) {
        dataset = with(dataset, choice.substring("all ".length()));
      }
    }
    return dataset;
  }

  private static double[] numbers(String[] words, int from) {
    return Arrays.stream(words).skip(from).mapToDouble(Double::parseDouble).toArray();
  }

  private StructuredDataset source(List<String> choices) {
    StructuredDataset dataset =
        RecordedTable.named(choices.getFirst().substring("table ".length())).open(files);
    for (String choice : choices.subList(1, choices.size())) {
      dataset = with(dataset, choice);
    }
    return dataset;
  }

  /// Makes a dataset with a plan, which has the matches if there is a filter.
  private StructuredDataset planned(List<String> choices) {
    StructuredDataset dataset = source(choices);
    List<String> statistics = made.get() % 4 == 0 ? List.of("id", "pick", "text") : List.of();
    try {
      SavedPlan saved =
          dataset.savePlan(
              plans.resolve(statistics.size() + "-of-" + choices.hashCode()) + "/",
              statistics.toArray(String[]::new));
      return dataset.plan(saved.location().text());
    } catch (IllegalArgumentException | UncheckedIOException e) {
      return dataset; // Its filter is wrong, which the loader says.
    }
  }

  private StructuredDataset with(StructuredDataset dataset, String choice) {
    String[] words = choice.split(" ", 2);
    String rest = words.length == 1 ? "" : words[1];
    return switch (words[0]) {
      case "columns" -> dataset.columns(rest.split(" ", -1));
      case "where" -> dataset.where(rest);
      case "splitRows" -> dataset.splitRows(Long.parseLong(rest));
      case "splitBytes" -> dataset.splitBytes(rest);
      case "strategy" -> dataset.splitStrategy(RecordedFunctions.strategy(rest));
      case "rowIndex" -> dataset.rowIndex(rest);
      case "hivePartitions" -> dataset.hivePartitions();
      case "castToFloat" -> dataset.cast(rest, DataType.float32());
      case "missingColumns" -> dataset.missingColumns(MissingColumns.nulls());
      case "cache" ->
          dataset.cache(cache.resolve(rest.replace(' ', '-')).toString(), rest.split(" ", -1)[1]);
      default -> throw new AssertionError(choice);
    };
  }
}
