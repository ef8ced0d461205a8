package dev.penstock.benchmarks.readers.penstock;

import dev.penstock.DataLoader;
import dev.penstock.benchmarks.readers.Reader;
import dev.penstock.options.LoaderOptions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// As [PenstockReader], with one loader for all scans: each is an epoch, as in training.
public final class KeptPenstockReader implements Reader {
  private @Nullable DataLoader loader;

  /// Makes the reader.
  public KeptPenstockReader() {}

  @Override
  public String name() {
    return "Penstock, epochs of one loader";
  }

  @Override
  public Optional<String> refusal(Scan scan) {
    return new PenstockReader().refusal(scan);
  }

  @Override
  public void read(Scan scan, Sink sink) {
    if (loader == null) {
      loader =
          DataLoader.of(
              PenstockReader.dataset(scan),
              LoaderOptions.defaults().batchSize(BATCH_ROWS).workers(0));
    }
    PenstockReader.deliver(loader, scan.table().columns(), sink);
  }
}
