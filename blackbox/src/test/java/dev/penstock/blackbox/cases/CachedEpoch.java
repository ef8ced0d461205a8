package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.options.LoaderOptions;
import java.util.List;
import java.util.function.UnaryOperator;

/// What an epoch gave, and from where.
///
/// @param bytes read from the store
/// @param cached read from the cache
record CachedEpoch(List<List<Object>> rows, long bytes, long cached) {
  static CachedEpoch of(DataLoader loader) {
    List<List<Object>> rows = Delivery.ofEpoch(loader).rows();
    return new CachedEpoch(rows, loader.stats().read().bytes(), loader.stats().read().cached());
  }

  static CachedEpoch of(StructuredDataset dataset, UnaryOperator<LoaderOptions> options) {
    try (DataLoader loader =
        DataLoader.of(
            dataset, o -> options.apply(o.batchSize(64).workers(1).output(OutputFormat.MAP)))) {
      return of(loader);
    }
  }

  static CachedEpoch of(StructuredDataset dataset) {
    return of(dataset, o -> o);
  }

  CachedEpoch requireCached() {
    assertThat(bytes).as("bytes from the store").isZero();
    assertThat(cached).as("bytes from the cache").isPositive();
    return this;
  }

  static List<List<Object>> rows(StructuredDataset dataset) {
    return of(dataset).rows;
  }
}
