package dev.penstock.benchmarks;

import dev.penstock.BatchIterator;
import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/// Delivers one workload with Penstock, epoch after epoch, and prints how long that took as one
/// line of JSON.
///
/// The protocol is that of all systems: an epoch's time includes making its iterator, and the timed
/// consumer counts rows and reads one element per batch. Epoch 1 is timed from before the dataset
/// is made; the checksum over all rows is taken in epoch 2, which is never a timed one.
public final class LoaderRun {
  private static final int CHECKSUM_EPOCH = 2;

  /// What the timed consumer has read, so that reading it is not optimised away.
  private static double touched;

  private LoaderRun() {}

  /// Runs one workload.
  ///
  /// @param args `WORKLOAD DATA_DIR [workers] [warm-up epochs] [epochs]`; by default 2, 30 and 5
  /// @throws IOException if the data has no manifest
  public static void main(String[] args) throws IOException {
    Workload workload = Workload.named(args[0]);
    Path data = Path.of(args[1]);
    int workers = args.length > 2 ? Integer.parseInt(args[2]) : 2;
    int warmUps = Math.max(CHECKSUM_EPOCH, args.length > 3 ? Integer.parseInt(args[3]) : 30);
    int timed = args.length > 4 ? Integer.parseInt(args[4]) : 5;
    Expected expected = Expected.read(data, workload);
    Checksum checksum = workload.checksum();
    Consumer<Batch> touch = batch -> touched += workload.touch(batch);

    Epochs epochs = new Epochs(warmUps);
    StructuredDataset dataset =
        new StructuredDataset(workload.folder(data).toString()).columns(workload.columns());
    try (DataLoader loader = new DataLoader(dataset, workload.options(workers))) {
      for (int epoch = 1; epoch <= warmUps + timed; epoch++) {
        run(loader, epoch == CHECKSUM_EPOCH ? checksum::add : touch, epochs);
      }
    }
    System.out.println(epochs.json("penstock:" + workers, workload, expected, checksum));
  }

  private static void run(DataLoader loader, Consumer<Batch> consumer, Epochs epochs) {
    long rows = 0;
    long batches = 0;
    try (BatchIterator iterator = loader.iterator()) {
      while (iterator.hasNext()) {
        try (Batch batch = iterator.next()) {
          rows += batch.rowCount();
          batches++;
          consumer.accept(batch);
        }
      }
      epochs.end(rows, batches, loader.stats().waitNanos());
    }
  }
}
