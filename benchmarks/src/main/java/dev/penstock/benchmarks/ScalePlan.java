package dev.penstock.benchmarks;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import java.util.ArrayList;
import java.util.List;

/// What a table costs one of many ranks before its first row, and what its state costs: a line of a
/// Markdown table for each number of ranks.
final class ScalePlan {
  private static final int GROUPS_PER_FILE = 10;
  private static final long GROUP_BYTES = 1L << 30; // a million rows of 1 KiB
  private static final int EPOCH = 3;
  private static final int WARM_UPS = 3;

  private final StructuredDataset dataset;
  private final Shuffle shuffle;

  private ScalePlan(StructuredDataset dataset, Shuffle shuffle) {
    this.dataset = dataset;
    this.shuffle = shuffle;
  }

  /// Runs `GROUPS SHUFFLE RANKS...` with a made-up table, or `footers FOLDER` with real files.
  public static void main(String[] args) {
    if (args[0].equals("footers")) {
      footers(args[1]);
      return;
    }
    Shuffle shuffle = Shuffle.parse(args[1]);
    for (int i = 0; i < WARM_UPS; i++) {
      new ScalePlan(table(GROUPS_PER_FILE), shuffle).measure(2);
    }
    int groups = Integer.parseInt(args[0]);
    double before = ProcessCosts.heap();
    double start = ProcessCosts.processorSeconds();
    var plan = new ScalePlan(table(groups), shuffle);
    var _ = plan.dataset.files();
    double listed = ProcessCosts.processorSeconds() - start;
    double tableHeap = ProcessCosts.heap() - before;
    for (int i = 2; i < args.length; i++) {
      Costs costs = plan.measure(Integer.parseInt(args[i]));
      System.out.printf(
          "| %,d | %s | %s | %.2f | %.2f | %.1f | %.1f | %,d | %,d | %.2f |%n",
          groups,
          args[1],
          args[i],
          listed,
          costs.begun,
          tableHeap,
          costs.heap - before,
          costs.state,
          costs.merged,
          costs.merging);
    }
  }

  private static StructuredDataset table(int groups) {
    return new StructuredDataset(
        new MadeUpTable(groups / GROUPS_PER_FILE, GROUPS_PER_FILE, GROUP_BYTES));
  }

  private DataLoader loader(int rank, int world) {
    return DataLoader.of(
        dataset,
        LoaderOptions.defaults().workers(0).seed(1).shuffle(shuffle).rank(new Rank(rank, world)));
  }

  /// What a rank costs.
  ///
  /// @param begun processor seconds to plan and begin an epoch
  /// @param heap live heap, MB, when it has begun
  /// @param state bytes of its state
  /// @param merged bytes of the states of all ranks, merged
  /// @param merging processor seconds to merge them
  private record Costs(double begun, double heap, int state, int merged, double merging) {}

  private Costs measure(int world) {
    try (DataLoader loader = loader(world / 3, world)) {
      loader.setEpoch(EPOCH);
      double start = ProcessCosts.processorSeconds();
      try (EpochIterator<Batch> epoch = loader.iterator()) {
        if (!epoch.hasNext()) {
          throw new IllegalStateException("A rank has no rows.");
        }
        double begun = ProcessCosts.processorSeconds() - start;
        double heap = ProcessCosts.heap();
        LoaderState state = loader.state();
        List<LoaderState> states = states(state, world);
        double from = ProcessCosts.processorSeconds();
        LoaderState merged = LoaderState.merge(states);
        return new Costs(
            begun,
            heap,
            state.toJson().length(),
            merged.toJson().length(),
            ProcessCosts.processorSeconds() - from);
      }
    }
  }

  /// Returns the states of all ranks, in the middle of their parts.
  private static List<LoaderState> states(LoaderState one, int world) {
    String json = one.toJson().replaceFirst("\"at\":\\[\\[\\d+", "\"at\":[[123456789");
    List<LoaderState> states = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      states.add(LoaderState.parse(json.replaceFirst("\"rank\":\\d+", "\"rank\":" + rank)));
    }
    return states;
  }

  private static void footers(String folder) {
    var _ = new StructuredDataset(folder).files(); // loads classes
    double before = ProcessCosts.heap();
    double start = ProcessCosts.processorSeconds();
    StructuredDataset dataset = new StructuredDataset(folder);
    int files = dataset.files().size();
    System.out.printf(
        "%,d files: %.2f processor seconds, %.1f MB of heap%n",
        files, ProcessCosts.processorSeconds() - start, ProcessCosts.heap() - before);
  }
}
