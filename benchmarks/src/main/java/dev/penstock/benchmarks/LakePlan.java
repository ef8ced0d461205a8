package dev.penstock.benchmarks;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Plan;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// Plans a lake whose files are made up, as one of many ranks does: lists it, deals it to the
/// ranks, shuffles it, and resumes in the middle, in the same and in another world.
///
/// Prints for each step its seconds and the heap that is live after it.
final class LakePlan {
  private static final long SEED = 42;
  private static final long EPOCH = 3;

  private final StructuredDataset dataset;
  private final int world;
  private final boolean isWindowed;

  private LakePlan(StructuredDataset dataset, int world, boolean isWindowed) {
    this.dataset = dataset;
    this.world = world;
    this.isWindowed = isWindowed;
  }

  /// Runs `FILES GROUPS_PER_FILE MIB_PER_GROUP RANKS [window]`.
  public static void main(String[] args) throws Exception {
    MadeUpTable table =
        new MadeUpTable(
            Integer.parseInt(args[0]), Integer.parseInt(args[1]), Long.parseLong(args[2]) << 20);
    boolean isWindowed = args.length > 4;
    new LakePlan(new StructuredDataset(table), Integer.parseInt(args[3]), isWindowed).run();
  }

  private LoaderOptions options(int rank, int ranks) {
    LoaderOptions options =
        LoaderOptions.defaults().workers(0).seed(SEED).rank(new Rank(rank, ranks));
    return isWindowed ? options.shuffle(Shuffle.window(65_536)) : options.shuffle(true);
  }

  private void run() throws Exception {
    System.out.println("| step | seconds | live heap, MB |\n|---|---:|---:|");
    int files = step("list, with footers", () -> dataset.files().size());
    int rank = world / 3;
    long rows = step("plan a rank's epoch", () -> planned(rank));
    LoaderState start = step("state at the start", () -> start(rank));
    step("begin the epoch", () -> begin(rank, world, start));
    LoaderState middle = moved(start, rows / 2);
    step("resume in the middle", () -> begin(rank, world, middle));
    LoaderState merged = step("merge the states of all ranks", () -> merged(start, rows / 2));
    step("resume with half the ranks", () -> begin(rank / 2, world / 2, merged));
    System.out.printf(
        "%n%d files; rank %d of %d has %d rows; state of a rank %d bytes, merged %d bytes%n",
        files, rank, world, rows, middle.toJson().length(), merged.toJson().length());
  }

  private long planned(int rank) {
    Plan plan = dataset.plan(options(rank, world), EPOCH);
    return plan.rows();
  }

  private LoaderState start(int rank) {
    try (DataLoader loader = DataLoader.of(dataset, options(rank, world))) {
      loader.setEpoch(EPOCH);
      return loader.state();
    }
  }

  /// Plans the epoch and all that is ready before the first row is read.
  private boolean begin(int rank, int ranks, LoaderState state) {
    try (DataLoader loader = DataLoader.of(dataset, options(rank, ranks))) {
      loader.resume(state);
      try (EpochIterator<Batch> epoch = loader.iterator()) {
        return epoch.hasNext();
      }
    }
  }

  private static LoaderState moved(LoaderState state, long rows) {
    return LoaderState.parse(state.toJson().replaceFirst("\"at\":\\[\\[\\d+", "\"at\":[[" + rows));
  }

  private LoaderState merged(LoaderState one, long rows) {
    List<LoaderState> states = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      String json = moved(one, rows).toJson();
      states.add(LoaderState.parse(json.replaceFirst("\"rank\":\\d+", "\"rank\":" + rank)));
    }
    return LoaderState.merge(states);
  }

  private static <T> T step(String name, Callable<T> work) throws Exception {
    long start = System.nanoTime();
    T result = work.call();
    double seconds = (System.nanoTime() - start) / 1e9;
    System.gc();
    long live = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    System.out.printf("| %s | %.1f | %d |%n", name, seconds, live >> 20);
    return result;
  }
}
