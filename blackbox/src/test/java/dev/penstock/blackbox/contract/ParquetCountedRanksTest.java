package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.files.FaultStorage;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.tck.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetCountedRanksTest {
  private static final LoaderOptions TWO = LoaderOptions.defaults().rank(new Rank(0, 2));

  @TempDir Path folder;

  private FaultStorage.Site site(int[]... rowsOfGroupsOfFiles) throws IOException {
    Table table = CountedRanksContractTest.table(rowsOfGroupsOfFiles);
    return FaultStorage.over(new ParquetFiles().write(folder, table, new Random(3)));
  }

  private static long bytesOf(StructuredDataset dataset) {
    try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(0))) {
      for (Batch batch : loader) {
        batch.close();
      }
      return loader.stats().read().bytes();
    }
  }

  @Test
  void onlyTheFiltersColumnsAreRead() throws IOException {
    FaultStorage.Site site = site(new int[] {20_000, 20_000}, new int[] {20_000});
    StructuredDataset all = new StructuredDataset(site.location());
    long filters = bytesOf(all.columns("pick"));
    long others = bytesOf(all.columns("id", "text"));
    StructuredDataset some = all.where("pick < 3");
    var _ = some.files();
    try (DataLoader loader = DataLoader.of(some, TWO)) {
      long before = site.bytesRead();
      loader.batchesPerEpoch();
      long counting = site.bytesRead() - before;
      assertThat(counting).isPositive().isLessThanOrEqualTo(filters + filters / 10);
      assertThat(counting).isLessThan(others / 5);
    }
  }

  /// Of three row groups the statistics decide two.
  @Test
  void rowGroupsThatStatisticsDecideAreNotRead() throws IOException {
    FaultStorage.Site site = site(new int[] {20_000, 20_000, 20_000});
    StructuredDataset all = new StructuredDataset(site.location());
    long ids = bytesOf(all.columns("id"));
    StructuredDataset some = all.where("id >= 30000");
    var _ = some.files();
    try (DataLoader loader = DataLoader.of(some, TWO.batchSize(1000))) {
      long before = site.bytesRead();
      assertThat(loader.batchesPerEpoch()).isEqualTo(15);
      assertThat(site.bytesRead() - before).isPositive().isLessThan(ids / 2);
    }
  }
}
