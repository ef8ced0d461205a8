package reads;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.metrics.LoaderMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/// Counts a file's rows by a registry of Micrometer.
public final class ReadMetrics {
  private ReadMetrics() {}

  public static void main(String[] args) {
    var registry = new SimpleMeterRegistry();
    long rows = 0;
    try (DataLoader loader = DataLoader.of(new StructuredDataset(args[0]).columns("distance"));
        LoaderMetrics metrics = new LoaderMetrics(loader, "train")) {
      metrics.bindTo(registry);
      for (Batch batch : loader) {
        try (batch) {
          rows += batch.rowCount();
        }
      }
      double counted =
          registry.get("penstock.rows").tag("loader", "train").functionCounter().count();
      if (rows == 0 || counted != rows) {
        throw new IllegalStateException(counted + " rows in the registry, " + rows + " received");
      }
    }
    System.out.println("metrics: " + args[0]);
  }
}
