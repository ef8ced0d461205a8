package dev.penstock.benchmarks;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.SavedPlan;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/// Counts the requests of many ranks to a store, each from its start until it has its first batch.
///
/// Some ranks are run, one after another, evenly spread; the others are taken to make as many.
/// Requests for rows are printed apart, since how far a rank reads ahead of its first batch is a
/// matter of time.
final class RankRequests {
  private final CountingStore store;
  private final Supplier<StructuredDataset> dataset;
  private double processorSeconds = ProcessCosts.processorSeconds();

  private RankRequests(CountingStore store, Supplier<StructuredDataset> dataset) {
    this.store = store;
    this.dataset = dataset;
  }

  /// Runs `FILE FILES RANKS SAMPLE SHUFFLE [PLAN | catalog]`; all files of the store have the bytes
  /// of `FILE`. With a plan, it is saved first; or a catalog states how many rows each file has.
  public static void main(String[] args) throws IOException {
    int files = Integer.parseInt(args[1]);
    int world = Integer.parseInt(args[2]);
    int sample = Integer.parseInt(args[3]);
    Path file = Path.of(args[0]);
    boolean isOfCatalog = args.length > 5 && args[5].equals("catalog");
    Optional<String> plan =
        args.length > 5 && !isOfCatalog ? Optional.of(args[5]) : Optional.empty();
    System.out.printf(
        "%n%,d files of %s, shuffle %s, %s%n%n"
            + "| rank | look | list | plan | footers | rows | processor seconds | live heap, MB |%n"
            + "|---:|---:|---:|---:|---:|---:|---:|---:|%n",
        files,
        file.getFileName(),
        args[4],
        isOfCatalog ? "a catalog's table" : plan.map(each -> "plan " + each).orElse("no plan"));
    CountingStore store = new CountingStore(Files.readAllBytes(file), files);
    StructuredDataset one = new StructuredDataset(args[0]);
    CountingTable table = new CountingTable(store, one.schema(), one.files().getFirst().rows());
    Supplier<StructuredDataset> folder = () -> new StructuredDataset("lake://table").storage(store);
    RankRequests run =
        new RankRequests(
            store,
            () ->
                isOfCatalog
                    ? new StructuredDataset(table)
                    : plan.map(folder.get()::plan).orElseGet(folder));
    long saving = plan.isPresent() ? run.save(folder.get(), plan.get()) : 0;
    long requests = 0;
    for (int i = 0; i < sample; i++) {
      int rank = (int) ((long) world * i / sample);
      requests += run.begin(new Rank(rank, world), Shuffle.parse(args[4]));
    }
    System.out.printf(
        "%nall %,d ranks: %,d requests before the first batch, without those for rows%n",
        world, saving + Math.round((double) requests / sample * world));
    if (plan.isPresent()) {
      System.out.printf("the plan: %,d bytes%n", store.planBytes());
    }
  }

  private long save(StructuredDataset folder, String place) {
    SavedPlan _ = folder.savePlan(place);
    return print("saves the plan");
  }

  private long begin(Rank rank, Shuffle shuffle) {
    LoaderOptions options = LoaderOptions.defaults().workers(1).seed(1).shuffle(shuffle).rank(rank);
    try (DataLoader loader = DataLoader.of(dataset.get(), options);
        EpochIterator<Batch> epoch = loader.iterator()) {
      epoch.next().close();
      return print(String.format("%,d", rank.index()));
    }
  }

  /// Prints what there was since the last line. Returns the requests but those for rows.
  private long print(String who) {
    double begin = processorSeconds;
    double end = ProcessCosts.processorSeconds();
    double heap = ProcessCosts.heap();
    processorSeconds = ProcessCosts.processorSeconds(); // the collector's are left out
    long look = store.take(CountingStore.Kind.LOOK);
    long list = store.take(CountingStore.Kind.LIST);
    long planned = store.take(CountingStore.Kind.PLAN);
    long footers = store.take(CountingStore.Kind.FOOTER);
    System.out.printf(
        "| %s | %,d | %,d | %,d | %,d | %,d | %.1f | %.1f |%n",
        who, look, list, planned, footers, store.take(CountingStore.Kind.ROWS), end - begin, heap);
    return look + list + planned + footers;
  }
}
