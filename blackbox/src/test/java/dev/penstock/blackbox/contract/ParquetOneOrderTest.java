package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.split.Shuffle;
import dev.penstock.tck.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetOneOrderTest {
  @TempDir Path folder;

  private static long bytesRead(StructuredDataset dataset, Shuffle shuffle) {
    try (DataLoader loader =
        DataLoader.of(dataset, o -> o.workers(0).batchSize(500).shuffle(shuffle))) {
      for (Batch batch : loader) {
        batch.close();
      }
      return loader.stats().read().bytes();
    }
  }

  /// The pages have as many rows as the row groups, the windows an eighth of that.
  @Test
  void windowsThatCutRowGroupsReadNothingTwice() throws IOException {
    Table table = Tables.counting(new int[] {20_000, 20_000}, new int[] {20_000});
    StructuredDataset dataset = new ParquetFiles().dataset(folder, table, new Random(2));
    long once = bytesRead(dataset, Shuffle.none());
    assertThat(bytesRead(dataset, Shuffle.window(2_500).interleave(1))).isEqualTo(once);
    assertThat(bytesRead(dataset, Shuffle.window(2_500))).isEqualTo(once);
    // Some other, of which a part ends inside of a batch.
    assertThat(bytesRead(dataset, Shuffle.window(3_333))).isEqualTo(once);
  }
}
