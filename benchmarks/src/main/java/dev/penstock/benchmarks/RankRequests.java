package dev.penstock.benchmarks;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Counts the requests of many ranks to a store, each from its start until it has its first batch.
///
/// Some ranks are run, one after another, evenly spread; the others are taken to make as many.
/// Requests for rows are printed apart, since how far a rank reads ahead of its first batch is a
/// matter of time.
final class RankRequests {
  private RankRequests() {}

  /// Runs `FILE FILES RANKS SAMPLE SHUFFLE`; all files of the store have the bytes of `FILE`.
  public static void main(String[] args) throws IOException {
    CountingStore store =
        new CountingStore(Files.readAllBytes(Path.of(args[0])), Integer.parseInt(args[1]));
    int world = Integer.parseInt(args[2]);
    int sample = Integer.parseInt(args[3]);
    System.out.printf(
        "%n%,d files, shuffle %s%n%n| rank | look | list | footers | rows | seconds | live heap, MB |%n"
            + "|---:|---:|---:|---:|---:|---:|---:|%n",
        Integer.parseInt(args[1]), args[4]);
    long requests = 0;
    for (int i = 0; i < sample; i++) {
      int rank = (int) ((long) world * i / sample);
      requests += run(store, new Rank(rank, world), Shuffle.parse(args[4]));
    }
    System.out.printf(
        "%nall %,d ranks: %,d requests before the first batch, without those for rows%n",
        world, Math.round((double) requests / sample * world));
  }

  private static long run(CountingStore store, Rank rank, Shuffle shuffle) {
    long start = System.nanoTime();
    StructuredDataset dataset = new StructuredDataset("lake://table").storage(store);
    LoaderOptions options = LoaderOptions.defaults().workers(1).seed(1).shuffle(shuffle).rank(rank);
    try (DataLoader loader = DataLoader.of(dataset, options);
        EpochIterator<Batch> epoch = loader.iterator()) {
      epoch.next().close();
      double seconds = (System.nanoTime() - start) / 1e9;
      double heap = ProcessCosts.heap();
      long look = store.take(CountingStore.Kind.LOOK);
      long list = store.take(CountingStore.Kind.LIST);
      long footers = store.take(CountingStore.Kind.FOOTER);
      System.out.printf(
          "| %,d | %,d | %,d | %,d | %,d | %.1f | %.1f |%n",
          rank.index(), look, list, footers, store.take(CountingStore.Kind.ROWS), seconds, heap);
      return look + list + footers;
    }
  }
}
