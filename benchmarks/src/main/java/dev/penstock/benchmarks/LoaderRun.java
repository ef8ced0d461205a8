package dev.penstock.benchmarks;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import java.io.IOException;
import java.util.function.Consumer;

/// Delivers one workload with Penstock, epoch after epoch, and prints how long that took as one
/// line of JSON.
///
/// The protocol is that of all systems: an epoch's time includes making its iterator, and the timed
/// consumer counts rows and reads one element per batch. Epoch 1 is timed from before the dataset
/// is made; the checksum over all rows is taken in epoch 2.
public final class LoaderRun {
  private static final int CHECKSUM_EPOCH = 2;

  /// What the timed consumer has read, so that reading it is not optimised away.
  private static double touched;

  private LoaderRun() {}

  /// Runs one workload.
  ///
  /// @param args `WORKLOAD DATA_DIR [workers] [warm-up epochs] [epochs]`; by default 2 workers, and
  ///   epochs as [Settings] says
  /// @throws IOException if the data has no manifest
  public static void main(String[] args) throws IOException {
    Settings settings = Settings.of(args);
    Workload workload = settings.workload();
    Expected expected = Expected.read(settings.data(), workload);
    Checksum checksum = workload.checksum();
    Consumer<Batch> touch = batch -> touched += workload.touch(batch);

    Epochs epochs = new Epochs(settings);
    StructuredDataset files = workload.dataset(settings.data());
    StructuredDataset dataset = workload.filter(expected).map(files::filter).orElse(files);
    try (DataLoader loader = DataLoader.of(dataset, workload.options(settings.threads()))) {
      while (epochs.isWanted()) {
        run(loader, epochs.number() == CHECKSUM_EPOCH ? checksum::add : touch, epochs);
      }
    }
    System.out.println(epochs.json("penstock", expected, checksum));
  }

  private static void run(DataLoader loader, Consumer<Batch> consumer, Epochs epochs) {
    long rows = 0;
    long batches = 0;
    try (EpochIterator<Batch> iterator = loader.iterator()) {
      while (iterator.hasNext()) {
        try (Batch batch = iterator.next()) {
          rows += batch.rowCount();
          batches++;
          consumer.accept(batch);
        }
      }
      epochs.end(rows, batches, loader.stats().times().waitNanos());
    }
  }
}
