package dev.penstock.score;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.OutputFormat;
import dev.penstock.model.ModelInput;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.Schema;
import dev.penstock.split.ByteSize;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Binds a model to a table: which columns it gets, how these are read, and what is written.
final class Binding {
  private Binding() {}

  static Scoring of(Scorer scorer) {
    LoaderOptions given = options(scorer);
    Schema table;
    try (DataLoader loader = DataLoader.of(scorer.dataset, given)) {
      table = loader.schema();
    }
    List<String> names = new ArrayList<>(scorer.keys);
    names.addAll(scorer.columns);
    requireOnce(names);
    List<ModelInput> inputs = scorer.model.inputs();
    Map<String, List<String>> columns =
        inputs.isEmpty() && scorer.inputs.isEmpty()
            ? Map.of()
            : InputColumns.of(inputs, table, scorer.inputs, new HashSet<>(names));
    Feeding feeding = Feeding.of(inputs, columns, table, new HashSet<>(names));
    Set<String> read = new LinkedHashSet<>(names);
    columns.values().forEach(read::addAll);
    CarriedColumns carried = CarriedColumns.of(table, names, feeding);
    boolean isTransformed = given.transformation().function().isPresent();
    StructuredDataset dataset =
        columns.isEmpty() || isTransformed
            ? scorer.dataset
            : scorer.dataset.columns(List.copyOf(read));
    return new Scoring(
        scorer.dataset,
        dataset,
        carried.options(feeding.options(given)),
        scorer.model,
        feeding,
        carried,
        scorer.onError);
  }

  private static void requireOnce(List<String> names) {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!seen.add(name)) {
        throw new IllegalArgumentException(
            "Cannot write column '" + name + "' beside the scores twice. Name it once.");
      }
    }
  }

  /// Returns the options by which each worker reads a part: one loader's limit is for all of them.
  private static LoaderOptions options(Scorer scorer) {
    LoaderOptions given = scorer.options.apply(LoaderOptions.defaults());
    if (given.batching().composition().isPresent()
        || given.batching().stepsPerEpoch().isPresent()
        || given.columns().output() != OutputFormat.TENSOR) {
      throw new IllegalArgumentException(
          "Cannot score with a composition, stepsPerEpoch or output: each row comes once, as"
              + " tensors.");
    }
    // Files of this machine are read where they are scored: a batch stays in the core's cache.
    boolean isLocal =
        !scorer.dataset.locations().isEmpty()
            && scorer.dataset.locations().stream()
                .allMatch(location -> new Location(location).scheme().equals("file"));
    long memory = given.memoryUse().limitFor(scorer.workers).bytes() / scorer.workers;
    return given
        .shuffle(false)
        .dropLast(false)
        .workers(isLocal ? 0 : 1)
        .memory(new ByteSize(memory))
        .rank(Rank.SINGLE)
        .rankEnd(RankEnd.EXACT)
        .countMatches(false);
  }
}
